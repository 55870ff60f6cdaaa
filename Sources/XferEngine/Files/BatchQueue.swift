internal import Dispatch
internal import Synchronization

/// Gathers elements and hands them in batches to a function, on a queue of its own. While one batch is worked on, the next one gathers.
package final class BatchQueue<Element: Sendable>: Sendable {
  private struct State {
    var waiting: [Element] = []
    var isRunning = false
  }

  private let state = Mutex(State())
  private let queue: DispatchQueue
  private let work: @Sendable ([Element]) -> Void

  /// - Parameter work: called with one batch at a time, in the order in which the elements were added.
  package init(label: String, work: @escaping @Sendable ([Element]) -> Void) {
    (queue, self.work) = (DispatchQueue(label: label), work)
  }

  /// - Parameter limit: the number of waiting elements above which no more are taken.
  /// - Returns: whether the element was taken.
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
