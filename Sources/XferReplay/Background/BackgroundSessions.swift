import XferEvents
package import XferLifecycle

/// The indexes of background sessions and of delivered wakes. Looking them up here is fast even if there are many other sessions.
package struct BackgroundSessions: Sendable {
  private var ofProcess: [Int: [Int]] = [:]
  private var incarnations: [String: [Int]] = [:]
  private var wakesOfProcess: [Int: [Int]] = [:]

  package init() {}

  package var isEmpty: Bool { incarnations.isEmpty }

  /// Returns the indexes of a process's background session objects, in the order of first mention.
  package func places(ofProcess process: Int) -> [Int] { ofProcess[process] ?? [] }

  /// Returns the indexes of all background session objects with an identifier, oldest first.
  package func places(of identifier: String) -> [Int] { incarnations[identifier] ?? [] }

  /// Returns the indexes of the wakes that were delivered to a process, in their order.
  package func wakes(ofProcess process: Int) -> [Int] { wakesOfProcess[process] ?? [] }

  mutating func add(_ session: SessionLifecycle, at place: Int) {
    ofProcess[session.process, default: []].append(place)
    incarnations[session.identifier, default: []].append(place)
  }

  mutating func add(wake: Int, toProcess process: Int) { wakesOfProcess[process, default: []].append(wake) }
}

extension World {
  /// Returns the background session object with an identifier that a process has neither invalidated nor released; `nil` if there
  /// is none.
  package func backgroundSession(_ identifier: String, ofProcess process: Int) -> SessionLifecycle? {
    placeOfBackgroundSession(identifier, ofProcess: process).map { sessions[$0] }
  }

  func placeOfBackgroundSession(_ identifier: String, ofProcess process: Int) -> Int? {
    background.places(ofProcess: process).last {
      sessions[$0].identifier == identifier && sessions[$0].invalidated == nil && sessions[$0].released == nil
    }
  }

  /// Returns the indexes of the open tasks of all sessions with an identifier. Such tasks may belong to several processes,
  /// because both the app and the daemon write about them.
  package func openTasks(ofSession identifier: String) -> [Int] {
    tasks.indexes.filter { tasks[$0].identity.session == identifier }
  }

  /// Whether a later life of a wake's app handled the events of the wake: it called the handler of another wake for the session, or
  /// received all the session's events without a wake.
  package func handledLater(_ wake: WakeLifecycle, of process: Int) -> Bool {
    guard let session = wake.session else { return false }
    var life = processes[process].nextLife
    while let place = life {
      let wakes = background.wakes(ofProcess: place).filter { self.wakes[$0].session == session }
      if wakes.contains(where: { self.wakes[$0].called != nil }) { return true }
      let isFinished = background.places(ofProcess: place).contains {
        sessions[$0].identifier == session && sessions[$0].eventsFinished != nil
      }
      if wakes.isEmpty, isFinished { return true }
      life = processes[place].nextLife
    }
    return false
  }

  /// Returns the previous life of the same program; `nil` if the log contains none.
  package func lifeBefore(_ process: Int) -> Int? {
    guard let executable = processes[process].executable else { return nil }
    return processes[..<process].lastIndex { $0.executable == executable && $0.firstSeen != nil }
  }

  /// Returns the next life of the same program; `nil` if the log contains none.
  package func lifeAfter(_ process: Int) -> Int? {
    guard let executable = processes[process].executable else { return nil }
    return processes[(process + 1)...].firstIndex { $0.executable == executable && $0.firstSeen != nil }
  }
}
