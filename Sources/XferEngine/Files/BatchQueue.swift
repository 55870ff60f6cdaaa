internal import Dispatch
internal import Synchronization

/// A queue that passes elements in batches to a function on its own dispatch queue. While one batch is processed, the next
/// accumulates.
package final class BatchQueue<Element: Sendable>: Sendable {
  private struct State {
    var waiting: [Element] = []
    var isRunning = false
  }

  private let state = Mutex(State())
  private let queue: DispatchQueue
  private let work: @Sendable ([Element]) -> Void

  /// - Parameter work: The function that processes one batch at a time, in the order in which the elements were added.
  package init(label: String, work: @escaping @Sendable ([Element]) -> Void) {
    (queue, self.work) = (DispatchQueue(label: label), work)
  }

  /// Adds an element unless the queue is full.
  ///
  /// - Parameter limit: The maximum number of waiting elements.
  /// - Returns: Whether the element was added.
  package func add(_ element: Element, limit: Int = .max) -> Bool {
    let (isTaken, mustStart) = state.withLock { state in
      if state.waiting.count >= limit { return (false, false) }
      state.waiting.append(element)
      defer { state.isRunning = true }
      return (true, !state.isRunning)
    }
    if mustStart { queue.async { self.drain() } }
    return isTaken
  }

  private func drain() {
    while true {
      let batch = state.withLock { state in
        if state.waiting.isEmpty { state.isRunning = false }
        defer { state.waiting.removeAll() }
        return state.waiting
      }
      if batch.isEmpty { return }
      work(batch)
    }
  }
}
