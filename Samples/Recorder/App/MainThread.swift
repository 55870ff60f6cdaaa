import Dispatch
import Synchronization
import XferEngine

/// The app's main thread as a delegate executor, which runs callbacks while it waits for a condition.
final class MainThread: DelegateExecutor {
  let name = "main"
  private let work = Mutex<[@Sendable () -> Void]>([])
  private let arrivals = DispatchSemaphore(value: 0)

  func execute(_ work: @escaping @Sendable () -> Void) {
    self.work.withLock { $0.append(work) }
    arrivals.signal()
  }

  /// Runs callbacks until the condition holds. The condition is evaluated before each callback.
  ///
  /// - Parameter limit: The maximum wait for a callback, in seconds. `nil` means unlimited.
  /// - Returns: Whether the condition holds.
  @discardableResult
  func run(within limit: Double? = nil, until isDone: () -> Bool) -> Bool {
    while !isDone() {
      guard arrivals.wait(timeout: limit.map { .now() + $0 } ?? .distantFuture) == .success else { return false }
      work.withLock { $0.removeFirst() }()
    }
    return true
  }
}
