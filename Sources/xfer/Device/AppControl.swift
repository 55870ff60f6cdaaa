import Foundation
import XferEngine
import XferEvents

/// Actions on apps. Each function returns after its action has taken effect.
struct AppControl {
  let link: DeviceLink

  /// - Parameters:
  ///   - program: The absolute path of the program.
  ///   - environment: The complete environment of the process.
  func launch(_ program: String, _ arguments: [String], environment: [String: String], isBackground: Bool) throws(CommandExit)
    -> Int32
  {
    let program = Program(executable: program, arguments: arguments, environment: environment)
    guard case .launched(let pid) = try link.ask(.launch(program, isBackground: isBackground)) else {
      throw CommandExit(DeviceLink.unreachable, "xferd sent an unexpected answer")
    }
    return pid
  }

  func order(_ order: AppOrder, _ app: String) throws(CommandExit) {
    let pid = try registered(app).pid
    _ = try link.ask(.order(order, process: pid))
    // An app reports its new state itself, after it has finished its transition, so wait until it reports one of these states.
    let wanted: Set<String> = order == .resume ? ["background", "foreground", "running"] : [Self.state(after: order)]
    try until("\(app) is \(wanted.sorted()[0])") { status in
      status.processes.first { $0.pid == pid }.map { wanted.contains($0.state) } ?? true
    }(app)
  }

  private static func state(after order: AppOrder) -> String {
    switch order {
    case .foreground: "foreground"
    case .background, .resume: "background"
    case .suspend: "suspended"
    }
  }

  /// Waits until a newly started process has registered with the daemon, and returns its status.
  private func registered(_ app: String) throws(CommandExit) -> ProcessStatus {
    try until("\(app) has called BackgroundApp.start") { $0.processes.allSatisfy { $0.state != "launching" } }(app)
    return try AppSelection(link).process(app)
  }

  func kill(_ app: String, because reason: ExitReason) throws(CommandExit) {
    let pid = try AppSelection(link).process(app).pid
    _ = try link.ask(.end(process: pid, because: reason.rawValue))
    try waitUntilEnded(app, [pid])
  }

  func forceQuit(_ app: String) throws(CommandExit) {
    let status = try AppSelection(link).app(app)
    _ = try link.ask(.forceQuit(app: status.app))
    try waitUntilEnded(status.app, status.processes.map(\.pid))
  }

  func fire(_ kind: LaunchTrigger.Kind, _ name: String?, _ app: String) throws(CommandExit) {
    _ = try link.ask(.fire(app: try AppSelection(link).app(app).app, kind: kind, name: name))
  }

  private func waitUntilEnded(_ app: String, _ pids: [Int32]) throws(CommandExit) {
    try until("\(app) has ended") { status in !status.processes.contains { pids.contains($0.pid) } }(app)
  }

  private static let patience = 600

  private func until(_ what: String, _ condition: @escaping (AppStatus) -> Bool) -> (String) throws(CommandExit) -> Void {
    { app throws(CommandExit) in
      for _ in 0..<Self.patience {
        // An app that the daemon no longer lists has ended without registering.
        guard let status = try? AppSelection(link).app(app) else { return }
        if condition(status) { return }
        poll(nil, 0, 20)
      }
      throw CommandExit(DeviceLink.refused, "timed out waiting until \(what)")
    }
  }
}
