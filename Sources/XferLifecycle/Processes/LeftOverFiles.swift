package import XferEvents

/// Temporary files that somebody found, for which nobody waits any more: the oldest of them.
package struct LeftOverFiles: Sendable {
  package private(set) var oldest: [File] = []
  package private(set) var count = 0
  package private(set) var size: Int64 = 0

  package struct File: Sendable {
    package let fact: Fact
    package let age: Duration
    package let size: Int64
  }

  package init() {}

  /// A spool that is never swept may hold any number.
  private static let limit = 64

  package mutating func add(_ event: EventView, _ fact: Fact) {
    guard let age = event.age else { return }
    count += 1
    size = size.addingClamped(max(0, event.size ?? 0))
    let place = oldest.firstIndex { $0.age < age } ?? oldest.count
    guard place < Self.limit else { return }
    oldest.insert(File(fact: fact, age: age, size: max(0, event.size ?? 0)), at: place)
    if oldest.count > Self.limit { oldest.removeLast() }
  }
}

/// A file that a process could not open where it had been told that it is.
package struct LostPath: Sendable {
  package let fact: Fact
  package let task: TaskIdentity?
  /// The earlier life whose data directory the path begins with; `nil` where none is known that has it.
  package let life: Fact?
  /// Whether the same file is there below the data directory that the app has now; `nil` when nobody looked.
  package let existsHere: Bool?
  /// Whether the log lets it be told whose directory it was.
  package let namesContainer: Bool

  package init(_ fact: Fact, task: TaskIdentity?, life: Fact?, existsHere: Bool?, namesContainer: Bool) {
    (self.fact, self.task, self.life, self.existsHere, self.namesContainer) = (fact, task, life, existsHere, namesContainer)
  }
}
