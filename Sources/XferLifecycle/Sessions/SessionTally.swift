package import XferEvents

/// The session objects of one process life that are its own to let go: those of background sessions are to stay.
package struct SessionTally: Sendable {
  package private(set) var made = 0
  package private(set) var letGo = 0
  package private(set) var first: Fact?
  package private(set) var last: Fact?
  /// How many were alive when the last was made, as the process counts them.
  package private(set) var counted: Int64?

  package init() {}

  package var live: Int { made - letGo }

  package mutating func noteMade(_ fact: Fact, counted: Int64?) {
    made += 1
    first = first ?? fact
    last = fact
    self.counted = counted
  }

  package mutating func noteLetGo() { letGo += 1 }
}
