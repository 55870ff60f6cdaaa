import Dispatch
import Synchronization
import XferEvents
import XferLogStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// The app's log, wrapped to count events and to kill the process right after a chosen event, so that a kill always occurs at
/// the same point of a recording.
final class WatchedLog: EventSink {
  private let log: EventLog
  private let state = Mutex(State())
  /// A semaphore signalled when a session is released.
  private let releases = DispatchSemaphore(value: 0)

  private struct State {
    /// The number of events of each kind.
    var counts: [EventKind: Int] = [:]
    /// Called for each event while a function waits for an event.
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
    // Send SIGKILL like an external killer, so that no more code of this process runs.
    if isFatal { kill(getpid(), SIGKILL) }
    if event is SessionReleased { releases.signal() }
    listener?()
  }

  /// Waits until an invalidated session is released. The engine's thread may hold the last reference.
  func waitForRelease() throws {
    if releases.wait(timeout: .now() + 10) == .success { return }
    throw RecordingError(
      "a session was not released after its invalidation", advice: "Find the reference to it or to one of its tasks.")
  }

  /// Returns the number of recorded events of a kind.
  func count(_ kind: EventKind) -> Int { state.withLock { $0.counts[kind, default: 0] } }

  /// The number of tasks whose completion the app has received.
  var acknowledged: Int { count(.taskAcknowledged) }

  /// Blocks until the given number of events of a kind is recorded, or no event arrives for 20 seconds.
  func wait(for kind: EventKind, _ count: Int) {
    let arrivals = DispatchSemaphore(value: 0)
    listen { arrivals.signal() }
    while self.count(kind) < count, arrivals.wait(timeout: .now() + 20) == .success {}
    listen(nil)
  }

  /// Sets a function to call for each event. `nil` removes it.
  func listen(_ listener: (@Sendable () -> Void)?) { state.withLock { $0.listener = listener } }

  /// Kills the process as soon as a matching event is in the log.
  func die(after isFatal: @escaping @Sendable (any TransferEvent) -> Bool) { state.withLock { $0.isFatal = isFatal } }
}
