internal import Synchronization

/// The memory that received frames of several channels share, from the first byte of a frame until its message has been processed.
package final class FrameBudget: Sendable {
  private struct State {
    var free: Int
    var isContended = false
  }

  private let state: Mutex<State>

  /// - Parameter bytes: at least the size of the largest frame; otherwise that frame is never received.
  package init(bytes: Int) { state = Mutex(State(free: bytes)) }

  /// - Returns: `nil` if there is no room at present. The budget counts as contended until the next success.
  func take(_ bytes: Int) -> FrameReceipt? {
    let isGranted = state.withLock { state in
      state.isContended = state.free < bytes
      if !state.isContended { state.free -= bytes }
      return !state.isContended
    }
    return isGranted ? FrameReceipt(self, bytes) : nil
  }

  fileprivate func give(_ bytes: Int) { state.withLock { $0.free += bytes } }

  /// Whether a frame waits for room.
  var isContended: Bool { state.withLock { $0.isContended } }
}

/// A frame's share of the budget. Returned when the last reference is released.
package final class FrameReceipt: Sendable {
  private let budget: FrameBudget
  let bytes: Int

  fileprivate init(_ budget: FrameBudget, _ bytes: Int) { (self.budget, self.bytes) = (budget, bytes) }
  deinit { budget.give(bytes) }
}
