import Synchronization

/// A clock that advances only when the test advances it.
final class ManualTime: Sendable {
  private let time = Mutex(Duration.zero)

  var now: Duration { time.withLock { $0 } }

  func advance(by duration: Duration) { time.withLock { $0 += duration } }
}
