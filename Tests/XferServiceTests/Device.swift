import CXferPlatform
import Foundation
import LogTestSupport
import XferScript

/// A scripted server, a daemon of its own and a place for apps: what a device is to a background session.
struct Device: Sendable {
  let server: ScriptedServer
  let directory = TemporaryDirectory()
  /// What an app starts in the daemon's place; `nil` for the daemon itself.
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

  /// Runs the app to its end.
  func app(_ arguments: String...) throws -> ToolRun {
    try ToolRun("background-probe", ["files=\(path("files"))", "said=\(path("said"))"] + arguments, environment: environment)
  }

  func xfer(_ arguments: String...) throws -> ToolRun { try xfer(arguments) }

  /// Runs `xfer` as whoever plays the device.
  func xfer(_ arguments: [String]) throws -> ToolRun { try ToolRun("xfer", arguments, environment: environment) }

  /// Starts the app and goes on.
  func startApp(_ arguments: String...) throws -> Running { try startApp(arguments) }

  func startApp(_ arguments: [String]) throws -> Running {
    try Running("background-probe", ["files=\(path("files"))", "said=\(path("said"))"] + arguments, environment)
  }

  func startDaemon(_ more: [String: String] = [:]) throws -> Running {
    try Running(daemonProgram, [], environment.merging(more) { $1 })
  }

  /// Starts a daemon and waits until it listens: an app that came before would start another.
  func startListeningDaemon(_ more: [String: String] = [:]) async throws -> Running {
    let running = try startDaemon(more)
    try await until { daemon == running.pid || !running.isRunning }
    return running
  }

  /// What the app has said in all its lives.
  var said: [String] {
    String(decoding: FileManager.default.contents(atPath: path("said")) ?? Data(), as: UTF8.self).split(separator: "\n").map(
      String.init)
  }

  func file(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: path("files/\(name)")).map(Array.init) }

  /// Waits, for as long as a test may take.
  ///
  /// - Parameter pause: longer where looking costs a process.
  func until(pause: Duration = .milliseconds(5), _ condition: () throws -> Bool) async throws {
    while try !condition() { try await Task.sleep(for: pause) }
  }

  /// Names of what waits for apps.
  var spooled: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path("state/xferd/spool"))) ?? []).sorted() }

  /// The log's events of a name, as text by field.
  func events(_ name: String) throws -> [[String: String]] {
    try objects().filter { $0["event"] as? String == name }
      .map { ($0["fields"] as? [String: Any] ?? [:]).mapValues { "\($0)" } }
  }

  /// The uids of the tasks that events of a name are about.
  func uids(_ name: String) throws -> [String] {
    try objects().filter { $0["event"] as? String == name }.compactMap { ($0["task"] as? [String: Any])?["uid"] as? String }
  }

  /// The log's events, and what lies between them.
  func objects() throws -> [[String: Any]] {
    try ToolRun("xferlog", ["show", "-o", "ndjson", log]).lines.compactMap { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }
  }

  /// How many ends of tasks, files and completions, have come as far as such an event.
  func countOfEnds(_ event: String) throws -> Int {
    try events(event).filter { ["didFinishDownloading", "didComplete"].contains($0["callback"]) }.count
  }

  /// Whether a process is stopped.
  func isStopped(_ pid: pid_t) -> Bool {
    let status = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
    return status.split(separator: ")").last?.hasPrefix(" T") ?? false
  }

  // MARK: The daemon

  /// A device's own: without it nobody can start a daemon.
  var daemonProgram: String { daemonStandIn ?? path("xferd") }

  /// The process that listens.
  var daemon: pid_t? {
    let descriptor = xp_local_connect(path("run/socket"))
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var (user, pid): (UInt32, Int32) = (0, 0)
    // A test that plays the daemon is none.
    return xp_local_peer(descriptor, &user, &pid) && pid != getpid() ? pid : nil
  }

  /// The most that a process ever had in memory, in bytes.
  func peakMemory(_ pid: pid_t) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8) else { return nil }
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
  }

  /// How many files and sockets a process has open.
  func descriptors(_ pid: pid_t) -> Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").count) ?? 0 }

  func connect() throws -> RawSocket {
    let descriptor = xp_local_connect(path("run/socket"))
    guard descriptor >= 0 else { throw POSIXError(.ECONNREFUSED) }
    return RawSocket(descriptor)
  }

  /// Begins another run of the machine for the processes of the device, none of which may run.
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

  /// Ends what is left: an app that was launched and had nothing to do any more would start daemons for ever.
  func endProcesses() {
    let mark = Data("XFERD_DIR=\(path("run"))".utf8)
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
      guard let pid = pid_t(name), let environment = FileManager.default.contents(atPath: "/proc/\(name)/environ"),
        environment.range(of: mark) != nil, let program = FileManager.default.contents(atPath: "/proc/\(name)/comm"),
        // As the kernel has their names, which it cuts.
        ["xferd", "background-prob", "lifecycle-probe"].contains(where: { program.starts(with: Data($0.utf8)) })
      else { continue }
      kill(pid, SIGKILL)
    }
    killDaemon()
  }

  /// `xferlog replay -o json` of the log, when the daemon has ended.
  func replay() throws -> ReplayResult { try ReplayResult(ToolRun("xferlog", ["replay", "-o", "json", log])) }
}

/// A program that runs beside the test; it does not outlive it.
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

  /// `nil` while it runs; 128 and the signal's number for an end by signal.
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
