import Dispatch
import Synchronization
import XferEvents
import XferLogStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// The app's log, with an eye on what passes: it counts events, and can kill the process right behind
/// one event, so that a kill always falls at the same place of the story.
final class WatchedLog: EventSink {
  private let log: EventLog
  private let state = Mutex(State())
  /// Signalled when a session is gone.
  private let releases = DispatchSemaphore(value: 0)

  private struct State {
    /// How many events of each kind there were.
    var counts: [EventKind: Int] = [:]
    /// Told of each event while somebody waits for one.
    var listener: (@Sendable () -> Void)?
    var isFatal: (@Sendable (any TransferEvent) -> Bool)?
  }

  init(_ log: EventLog) { self.log = log }

  func keeps(_ kind: EventKind) -> Bool { log.keeps(kind) }

  func emit(_ event: some TransferEvent) {
    log.emit(event)
    let (isFatal, listener) = state.withLock { state in
      state.counts[type(of: event).kind, default: 0] += 1
      return (state.isFatal?(event) ?? false, state.listener)
    }
    // From outside and from here it is the same signal: nothing of this process runs after it.
    if isFatal { kill(getpid(), SIGKILL) }
    if event is SessionReleased { releases.signal() }
    listener?()
  }

  /// Waits until a session that was closed is gone: the engine's thread may be the last to hold it.
  func waitForRelease() throws {
    if releases.wait(timeout: .now() + 10) == .success { return }
    throw RecordingError("a session that was closed is still held", advice: "Look for who holds it or one of its tasks.")
  }

  /// How many events of this kind there have been.
  func count(_ kind: EventKind) -> Int { state.withLock { $0.counts[kind, default: 0] } }

  /// Tasks whose completion the app has, so far.
  var acknowledged: Int { count(.taskAcknowledged) }

  /// Blocks until there have been so many events of this kind, or nothing comes for long.
  func wait(for kind: EventKind, _ count: Int) {
    let arrivals = DispatchSemaphore(value: 0)
    listen { arrivals.signal() }
    while self.count(kind) < count, arrivals.wait(timeout: .now() + 20) == .success {}
    listen(nil)
  }

  /// Calls at each event, until it is told to stop with `nil`.
  func listen(_ listener: (@Sendable () -> Void)?) { state.withLock { $0.listener = listener } }

  /// Kills the process as soon as such an event is in the log.
  func die(after isFatal: @escaping @Sendable (any TransferEvent) -> Bool) { state.withLock { $0.isFatal = isFatal } }
}
