package import XferEvents

/// Members that may be unknown, and where and when a fact is.
extension JSONText {
  /// `null` for `nil`.
  package mutating func member(_ name: StaticString, _ value: String?) {
    key(name)
    if let value { string(value) } else { null() }
  }

  package mutating func member(_ name: StaticString, _ value: (some BinaryInteger)?) {
    key(name)
    if let value { integer(value) } else { null() }
  }

  /// A length of time in nanoseconds.
  package mutating func member(_ name: StaticString, _ value: Duration?) { member(name, value?.nanoseconds) }

  /// The wall clock of a fact; `null` when it did not happen, or nobody knows when.
  package mutating func member(_ name: StaticString, _ fact: Fact?) { member(name, fact?.wall.map { "\($0)" }) }

  /// When a fact was, by the clock to show and, as a string, by the one to compare.
  package mutating func time(of fact: Fact) {
    member("time", fact)
    member("mono", fact.monotonic.map { "\($0)" })
  }

  /// Where an event stands, as event documents have it.
  package mutating func source(_ reference: EventReference) {
    beginObject()
    switch reference {
    case .record(let segment, let lane, let sequence):
      member("segment", segment)
      member("lane", lane)
      member("seq", sequence)
    case .line(let file, let line):
      member("file", file)
      member("line", line)
    }
    endObject()
  }
}
