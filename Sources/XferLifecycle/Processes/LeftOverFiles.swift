package import XferEvents

/// Temporary files that no longer belong to a task. The value keeps the oldest ones and counts the others.
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

  /// The maximum number of stored files, because a spool that is never cleaned may contain any number.
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

/// A file that a process could not open because the path does not exist.
package struct LostPath: Sendable {
  package let fact: Fact
  package let task: TaskIdentity?
  /// The start of the earlier process life in whose data directory the path lies; `nil` if none is known.
  package let life: Fact?
  /// Whether the file exists below the app's current data directory; `nil` if unknown.
  package let existsHere: Bool?
  /// Whether the log contains enough to identify the data directory of the path.
  package let namesContainer: Bool

  package init(_ fact: Fact, task: TaskIdentity?, life: Fact?, existsHere: Bool?, namesContainer: Bool) {
    (self.fact, self.task, self.life, self.existsHere, self.namesContainer) = (fact, task, life, existsHere, namesContainer)
  }
}
