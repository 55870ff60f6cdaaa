internal import Synchronization
public import XferEvents

/// A sign of life or a reading that an app sends at an interval, such as its position.
///
/// The app says what it sends and how often, and notes each time that it has sent it. The log then shows when a beat was late or
/// missing, and why. Sending is the app's own business: a beat transfers nothing.
public final class Beat: Sendable {
  public let name: String
  private let sink: any EventSink
  private let interval = Mutex<Duration?>(nil)

  /// - Parameters:
  ///   - name: The beat's name, the same in each launch of the app.
  ///   - sink: The log.
  public init(name: String, sink: any EventSink) { (self.name, self.sink) = (name, sink) }

  /// Whether the beat is due at an interval.
  public var isExpected: Bool { interval.withLock { $0 != nil } }

  /// Declares that a beat is due every `interval` from now on. Call this at each launch, because the declaration ends with the
  /// process.
  ///
  /// - Parameter interval: The interval. Not positive means that no beat is due.
  public func expect(every interval: Duration) {
    guard interval > .zero else { return stop() }
    self.interval.withLock { $0 = interval }
    sink.emit(AppBeatExpected(name: name, interval: interval, enabled: true))
  }

  /// Notes that the beat was sent.
  public func noteSent() { sink.emit(AppBeatSent(name: name)) }

  /// Declares that no beat is due any more. Has no effect if none was due.
  public func stop() {
    let last = interval.withLock { interval in
      defer { interval = nil }
      return interval
    }
    if let last { sink.emit(AppBeatExpected(name: name, interval: last, enabled: false)) }
  }
}
