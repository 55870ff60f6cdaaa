package import XferEvents

/// What a process life's own log says of itself, and what it shows to be wrong with it.
package struct LogTroubles: Sendable {
  /// The log says which levels it has.
  package private(set) var opened: Fact?
  package private(set) var drops: [Drop] = []
  /// The times that the log kept the process waiting, the first few and the longest.
  package private(set) var stalls: [Stall] = []
  package private(set) var masked: Masked?
  package private(set) var skew: ClockSkew?
  package var details = DetailTrail()
  package var pairs = PairTally()

  /// Events that could not be written.
  package struct Drop: Sendable {
    package let fact: Fact
    package let family: String
    package let reason: DropReason?
    package let count: Int64
    /// Whether more is missing than progress and words; `nil` when the writer does not say.
    package let hasLifecycle: Bool?
  }

  package struct Stall: Sendable {
    /// Said when it was over, or had lasted for long.
    package let fact: Fact
    package let elapsed: Duration
    package let work: LogWork?
    package let onMainThread: Bool?
  }

  /// Events that cannot be joined to what they are about, because what would tell is masked.
  package struct Masked: Sendable {
    package let first: Fact
    package let field: String
    package fileprivate(set) var count = 1
  }

  /// An effect whose clock is behind its cause's.
  package struct ClockSkew: Sendable {
    package let cause: Fact
    package let effect: Fact
    package let size: Duration

    package init(cause: Fact, effect: Fact, size: Duration) { (self.cause, self.effect, self.size) = (cause, effect, size) }
  }

  package init() {}

  /// What is wrong throughout must not cost memory.
  private static let limit = 16

  package mutating func apply(_ event: EventView, _ fact: Fact) {
    switch fact.kind {
    case .logOpened: opened = opened ?? fact
    case .logDropped:
      guard drops.count < Self.limit else { return }
      drops.append(
        Drop(
          fact: fact, family: event.family ?? "?", reason: event.why, count: max(0, event.count ?? 0),
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

  /// The largest is kept.
  package mutating func note(_ skew: ClockSkew) { if self.skew.map({ $0.size < skew.size }) ?? true { self.skew = skew } }
}

/// Whether a process wrote anything of what levels leave out.
package struct DetailTrail: Sendable {
  package enum Detail: Int, CaseIterable, Sendable {
    case debugMessages, infoMessages, signposts, cacheMisses

    /// One of its events, whose level is that of all.
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

/// How often what can hang was begun and ended.
package struct PairTally: Sendable {
  package enum Pair: Int, CaseIterable, Sendable {
    case attempt, callback, challenge, redirect, delay, connection, query, assertion, work

    /// What ends it.
    package var end: EventKind {
      switch self {
      case .attempt: .attemptEnded
      case .callback: .deliveryLeft
      case .challenge: .attemptChallengeAnswered
      case .redirect: .attemptRedirectAnswered
      case .delay: .taskDelayAnswered
      case .connection: .sessionConnected
      case .query: .sessionTasksAnswered
      case .assertion: .assertionEnded
      case .work: .appWorkEnded
      }
    }

    /// Whether tasks that are complete show that it did end.
    package var isOfTask: Bool {
      switch self {
      case .attempt, .callback, .challenge, .redirect, .delay: true
      case .connection, .query, .assertion, .work: false
      }
    }
  }

  package struct Count: Sendable {
    package fileprivate(set) var begun = 0
    package fileprivate(set) var ended = 0
    package fileprivate(set) var first: Fact?
  }

  private var counts = [Count](repeating: Count(), count: Pair.allCases.count)
  package private(set) var completedTasks = 0

  package init() {}

  package subscript(pair: Pair) -> Count { counts[pair.rawValue] }

  package mutating func note(_ fact: Fact) {
    switch fact.kind {
    case .attemptStarted: begin(.attempt, fact)
    case .attemptEnded: end(.attempt)
    case .deliveryEntered: begin(.callback, fact)
    case .deliveryLeft: end(.callback)
    case .attemptChallengeReceived: begin(.challenge, fact)
    case .attemptChallengeAnswered: end(.challenge)
    case .attemptRedirectReceived: begin(.redirect, fact)
    case .attemptRedirectAnswered: end(.redirect)
    case .taskDelayAsked: begin(.delay, fact)
    case .taskDelayAnswered: end(.delay)
    case .sessionConnectStarted: begin(.connection, fact)
    case .sessionConnected, .sessionConnectFailed: end(.connection)
    case .sessionTasksQueried: begin(.query, fact)
    case .sessionTasksAnswered: end(.query)
    case .assertionBegun: begin(.assertion, fact)
    case .assertionEnded, .assertionExpired: end(.assertion)
    case .appWorkBegun: begin(.work, fact)
    case .appWorkEnded: end(.work)
    case .taskCompleted: completedTasks += 1
    default: break
    }
  }

  private mutating func begin(_ pair: Pair, _ fact: Fact) {
    counts[pair.rawValue].begun += 1
    if counts[pair.rawValue].first == nil { counts[pair.rawValue].first = fact }
  }

  private mutating func end(_ pair: Pair) { counts[pair.rawValue].ended += 1 }
}
