import Foundation
import XferEngine
import XferEvents

/// Finds an app by its program's path, by the last component of the path, or by a process id.
struct AppSelection {
  private let apps: [AppStatus]

  init(_ link: DeviceLink) throws(CommandExit) {
    guard case .apps(let apps) = try link.ask(.apps) else {
      throw CommandExit(DeviceLink.unreachable, "xferd sent an unexpected answer")
    }
    self.apps = apps
  }

  /// - Throws: An error when no app or more than one app matches.
  func app(_ name: String) throws(CommandExit) -> AppStatus {
    let found = apps.filter { app in
      app.app == name || app.app.fileName == name
        || app.processes.contains { "\($0.pid)" == name }
    }
    if found.count == 1 { return found[0] }
    if found.isEmpty {
      let known = apps.map(\.app).joined(separator: ", ")
      throw CommandExit(
        DeviceLink.refused, "xferd knows no app \(name)\(known.isEmpty ? "; no app has connected yet" : "; known apps: \(known)")"
      )
    }
    throw CommandExit(
      DeviceLink.refused, "\(name) is ambiguous (\(found.map(\.app).joined(separator: ", "))): give the full path")
  }

  /// - Throws: An error when the app has no process or more than one process.
  func process(_ name: String) throws(CommandExit) -> ProcessStatus {
    let app = try app(name)
    let found = app.processes.filter { "\($0.pid)" == name }
    let meant = found.isEmpty ? app.processes : found
    if meant.count == 1 { return meant[0] }
    if meant.isEmpty { throw CommandExit(DeviceLink.refused, "\(name) is not running") }
    throw CommandExit(
      DeviceLink.refused,
      "\(name) has several processes: give one of the process ids \(meant.map { "\($0.pid)" }.joined(separator: ", "))")
  }
}
