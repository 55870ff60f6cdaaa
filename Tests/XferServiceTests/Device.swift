import CXferPlatform
import Foundation
import LogTestSupport
import XferScript

/// A simulated device for background sessions: a scripted server, a separate daemon, and directories for apps.
struct Device: Sendable {
  let server: ScriptedServer
  let directory = TemporaryDirectory()
  /// The program that apps start instead of the daemon. `nil` starts the daemon itself.
  var daemonStandIn: String?
  var moreEnvironment: [String: String] = [:]

  static func run<Result>(_ routes: [ServerScript.Route], _ body: (Device) async throws -> Result) async throws -> Result {
    try await ScriptedServer.serving(ServerScript(routes)) { server in
      let device = Device(server: server)
      try FileManager.default.createDirectory(atPath: device.path("files"), withIntermediateDirectories: true)
      symlink("\(ToolRun.directory)/xferd", device.path("xferd"))
      defer { device.stopDaemon() }
      return try await body(device)
    }
  }

  func path(_ name: String) -> String { directory.path(name) }
  func url(_ path: String) -> String { server.url(path) }
  func touch(_ path: String) { _ = FileManager.default.createFile(atPath: path, contents: nil) }

  var log: String { path("log.xlog") }
  var environment: [String: String] {
    [
      "XFERLOG_DIR": log, "XDG_STATE_HOME": path("state"), "XFERD_DIR": path("run"), "XFERD": daemonProgram,
      "SWIFT_BACKTRACE": "enable=no", "PATH": "/usr/bin:/bin", "HOME": path("home"), "TMPDIR": path("tmp"),
    ].merging(moreEnvironment) { $1 }
  }

  /// Runs the app and waits for its exit.
  func app(_ arguments: String...) throws -> ToolRun {
    try ToolRun("background-probe", ["files=\(path("files"))", "said=\(path("said"))"] + arguments, environment: environment)
  }

  func xfer(_ arguments: String...) throws -> ToolRun { try xfer(arguments) }

  /// Runs the `xfer` tool, for example to simulate device conditions.
  func xfer(_ arguments: [String]) throws -> ToolRun { try ToolRun("xfer", arguments, environment: environment) }

  /// Starts the app without waiting for its exit.
  func startApp(_ arguments: String...) throws -> Running { try startApp(arguments) }

  func startApp(_ arguments: [String]) throws -> Running {
    try Running("background-probe", ["files=\(path("files"))", "said=\(path("said"))"] + arguments, environment)
  }

  func startDaemon(_ more: [String: String] = [:]) throws -> Running {
    try Running(daemonProgram, [], environment.merging(more) { $1 })
  }

  /// Starts a daemon and waits until it is listening, because an app that connects earlier would start another daemon.
  func startListeningDaemon(_ more: [String: String] = [:]) async throws -> Running {
    let running = try startDaemon(more)
    try await until { daemon == running.pid || !running.isRunning }
    return running
  }

  /// The lines that all processes of the app have written so far.
  var said: [String] {
    String(decoding: FileManager.default.contents(atPath: path("said")) ?? Data(), as: UTF8.self).split(separator: "\n").map(
      String.init)
  }

  func file(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: path("files/\(name)")).map(Array.init) }

  /// Waits until a condition is true. Limited only by the test's time limit.
  ///
  /// - Parameter pause: The time between checks. Use a longer one when a check starts a process.
  func until(pause: Duration = .milliseconds(5), _ condition: () throws -> Bool) async throws {
    while try !condition() { try await Task.sleep(for: pause) }
  }

  /// The names of the files in the daemon's spool.
  var spooled: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path("state/xferd/spool"))) ?? []).sorted() }

  /// Returns the logged events with a name, as dictionaries of field texts.
  func events(_ name: String) throws -> [[String: String]] {
    try objects().filter { $0["event"] as? String == name }
      .map { ($0["fields"] as? [String: Any] ?? [:]).mapValues { "\($0)" } }
  }

  /// Returns the uids of the tasks in the logged events with a name.
  func uids(_ name: String) throws -> [String] {
    try objects().filter { $0["event"] as? String == name }.compactMap { ($0["task"] as? [String: Any])?["uid"] as? String }
  }

  /// Returns all objects that `xferlog show -o ndjson` prints: events and gaps.
  func objects() throws -> [[String: Any]] {
    try ToolRun("xferlog", ["show", "-o", "ndjson", log]).lines.compactMap { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }
  }

  /// Returns the number of logged events with a name that concern a downloaded file or a completion.
  func countOfEnds(_ event: String) throws -> Int {
    try events(event).filter { ["didFinishDownloading", "didComplete"].contains($0["callback"]) }.count
  }

  /// Returns whether a process is stopped by a signal.
  func isStopped(_ pid: pid_t) -> Bool {
    let status = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
    return status.split(separator: ")").last?.hasPrefix(" T") ?? false
  }

  // MARK: Daemon

  /// The path of the daemon program, a symbolic link. A test can remove the link to prevent further daemon starts.
  var daemonProgram: String { daemonStandIn ?? path("xferd") }

  /// The pid of the listening daemon. `nil` when no daemon is listening.
  var daemon: pid_t? {
    let descriptor = xp_local_connect(path("run/socket"))
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var (user, pid): (UInt32, Int32) = (0, 0)
    // The test process itself may be listening as a fake daemon.
    return xp_local_peer(descriptor, &user, &pid) && pid != getpid() ? pid : nil
  }

  /// Returns the peak memory of a process, in bytes.
  func peakMemory(_ pid: pid_t) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8) else { return nil }
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
  }

  /// Returns the number of open descriptors of a process.
  func descriptors(_ pid: pid_t) -> Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count) ?? 0 }

  func connect() throws -> RawSocket {
    let descriptor = xp_local_connect(path("run/socket"))
    guard descriptor >= 0 else { throw POSIXError(.ECONNREFUSED) }
    return RawSocket(descriptor)
  }

  /// Simulates a reboot by giving the device a new boot ID. No process of the device may be running.
  func boot() throws {
    try FileManager.default.createDirectory(
      atPath: path("run"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let clock = Data(count: 8) + Data(UUID().uuidString.lowercased().utf8) + Data(count: 4)
    try clock.write(to: URL(fileURLWithPath: path("run/clock")))
  }

  func killDaemon() {
    guard let daemon else { return }
    kill(daemon, SIGKILL)
    while kill(daemon, 0) == 0 { usleep(1000) }
  }

  func stopDaemon() {
    guard let daemon else { return }
    kill(daemon, SIGTERM)
    while kill(daemon, 0) == 0 { usleep(1000) }
  }

  /// Kills all remaining processes of the device. A leftover app would start new daemons forever.
  func endProcesses() {
    let mark = Data("XFERD_DIR=\(path("run"))".utf8)
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
      guard let pid = pid_t(name), let environment = FileManager.default.contents(atPath: "/proc/\(name)/environ"),
        environment.range(of: mark) != nil, let program = FileManager.default.contents(atPath: "/proc/\(name)/comm"),
        // The kernel truncates process names to 15 bytes.
        ["xferd", "background-prob", "lifecycle-probe"].contains(where: { program.starts(with: Data($0.utf8)) })
      else { continue }
      kill(pid, SIGKILL)
    }
    killDaemon()
  }

  /// Replays the log with `xferlog replay -o json`. The daemon must have ended.
  func replay() throws -> ReplayResult { try ReplayResult(ToolRun("xferlog", ["replay", "-o", "json", log])) }
}

/// A child process that is killed at the end of the test.
final class Running {
  private let process: Process

  init(_ program: String, _ arguments: [String], _ environment: [String: String]) throws {
    process = ToolRun.process(program, arguments, environment: environment)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  var pid: pid_t { process.processIdentifier }
  var isRunning: Bool { process.isRunning }

  /// The exit status, or 128 plus the signal number. `nil` while the process is running.
  var status: Int32? {
    if process.isRunning { return nil }
    return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
  }

  func wait() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  func kill() {
    Foundation.kill(pid, SIGKILL)
    process.waitUntilExit()
  }

  deinit { if process.isRunning { kill() } }
}

extension ScriptedResponse {
  static func generated(_ size: Int, seed: UInt64 = 1) -> Self { Self(body: .generated(size: size, seed: .value(seed))) }
}
