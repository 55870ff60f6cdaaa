import XferEvents
import XferLifecycle
import XferReplay

// The moments at which the task's situation can change next.
extension WhyQuestion {
  private typealias Prospect = WhyAnswer.Prospect

  var prospects: [WhyAnswer.Prospect] {
    [hold, retry, requestLimit, resourceLimit].compactMap(\.self).sorted { one, other in
      (one.remaining ?? .seconds(Int64.max / 2)) < (other.remaining ?? .seconds(Int64.max / 2))
    }
  }

  private var hold: WhyAnswer.Prospect? {
    guard let held = task.held, let reason = task.hold, let terms = task.holdTerms else { return nil }
    let name: String? =
      switch reason {
      case .backoff: "the next attempt"
      case .beginDate: "the earliest begin date"
      case .wakeDelay: "the end of the launch delay"
      case .network, .networkPolicy: "the engine's next check of the network"
      default: nil
      }
    guard let name else { return nil }
    if let until = terms.until { return moment(name, until) }
    return terms.delay.flatMap { moment(name, $0, after: held, .monotonic) }
  }

  private var retry: WhyAnswer.Prospect? {
    guard task.held == nil, let attempt = task.attempt, let ended = attempt.ended, let delay = attempt.retryIn else { return nil }
    return moment("the next attempt", delay, after: ended, .monotonic)
  }

  /// The request timeout. The timeout restarts whenever bytes move, or runs from resume if the session is configured so.
  private var requestLimit: WhyAnswer.Prospect? {
    guard let limit = task.requestTimeout ?? session?.requestTimeout, task.suspended == nil, !process.isSuspended else {
      return nil
    }
    let name = "the request timeout"
    if let attempt = task.attempt, attempt.ended == nil, attempt.challengeOpen == nil, task.held == nil,
      attempt.networkAwaited == nil
    {
      return attempt.lastMovement.flatMap { moment(name, limit, after: $0, .monotonic) }
    }
    guard session?.timeoutOrigin == .resume, task.attempt == nil else { return nil }
    return task.resumed.flatMap { moment(name, limit, after: $0, .monotonic) }
  }

  private var resourceLimit: WhyAnswer.Prospect? {
    guard let limit = task.resourceTimeout ?? session?.resourceTimeout, let resumed = task.resumed else { return nil }
    return moment("the resource timeout", limit, after: resumed, .boottime)
  }

  private func moment(_ name: String, _ wall: WallTime) -> WhyAnswer.Prospect {
    let remaining = story.end?.wall.map { Duration.nanoseconds(wall.nanoseconds.subtractingClamped($0.nanoseconds)) }
    return Prospect(name: name, length: nil, clock: .wall, wall: wall, remaining: remaining)
  }

  private func moment(_ name: String, _ delay: Duration, after fact: Fact, _ clock: WhyAnswer.Prospect.Clock) -> WhyAnswer
    .Prospect?
  {
    let age: Duration? =
      if clock == .boottime, let start = fact.boottime, let end = story.end?.boottime {
        .nanoseconds(end.subtractingClamped(start))
      } else { age(of: fact) }
    let wall = fact.wall.map { WallTime(nanoseconds: $0.nanoseconds.addingClamped(delay.nanoseconds)) }
    return Prospect(name: name, length: delay, clock: clock, wall: wall, remaining: age.map { delay - $0 })
  }
}
