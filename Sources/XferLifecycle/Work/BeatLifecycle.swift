package import XferEvents

/// A beat: a message that an app sends periodically, as it has announced.
package struct BeatLifecycle: Sendable {
  package let name: String
  /// The index of the process life that announced the beat.
  package let process: Int
  /// The announcement of the beat; `nil` if no beat is expected.
  package private(set) var expected: Fact?
  /// The announced time between two beats; `nil` if no beat is expected.
  package private(set) var interval: Duration?
  /// The last beat, or else the announcement.
  package private(set) var last: Fact?
  /// The first interval in which a beat was missing.
  package private(set) var missed: Pause?

  /// The interval between two beats.
  package struct Pause: Sendable {
    package let since: Fact
    package let until: Fact
  }

  package init(name: String, process: Int) {
    self.name = name
    self.process = process
  }

  /// The time after which a beat counts as missing: the interval and half of it, but at least 5 seconds more than the interval,
  /// because timers may be late.
  package var limit: Duration? {
    guard let interval, interval > .zero else { return nil }
    return .nanoseconds(interval.nanoseconds.addingClamped(max(interval.nanoseconds / 2, Self.leastGrace.nanoseconds)))
  }

  private static let leastGrace: Duration = .seconds(5)

  /// - Parameter process: the process that wrote the event
  package mutating func apply(_ kind: EventModel.Beat, _ event: EventView, _ fact: Fact, in process: ProcessLifecycle) {
    switch kind {
    case .appBeatExpected:
      let isExpected = event.enabled ?? true
      note(fact, in: process)
      interval = isExpected ? event.interval ?? interval : nil
      (expected, last) = isExpected ? (fact, fact) : (nil, nil)
    case .appBeatSent:
      note(fact, in: process)
      last = fact
    }
  }

  private mutating func note(_ fact: Fact, in process: ProcessLifecycle) {
    guard missed == nil, let limit, let last, let since = last.monotonic, let until = fact.monotonic else { return }
    if process.runningTime(from: since, to: until) >= limit.nanoseconds { missed = Pause(since: last, until: fact) }
  }
}
