import LogTestSupport
import Synchronization
import XferThreads

/// The thread of the transfer engine. A log has a lane for each thread, so that a log of one thread would not have to be merged.
final class EngineThread: Sendable {
  private enum Work {
    case none
    case run(@Sendable () -> Void)
    case end
  }

  private let work: Monitor<Work>
  private let thread: SystemThread

  init() {
    let work = Monitor(Work.none)
    self.work = work
    thread = SystemThread {
      while true {
        let next = work.wait(atMost: -1) { work -> (@Sendable () -> Void)?? in
          switch work {
          case .none: nil
          case .run(let body): .some(body)
          case .end: .some(nil)
          }
        }
        guard let body = next ?? nil else { return }
        body()
        work.change { $0 = .none }
      }
    }
  }

  /// Calls a closure on the thread, and waits until it returns.
  func run(_ body: @escaping @Sendable () -> Void) {
    work.change { $0 = .run(body) }
    _ = work.wait(atMost: -1) { if case .none = $0 { true } else { nil } }
  }

  func end() {
    work.change { $0 = .end }
    thread.join()
  }
}
