/// A rate limiter for background launches of an app. The delay doubles with each consecutive background launch.
///
/// A pure value: the current time in nanoseconds is a parameter.
package struct WakeLimiter: Codable, Sendable, Equatable {
  /// The delay before the second consecutive launch, in nanoseconds. The first launch is not delayed.
  package static let minimumDelay: Int64 = 1_000_000_000
  package static let maximumDelay: Int64 = 3_600_000_000_000
  /// The number of consecutive launches without progress after which the app is not launched any more.
  package static let storm = 6

  private(set) var launches = 0
  private(set) var last: Int64 = 0
  /// The number of consecutive launches in which the app acknowledged no event.
  private(set) var futile = 0

  package init() {}

  /// Returns the time until the app may be launched, in nanoseconds. Zero means that it may be launched now.
  package func delay(now: Int64) -> Int64 {
    guard launches > 0 else { return 0 }
    let shift = min(launches - 1, 12)
    let delay = min(Self.minimumDelay << Int64(shift), Self.maximumDelay)
    return max(0, last + delay - now)
  }

  /// Whether recent launches made no progress. The app is not launched again until the user opens it or it acknowledges an
  /// event.
  package var isStorming: Bool { futile >= Self.storm }

  package mutating func noteLaunch(now: Int64) {
    // After a long time without launches, the delays start over.
    if launches > 0, now - last > 2 * Self.maximumDelay { launches = 0 }
    launches += 1
    futile += 1
    last = now
  }

  /// Records that the app acknowledged an event.
  package mutating func noteProgress() { futile = 0 }

  /// Clears the limits, because the user has the app in the foreground.
  package mutating func reset() { self = WakeLimiter() }
}
