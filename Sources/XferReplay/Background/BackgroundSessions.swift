import XferEvents
package import XferLifecycle

/// Where the background sessions and the wakes are that a rule looks up: few, among sessions that may be many.
package struct BackgroundSessions: Sendable {
  private var ofProcess: [Int: [Int]] = [:]
  private var incarnations: [String: [Int]] = [:]
  private var wakesOfProcess: [Int: [Int]] = [:]

  package init() {}

  package var isEmpty: Bool { incarnations.isEmpty }

  /// Places of a process's session objects, in the order in which they were first seen.
  package func places(ofProcess process: Int) -> [Int] { ofProcess[process] ?? [] }

  /// Places of all session objects of an identifier, oldest first.
  package func places(of identifier: String) -> [Int] { incarnations[identifier] ?? [] }

  /// Places of the wakes that were delivered to a process, in their order.
  package func wakes(ofProcess process: Int) -> [Int] { wakesOfProcess[process] ?? [] }

  mutating func add(_ session: SessionLifecycle, at place: Int) {
    ofProcess[session.process, default: []].append(place)
    incarnations[session.identifier, default: []].append(place)
  }

  mutating func add(wake: Int, toProcess process: Int) { wakesOfProcess[process, default: []].append(wake) }
}

extension World {
  /// The session object of that identifier that a process has and has not let go; `nil` when it has none.
  package func backgroundSession(_ identifier: String, ofProcess process: Int) -> SessionLifecycle? {
    placeOfBackgroundSession(identifier, ofProcess: process).map { sessions[$0] }
  }

  func placeOfBackgroundSession(_ identifier: String, ofProcess process: Int) -> Int? {
    background.places(ofProcess: process).last {
      sessions[$0].identifier == identifier && sessions[$0].invalidated == nil && sessions[$0].released == nil
    }
  }

  /// The open tasks of a session, by its identifier: daemon and app both write of them, so they are of no one process.
  package func openTasks(ofSession identifier: String) -> [Int] {
    tasks.indexes.filter { tasks[$0].identity.session == identifier }
  }

  /// The life of the same program before a process; `nil` when the log knows none.
  package func lifeBefore(_ process: Int) -> Int? {
    guard let executable = processes[process].executable else { return nil }
    return processes[..<process].lastIndex { $0.executable == executable && $0.firstSeen != nil }
  }

  /// The life of the same program after a process; `nil` when the log knows none.
  package func lifeAfter(_ process: Int) -> Int? {
    guard let executable = processes[process].executable else { return nil }
    return processes[(process + 1)...].firstIndex { $0.executable == executable && $0.firstSeen != nil }
  }
}
