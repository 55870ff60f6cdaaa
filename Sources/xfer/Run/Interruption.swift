import Foundation
import Synchronization
import XferEngine

/// Catches termination signals such as Ctrl-C, so that transfers end in the log as cancelled and not as lost.
final class Interruption {
  private let first = FirstSignal()

  private static let numbers = [SIGINT, SIGTERM, SIGHUP]

  /// - Parameter onSignal: Called for the first signal. A second signal ends the process immediately.
  init(_ onSignal: @escaping @Sendable () -> Void) {
    TerminationSignals.handle(Self.numbers) { [first] number in
      TerminationSignals.reset(Self.numbers)
      if first.note(number) { onSignal() } else { kill(getpid(), number) }
    }
  }

  deinit { TerminationSignals.reset(Self.numbers) }

  /// The exit code that a shell reports for the received signal. `nil` when no signal was received.
  var exitCode: Int32? { first.number.map { 128 + $0 } }
}

private final class FirstSignal: Sendable {
  private let noted = Mutex<Int32?>(nil)

  var number: Int32? { noted.withLock { $0 } }

  /// - Returns: Whether this is the first signal.
  func note(_ number: Int32) -> Bool {
    noted.withLock { noted in
      if noted != nil { return false }
      noted = number
      return true
    }
  }
}
