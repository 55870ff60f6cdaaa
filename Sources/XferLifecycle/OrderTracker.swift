package import XferEvents

/// An event that may not follow the previous one according to the vocabulary. The replay keeps and counts it.
package struct UnexpectedOrder: Hashable, Sendable {
  package let event: Fact
  /// The previous event of the subject; `nil` if this is the first.
  package let previous: EventKind?

  package init(event: Fact, previous: EventKind?) {
    self.event = event
    self.previous = previous
  }
}

/// The last event of one subject, for checking the order of its family's events.
package struct OrderTracker: Sendable {
  private var last: EventKind?

  package init() {}

  /// - Returns: the event if it may not follow the previous one; `nil` otherwise.
  @inline(__always)
  package mutating func note(_ fact: Fact) -> UnexpectedOrder? {
    let previous = last
    // A progress event may follow another one of its kind. The vocabulary is not looked up, because they are frequent.
    if previous == fact.kind, fact.kind.importance == .progress { return nil }
    last = fact.kind
    return fact.kind.mayFollow(previous) ? nil : UnexpectedOrder(event: fact, previous: previous)
  }
}
