package import XferEvents

/// The problems that a process life's log reports about itself or shows.
package struct LogTroubles: Sendable {
  /// The first event `log.opened`, which states the log's levels.
  package private(set) var opened: Fact?
  package private(set) var drops: [Drop] = []
  /// The first calls that waited for the log, at most `limit`. After that, a longer wait replaces the last element.
  package private(set) var stalls: [Stall] = []
  package private(set) var masked: Masked?
  package private(set) var skew: ClockSkew?
  package var details = DetailTrail()
  package var pairs = PairTally()

  /// The events of one family that could not be written for one reason.
  package struct Drop: Sendable {
    package let fact: Fact
    package let family: String
    package let reason: DropReason?
    package fileprivate(set) var count: Int64
    /// Whether lifecycle events are among the dropped ones, rather than only progress and messages; `nil` if unknown.
    package let hasLifecycle: Bool?
  }

  package struct Stall: Sendable {
    /// The event that reports the wait, written after the wait or during a long one.
    package let fact: Fact
    package let elapsed: Duration
    package let work: LogWork?
    package let onMainThread: Bool?
  }

  /// The events that cannot be joined to their subject because the identifying field is masked.
  package struct Masked: Sendable {
    package let first: Fact
    package let field: String
    package fileprivate(set) var count = 1
  }

  /// An effect with an earlier monotonic time than its cause.
  package struct ClockSkew: Sendable {
    package let cause: Fact
    package let effect: Fact
    package let size: Duration

    package init(cause: Fact, effect: Fact, size: Duration) { (self.cause, self.effect, self.size) = (cause, effect, size) }
  }

  package init() {}

  /// The maximum number of stored problems of a kind. A log with more of them must not take more memory.
  private static let limit = 16

  package mutating func apply(_ event: EventView, _ fact: Fact) {
    switch fact.kind {
    case .logOpened: opened = opened ?? fact
    case .logDropped:
      let count = max(0, event.count ?? 0)
      if drops.count >= Self.limit {
        // The numbers of further drops are added to the last one of their family.
        if let last = drops.lastIndex(where: { $0.family == event.family ?? "?" }) {
          drops[last].count = drops[last].count.addingClamped(count)
        }
        return
      }
      drops.append(
        Drop(
          fact: fact, family: event.family ?? "?", reason: event.why, count: count,
          hasLifecycle: event.lifecycle))
    case .logStalled:
      guard let elapsed = event.elapsed else { return }
      let stall = Stall(fact: fact, elapsed: elapsed, work: event.logWork, onMainThread: event.onMainThread)
      if stalls.count < Self.limit { return stalls.append(stall) }
      if elapsed > stalls[Self.limit - 1].elapsed { stalls[Self.limit - 1] = stall }
    default: break
    }
  }

  package mutating func noteMasked(_ field: String, _ fact: Fact) {
    if masked == nil { masked = Masked(first: fact, field: field) } else { masked!.count += 1 }
  }

  /// Notes a clock skew if it is larger than the previous ones.
  package mutating func note(_ skew: ClockSkew) { if self.skew.map({ $0.size < skew.size }) ?? true { self.skew = skew } }
}

/// The first event of each group of events that a level may exclude.
package struct DetailTrail: Sendable {
  package enum Detail: Int, CaseIterable, Sendable {
    case debugMessages, infoMessages, signposts, cacheMisses

    /// One kind of event of this group. All events of a group have the same level.
    package var kind: EventKind {
      switch self {
      case .debugMessages: .messageDebug
      case .infoMessages: .messageInfo
      case .signposts: .signpostBegun
      case .cacheMisses: .cacheMissed
      }
    }

    package init?(_ kind: EventKind) {
      switch kind {
      case .messageDebug: self = .debugMessages
      case .messageInfo: self = .infoMessages
      case .signpostBegun, .signpostEnded, .signpostEmitted: self = .signposts
      case .cacheMissed: self = .cacheMisses
      default: return nil
      }
    }
  }

  private var facts = [Fact?](repeating: nil, count: Detail.allCases.count)

  package init() {}

  package func first(_ detail: Detail) -> Fact? { facts[detail.rawValue] }

  package mutating func note(_ detail: Detail, _ fact: Fact) {
    if facts[detail.rawValue] == nil { facts[detail.rawValue] = fact }
  }
}

/// The numbers of opened and closed pairs, by kind of pair.
package struct PairTally: Sendable {
  package struct Count: Sendable {
    package fileprivate(set) var begun = 0
    package fileprivate(set) var ended = 0
    package fileprivate(set) var first: Fact?
  }

  private var counts = [Count](repeating: Count(), count: EventPair.allCases.count)
  package private(set) var completedTasks = 0

  package init() {}

  package subscript(pair: EventPair) -> Count { counts[pair.rawValue] }

  package mutating func note(_ fact: Fact) {
    switch fact.kind.pairing {
    case .opens(let pair):
      counts[pair.rawValue].begun += 1
      if counts[pair.rawValue].first == nil { counts[pair.rawValue].first = fact }
    case .closes(let pair): counts[pair.rawValue].ended += 1
    case nil: if fact.kind == .taskCompleted { completedTasks += 1 }
    }
  }
}
