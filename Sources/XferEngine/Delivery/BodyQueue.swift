internal import Synchronization

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Bytes of a data task between the engine's thread and the delegate: joined while the delegate is busy, and bounded.
final class BodyQueue: Sendable {
  private struct State {
    var pending = Data()
    /// Bytes with the delegate right now.
    var handedOut = 0
    var isScheduled = false
    var isFull = false
  }

  private let state = Mutex(State())
  /// Above it the transfer pauses; below half of it, it goes on.
  static let limit = 1 << 20

  enum Acceptance { case schedule, joined, full }

  /// - Returns: `full` when nothing was taken, and the transfer has to wait for `handedBack` to answer `true`.
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

  /// All that is queued; empty when it was discarded.
  func take() -> Data {
    state.withLock { state in
      let taken = state.pending
      state.pending = Data()
      state.handedOut = taken.count
      state.isScheduled = false
      return taken
    }
  }

  /// - Returns: whether a transfer that was told to wait may go on.
  func handedBack() -> Bool {
    state.withLock { state in
      state.handedOut = 0
      guard state.isFull, state.pending.count < Self.limit / 2 else { return false }
      state.isFull = false
      return true
    }
  }

  /// A cancelled task delivers no more.
  func discard() { state.withLock { $0.pending = Data() } }
}
