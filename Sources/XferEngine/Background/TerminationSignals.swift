import Synchronization
import XferThreads

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The signals that ask a program to end, such as SIGTERM and Ctrl-C, handled on a thread of their own.
///
/// Signal sources of Dispatch are installed asynchronously, and a signal that arrives in between is lost, so that a program that is
/// asked to end during its start never ends. Here the signal's handler is installed at once, and writes to a pipe.
package enum TerminationSignals {
  // A signal handler can access only globals.
  private static let pipeEnd = Atomic<Int32>(-1)
  private static let body = Mutex<(@Sendable (Int32) -> Void)?>(nil)

  /// Calls a closure for each of these signals from now on, instead of the closure of an earlier call. If the system has no pipe or
  /// thread left, the signals end the process.
  package static func handle(_ numbers: [Int32], _ body: @escaping @Sendable (Int32) -> Void) {
    self.body.withLock { $0 = body }
    guard pipeEnd.load(ordering: .relaxed) >= 0 || start() else { return }
    var caught = sigset_t()
    sigemptyset(&caught)
    for number in numbers {
      signal(number) { TerminationSignals.note($0) }
      sigaddset(&caught, number)
    }
    // Some parents start their children with signals blocked.
    pthread_sigmask(SIG_UNBLOCK, &caught, nil)
  }

  /// Lets each of these signals end the process again.
  package static func reset(_ numbers: [Int32]) { for number in numbers { signal(number, SIG_DFL) } }

  private static func start() -> Bool {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return false }
    let (input, output) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A handler must not wait for the thread.
    _ = fcntl(output, F_SETFL, O_NONBLOCK)
    guard BackgroundThread.start({ receive(input) }) else {
      for end in ends { close(end) }
      return false
    }
    pipeEnd.store(output, ordering: .relaxed)
    return true
  }

  private static func receive(_ input: Int32) {
    var number: UInt8 = 0
    while true {
      let count = read(input, &number, 1)
      if count == 1 { body.withLock { $0 }?(Int32(number)) }
      if count == 0 || count < 0 && errno != EINTR { return }
    }
  }

  private static func note(_ signal: Int32) {
    let error = errno
    var number = UInt8(truncatingIfNeeded: signal)
    _ = write(pipeEnd.load(ordering: .relaxed), &number, 1)
    errno = error
  }
}
