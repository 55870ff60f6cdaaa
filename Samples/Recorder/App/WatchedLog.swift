import Dispatch
import Synchronization
import XferEvents
import XferLogStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// The app's log, with an eye on what passes: it counts the tasks that are over, and can kill the process right behind
/// one event, so that a kill always falls at the same place of the story.
final class WatchedLog: EventSink {
  private let log: EventLog
  private let state = Mutex(State())
  /// Signalled when a session is gone.
  private let releases = DispatchSemaphore(value: 0)

  private struct State {
    var acknowledged = 0
    var isFatal: (@Sendable (any TransferEvent) -> Bool)?
  }

  init(_ log: EventLog) { self.log = log }

  func keeps(_ kind: EventKind) -> Bool { log.keeps(kind) }

  func emit(_ event: some TransferEvent) {
    log.emit(event)
    let isFatal = state.withLock { state in
      if event is TaskAcknowledged { state.acknowledged += 1 }
      return state.isFatal?(event) ?? false
    }
    // From outside and from here it is the same signal: nothing of this process runs after it.
    if isFatal { kill(getpid(), SIGKILL) }
    if event is SessionReleased { releases.signal() }
  }

  /// Waits until a session that was closed is gone: the engine's thread may be the last to hold it.
  func waitForRelease() throws {
    if releases.wait(timeout: .now() + 10) == .success { return }
    throw RecordingError("a session that was closed is still held", advice: "Look for who holds it or one of its tasks.")
  }

  /// Tasks whose completion the app has, so far.
  var acknowledged: Int { state.withLock { $0.acknowledged } }

  /// Kills the process as soon as such an event is in the log.
  func die(after isFatal: @escaping @Sendable (any TransferEvent) -> Bool) { state.withLock { $0.isFatal = isFatal } }
}
