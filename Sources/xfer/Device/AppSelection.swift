import Foundation
import XferEngine

/// Which app is meant: by its program's path, the last part of that, or a process id.
struct AppSelection {
  private let apps: [AppStatus]

  init(_ link: DeviceLink) throws(CommandExit) {
    guard case .apps(let apps) = try link.ask(.apps) else {
      throw CommandExit(DeviceLink.unreachable, "xferd gives another answer than was asked for")
    }
    self.apps = apps
  }

  /// - Throws: when there is none, or more than one.
  func app(_ name: String) throws(CommandExit) -> AppStatus {
    let found = apps.filter { app in
      app.app == name || app.app.split(separator: "/").last.map(String.init) == name
        || app.processes.contains { "\($0.pid)" == name }
    }
    if found.count == 1 { return found[0] }
    if found.isEmpty {
      let known = apps.map(\.app).joined(separator: ", ")
      throw CommandExit(
        DeviceLink.refused, "xferd knows no app \(name)\(known.isEmpty ? ": none has connected yet" : "; it knows \(known)")")
    }
    throw CommandExit(
      DeviceLink.refused, "\(name) may be \(found.map(\.app).joined(separator: " or ")): give the whole path")
  }

  /// - Throws: when the app does not run, or several times.
  func process(_ name: String) throws(CommandExit) -> ProcessStatus {
    let app = try app(name)
    let found = app.processes.filter { "\($0.pid)" == name }
    let meant = found.isEmpty ? app.processes : found
    if meant.count == 1 { return meant[0] }
    if meant.isEmpty { throw CommandExit(DeviceLink.refused, "\(name) does not run") }
    throw CommandExit(
      DeviceLink.refused,
      "\(name) runs several times: give one of the process ids \(meant.map { "\($0.pid)" }.joined(separator: ", "))")
  }
}
