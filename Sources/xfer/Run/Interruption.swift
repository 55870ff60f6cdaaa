import Foundation
import Synchronization
import XferEngine

/// Catches termination signals such as Ctrl-C, so that transfers end in the log as cancelled and not as lost.
final class Interruption {
  private let first = FirstSignal()

  private static let numbers = [SIGINT, SIGTERM, SIGHUP]

  /// - Parameters:
  ///   - now: the clock that measures the time between two signals.
  ///   - onSignal: Called for the first signal. A later signal ends the process immediately.
  init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }, _ onSignal: @escaping @Sendable () -> Void) {
    TerminationSignals.handle(Self.numbers) { [first] number in
      switch first.note(number, at: now()) {
      // On a thread of its own, so that a later signal ends the process even if cancelling does not return.
      case .first: Thread.detachNewThread { onSignal() }
      case .echo: break
      case .later:
        TerminationSignals.reset(Self.numbers)
        kill(getpid(), number)
      }
    }
  }

  deinit { TerminationSignals.reset(Self.numbers) }

  /// The exit code that a shell reports for the received signal. `nil` when no signal was received.
  var exitCode: Int32? { first.number.map { 128 + $0 } }
}

private final class FirstSignal: Sendable {
  enum Kind { case first, echo, later }

  private let noted = Mutex<(number: Int32, time: ContinuousClock.Instant)?>(nil)

  /// `timeout` and some shells send a signal to a process and to its group, so that it arrives twice. No person repeats Ctrl-C as fast.
  private static let echo: Duration = .milliseconds(100)

  var number: Int32? { noted.withLock { $0?.number } }

  func note(_ number: Int32, at time: ContinuousClock.Instant) -> Kind {
    noted.withLock { noted in
      if let first = noted { return first.time.duration(to: time) < Self.echo ? .echo : .later }
      noted = (number, time)
      return .first
    }
  }
}
