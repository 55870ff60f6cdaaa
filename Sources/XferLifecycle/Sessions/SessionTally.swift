package import XferEvents

/// The numbers of a process's session objects that should be invalidated or released. Background sessions, which live as long as
/// the app, and the shared session are not counted.
package struct SessionTally: Sendable {
  package private(set) var made = 0
  package private(set) var letGo = 0
  package private(set) var first: Fact?
  package private(set) var last: Fact?
  /// The number of live session objects that the process reported when the last one was created.
  package private(set) var counted: Int64?

  package init() {}

  package var live: Int { made - letGo }
  /// The greatest number of session objects that were live at the same time.
  package private(set) var peak = 0

  package mutating func noteMade(_ fact: Fact, counted: Int64?) {
    made += 1
    peak = max(peak, live)
    first = first ?? fact
    last = fact
    self.counted = counted
  }

  package mutating func noteLetGo() { letGo += 1 }
}
