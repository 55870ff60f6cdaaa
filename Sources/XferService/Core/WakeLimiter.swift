/// How soon an app may be launched again: the delay doubles with each launch in which nobody looks at the app.
///
/// Pure; the clock is passed in, in nanoseconds.
package struct WakeLimiter: Codable, Sendable, Equatable {
  /// Before the second launch in a row; the first waits for nothing.
  package static let leastDelay: Int64 = 1_000_000_000
  package static let greatestDelay: Int64 = 3_600_000_000_000
  /// A launch that ends sooner than this without a single acknowledgement was for nothing.
  package static let storm = 6

  private(set) var launches = 0
  private(set) var last: Int64 = 0
  /// Launches in a row that brought the app no event.
  private(set) var futile = 0

  package init() {}

  /// - Returns: nanoseconds until the app may be launched; 0 for now.
  package func delay(now: Int64) -> Int64 {
    guard launches > 0 else { return 0 }
    let shift = min(launches - 1, 12)
    let delay = min(Self.leastDelay << Int64(shift), Self.greatestDelay)
    return max(0, last + delay - now)
  }

  /// Whether launches bring nothing: nobody launches the app any more, until somebody uses it.
  package var isStorming: Bool { futile >= Self.storm }

  package mutating func noteLaunch(now: Int64) {
    // A delay that has passed unused counts no more.
    if launches > 0, now - last > 2 * Self.greatestDelay { launches = 0 }
    launches += 1
    futile += 1
    last = now
  }

  /// The app has taken an event.
  package mutating func noteProgress() { futile = 0 }

  /// The user has the app in front.
  package mutating func reset() { self = WakeLimiter() }
}
