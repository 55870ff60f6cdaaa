package import XferEvents

/// Which event may stand right behind which, for one subject of a family: the vocabulary's from → to table.
package enum EventOrder {
  /// Whether `next` may follow `previous` (`nil`: be the first).
  package static func allows(_ next: EventKind, after previous: EventKind?) -> Bool {
    let rule = rules[Int(next.rawValue)]
    if rule.any { return true }
    guard let previous else { return rule.first }
    return rule.after.contains(previous)
  }

  private struct Rule: Sendable {
    var any = false
    var first = false
    var after = NumberSet()
  }

  private static let rules: [Rule] = {
    let numbers = Dictionary(uniqueKeysWithValues: Vocabulary.events.map { ($0.name, $0.number) })
    var rules = [Rule](repeating: Rule(any: true), count: Int(numbers.values.max() ?? 0) + 1)
    for event in Vocabulary.events {
      var rule = Rule()
      for name in event.follows {
        switch name {
        case "any": rule.any = true
        case "start": rule.first = true
        default: if let number = numbers[name] { rule.after.insert(Int(number)) }
        }
      }
      rules[Int(event.number)] = rule
    }
    return rules
  }()
}

extension NumberSet {
  @inline(__always)
  fileprivate func contains(_ kind: EventKind) -> Bool { contains(Int(kind.rawValue)) }
}

/// An event that the from → to table does not expect where it stands. A log is evidence: it is kept and reported.
package struct UnexpectedOrder: Hashable, Sendable {
  package let event: Fact
  /// What stood before it; `nil` when it was the first.
  package let previous: EventKind?

  package init(event: Fact, previous: EventKind?) {
    self.event = event
    self.previous = previous
  }
}

/// Where one subject stands within its family.
package struct OrderTracker: Sendable {
  private var last: EventKind?

  package init() {}

  /// - Returns: the event, when it is not expected here.
  @inline(__always)
  package mutating func note(_ fact: Fact) -> UnexpectedOrder? {
    let previous = last
    // Counts of bytes follow each other by the thousand.
    if previous == fact.kind, fact.kind == .attemptBytesReceived || fact.kind == .attemptBytesSent { return nil }
    last = fact.kind
    return EventOrder.allows(fact.kind, after: previous) ? nil : UnexpectedOrder(event: fact, previous: previous)
  }
}
