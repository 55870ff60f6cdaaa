package import XferEvents

/// Something that an app said it would send again and again.
package struct BeatLifecycle: Sendable {
  package let name: String
  /// Place of the process life that said so.
  package let process: Int
  /// What is expected, since when; the interval is `nil` when nothing is.
  package private(set) var expected: Fact?
  package private(set) var interval: Duration?
  /// The last that was sent, or else since when one is due.
  package private(set) var last: Fact?
  /// The first time that none came.
  package private(set) var missed: Pause?

  /// Between two beats.
  package struct Pause: Sendable {
    package let since: Fact
    package let until: Fact
  }

  package init(name: String, process: Int) {
    self.name = name
    self.process = process
  }

  /// Time after which a beat counts as missing: timers are late, and half an interval is more than late.
  package var limit: Duration? {
    guard let interval, interval > .zero else { return nil }
    return .nanoseconds(interval.nanoseconds.addingClamped(max(interval.nanoseconds / 2, Self.leastGrace.nanoseconds)))
  }

  private static let leastGrace: Duration = .seconds(5)

  /// - Parameter process: the one that it belongs to.
  package mutating func apply(_ event: EventView, _ fact: Fact, in process: ProcessLifecycle) {
    switch fact.kind {
    case .appBeatExpected:
      let isExpected = event.enabled ?? true
      note(fact, in: process)
      interval = isExpected ? event.interval ?? interval : nil
      (expected, last) = isExpected ? (fact, fact) : (nil, nil)
    case .appBeatSent:
      note(fact, in: process)
      last = fact
    default: break
    }
  }

  private mutating func note(_ fact: Fact, in process: ProcessLifecycle) {
    guard missed == nil, let limit, let last, let since = last.monotonic, let until = fact.monotonic else { return }
    if process.runningTime(from: since, to: until) >= limit.nanoseconds { missed = Pause(since: last, until: fact) }
  }
}
