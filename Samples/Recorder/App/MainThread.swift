import Dispatch
import Synchronization
import XferEngine

/// The app's main thread as delegate executor: it works off callbacks while it waits for something.
final class MainThread: DelegateExecutor {
  let name = "main"
  private let work = Mutex<[@Sendable () -> Void]>([])
  private let arrivals = DispatchSemaphore(value: 0)

  func execute(_ work: @escaping @Sendable () -> Void) {
    self.work.withLock { $0.append(work) }
    arrivals.signal()
  }

  /// Works off what comes until the condition holds; it is asked before each piece of work.
  ///
  /// - Parameter limit: how long it waits for a piece of work, in seconds; `nil` for as long as it takes.
  /// - Returns: whether the condition holds.
  @discardableResult
  func run(within limit: Double? = nil, until isDone: () -> Bool) -> Bool {
    while !isDone() {
      guard arrivals.wait(timeout: limit.map { .now() + $0 } ?? .distantFuture) == .success else { return false }
      work.withLock { $0.removeFirst() }()
    }
    return true
  }
}
