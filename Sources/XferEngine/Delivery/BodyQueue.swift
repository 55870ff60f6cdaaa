internal import Synchronization

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A bounded queue of a data task's received bytes, from the engine's thread to the delegate.
///
/// Chunks that arrive while the delegate is busy are joined.
final class BodyQueue: Sendable {
  private struct State {
    var pending = Data()
    /// The number of bytes that the delegate is processing.
    var handedOut = 0
    var isScheduled = false
    var isFull = false
  }

  private let state = Mutex(State())
  /// The number of queued bytes above which the transfer pauses. It continues when fewer than half of this number are queued.
  static let limit = 1 << 20

  enum Acceptance { case schedule, joined, full }

  /// Appends bytes unless the queue is full.
  ///
  /// - Returns: `full` if the bytes were not appended: the transfer must pause until `handedBack` returns `true`. `schedule` if
  ///   a delegate call must be queued; `joined` if one is already queued.
  func append(_ bytes: UnsafeRawBufferPointer) -> Acceptance {
    state.withLock { state in
      let queued = state.pending.count + state.handedOut
      if queued > 0, queued + bytes.count > Self.limit {
        state.isFull = true
        return .full
      }
      state.pending.append(contentsOf: bytes)
      defer { state.isScheduled = true }
      return state.isScheduled ? .joined : .schedule
    }
  }

  /// Removes and returns all queued bytes. Empty after `discard`.
  func take() -> Data {
    state.withLock { state in
      let taken = state.pending
      state.pending = Data()
      state.handedOut = taken.count
      state.isScheduled = false
      return taken
    }
  }

  /// Records that the delegate has processed the bytes it took.
  ///
  /// - Returns: Whether a paused transfer may continue.
  func handedBack() -> Bool {
    state.withLock { state in
      state.handedOut = 0
      guard state.isFull, state.pending.count < Self.limit / 2 else { return false }
      state.isFull = false
      return true
    }
  }

  /// Discards all queued bytes, because the task was cancelled.
  func discard() { state.withLock { $0.pending = Data() } }
}
