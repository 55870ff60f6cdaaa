import CXferPlatform
import Foundation
import XferEngine

/// Speaks to the daemon as whoever plays the device.
struct DeviceLink {
  private let location: ServiceLocation

  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    location = ServiceLocation(environment: environment, executable: Self.executable)
  }

  /// This program's own path.
  static let executable =
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]

  /// Asks the daemon, which is started if none serves.
  func ask(_ command: DeviceCommand) throws(CommandExit) -> DeviceAnswer {
    // A daemon that ends may take a connection that it never looks at.
    for _ in 0..<Self.attempts { if let answer = try askOnce(command) { return answer } }
    throw CommandExit(Self.unreachable, "xferd does not answer: it closes each connection")
  }

  private static let attempts = 20

  /// - Returns: `nil` when nobody has looked at the question.
  private func askOnce(_ command: DeviceCommand) throws(CommandExit) -> DeviceAnswer? {
    let channel = try connect()
    channel.send(AppMessage.hello(Hello(launch: "")))
    var answer: DeviceAnswer?
    var problem: String?
    _ = channel.run { frame, _ in
      switch try? JSONDecoder().decode(DaemonMessage.self, from: frame) {
      case .welcome:
        problem = "it closed the connection"
        channel.send(AppMessage.command(command))
        return true
      case .answered(let given): answer = given
      case .refused(let reason): problem = reason
      case nil: problem = "it says what this program does not understand"
      default: return true
      }
      return false
    }
    if case .refused(let reason) = answer { throw CommandExit(Self.refused, reason) }
    if answer == nil, let problem { throw CommandExit(Self.unreachable, "xferd does not answer: \(problem)") }
    return answer
  }

  /// Exit codes: what was asked for cannot be; nobody was there to be asked.
  static let refused: Int32 = 1
  static let unreachable: Int32 = 7

  // MARK: The daemon itself

  /// The process that serves; `nil` when none does.
  var daemon: Int32? {
    let descriptor = xp_local_connect(location.socket)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var (user, pid): (UInt32, Int32) = (0, 0)
    return xp_local_peer(descriptor, &user, &pid) ? pid : nil
  }

  /// Returns when it has ended.
  func endDaemon(_ signal: Int32) {
    guard let daemon else { return }
    kill(daemon, signal)
    while xp_process_exists(daemon) { poll(nil, 0, 5) }
  }

  /// All of the device's processes end at once, and another run of the machine begins.
  func restart() throws(CommandExit) {
    guard case .apps(let apps) = try ask(.apps) else { return }
    // So that nobody sees anybody end.
    if let daemon { kill(daemon, SIGSTOP) }
    let processes = apps.flatMap { $0.processes.map(\.pid) }
    for pid in processes { kill(pid, SIGKILL) }
    endDaemon(SIGKILL)
    for pid in processes { while xp_process_exists(pid) { poll(nil, 0, 5) } }
    let problem = xp_device_restart(location.clock)
    if problem != 0 {
      throw CommandExit(Self.refused, "\(location.clock) cannot be written: \(String(cString: strerror(problem)))")
    }
    _ = try ask(.conditions)
  }

  private static let patience = 200

  private func connect() throws(CommandExit) -> FrameChannel {
    for turn in 0..<Self.patience {
      switch location.connect(startingDaemon: turn % 20 == 0) {
      case .connected(let descriptor):
        if let channel = FrameChannel(descriptor, BackgroundProtocol.appLimits, onUnsendable: { _, _ in }) { return channel }
        throw CommandExit(Self.unreachable, "this process has no descriptors left: raise the limit (ulimit -n)")
      case .untrusted(let reason): throw CommandExit(Self.unreachable, reason)
      case .absent: poll(nil, 0, 50)
      }
    }
    let program = location.program.map { "\($0) was started" } ?? "no xferd is beside this program, in $PATH or in $XFERD"
    throw CommandExit(Self.unreachable, "no xferd serves at \(location.socket), and \(program)")
  }
}
