import CXferPlatform
import Foundation
import Synchronization
import XferEngine
import XferEvents

/// Sends device commands to the daemon.
struct DeviceLink {
  private let location: ServiceLocation

  init(environment: [String: String] = ProcessInfo.processInfo.environment.withoutEmptyVariables) {
    location = ServiceLocation(environment: environment, executable: Self.executable)
  }

  /// The path of the running `xfer` program.
  static let executable =
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]

  /// Sends a command to the daemon and returns its answer. Starts the daemon if none is running.
  func ask(_ command: DeviceCommand) throws(CommandExit) -> DeviceAnswer {
    // A daemon that is exiting may accept a connection and close it without reading, so retry.
    for _ in 0..<Self.attempts { if let answer = try askOnce(command) { return answer } }
    throw CommandExit(Self.unreachable, "xferd does not answer: it closed every connection without reading the command")
  }

  private static let attempts = 20

  /// - Returns: The answer, or `nil` when the daemon closed the connection without reading the command.
  private func askOnce(_ command: DeviceCommand) throws(CommandExit) -> DeviceAnswer? {
    let channel = try connect()
    channel.send(AppMessage.hello(Hello(launch: "")))
    var answer: DeviceAnswer?
    var problem: String?
    _ = channel.run { frame, _ in
      switch try? JSONDecoder().decode(DaemonMessage.self, from: frame) {
      case .welcome:
        problem = "the daemon closed the connection"
        channel.send(AppMessage.command(command))
        return true
      case .answered(let given): answer = given
      case .refused(let reason): problem = reason
      case nil: problem = "the daemon's message could not be decoded; install the same version of xfer and xferd"
      default: return true
      }
      return false
    }
    if case .refused(let reason) = answer { throw CommandExit(Self.refused, reason) }
    if answer == nil, let problem { throw CommandExit(Self.unreachable, "xferd does not answer: \(problem)") }
    return answer
  }

  // MARK: Exit codes
  static let refused: Int32 = 1
  static let unreachable: Int32 = 7

  // MARK: The daemon process

  /// The process id of the running daemon. `nil` when none is running.
  var daemon: Int32? {
    let descriptor = xp_local_connect(location.socket)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var (user, pid): (UInt32, Int32) = (0, 0)
    return xp_local_peer(descriptor, &user, &pid) ? pid : nil
  }

  /// Sends a signal to the daemon and waits until its process has ended.
  func endDaemon(_ signal: Int32) {
    guard let daemon else { return }
    kill(daemon, signal)
    while xp_process_exists(daemon) { poll(nil, 0, 5) }
  }

  /// Restarts the simulated device: kills all of its processes with SIGKILL and starts a new boot.
  func restart() throws(CommandExit) {
    guard case .apps(let apps) = try ask(.apps) else { return }
    // Suspend the daemon first, so that it does not observe the apps ending one by one.
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
    let failure = Mutex<String?>(nil)
    for turn in 0..<Self.patience {
      let connection = location.connect(startingDaemon: turn % 20 == 0) { reason in failure.withLock { $0 = reason } }
      switch connection {
      case .connected(let descriptor):
        if let channel = FrameChannel(descriptor, BackgroundProtocol.appLimits, onUnsendable: { _, _ in }) { return channel }
        throw CommandExit(Self.unreachable, "this process has no free file descriptors: raise the limit (ulimit -n)")
      case .untrusted(let reason): throw CommandExit(Self.unreachable, reason)
      case .absent: poll(nil, 0, 50)
      }
    }
    let reason = failure.withLock { $0 } ?? "\(location.program ?? "xferd") was started"
    throw CommandExit(Self.unreachable, "no xferd is listening at \(location.socket): \(reason)")
  }
}
