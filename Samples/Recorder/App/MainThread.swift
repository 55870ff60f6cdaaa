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
  func run(until isDone: () -> Bool) {
    while !isDone() {
      arrivals.wait()
      work.withLock { $0.removeFirst() }()
    }
  }
}
