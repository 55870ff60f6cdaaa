internal import Synchronization

/// A limit on the memory that the received frames of several channels use together.
///
/// A frame holds its share from the time its length is known until its message has been processed.
package final class FrameBudget: Sendable {
  private struct State {
    var free: Int
    var isContended = false
  }

  private let state: Mutex<State>

  /// - Parameter bytes: The size of the budget. Must be at least the size of the largest frame, because a larger frame would
  ///   never be received.
  package init(bytes: Int) { state = Mutex(State(free: bytes)) }

  /// Reserves room for a frame.
  ///
  /// - Returns: `nil` if there is not enough room. The budget then counts as contended until a reservation succeeds.
  func take(_ bytes: Int) -> FrameReceipt? {
    let isGranted = state.withLock { state in
      state.isContended = state.free < bytes
      if !state.isContended { state.free -= bytes }
      return !state.isContended
    }
    return isGranted ? FrameReceipt(self, bytes) : nil
  }

  fileprivate func give(_ bytes: Int) { state.withLock { $0.free += bytes } }

  /// Whether a frame is waiting for room.
  var isContended: Bool { state.withLock { $0.isContended } }
}

/// A frame's share of the budget. The share is freed when the last reference is released.
package final class FrameReceipt: Sendable {
  private let budget: FrameBudget
  let bytes: Int

  fileprivate init(_ budget: FrameBudget, _ bytes: Int) { (self.budget, self.bytes) = (budget, bytes) }
  deinit { budget.give(bytes) }
}
