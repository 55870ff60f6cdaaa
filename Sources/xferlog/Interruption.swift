import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The user pressed Ctrl-C.
package struct Interrupted: Error {}

/// Handles SIGINT and other signals that ask a command to end. After SIGINT, a command completes its output and exits with 130.
enum Interruption {
  // A signal handler can access only globals.
  private static let received = Atomic<Int32>(0)

  static func prepare() {
    // Ignore SIGPIPE, so that `write` reports a closed pipe as an error.
    signal(SIGPIPE, SIG_IGN)
    handle(SIGINT)
    // Unblock the signals, because some parents start their children with signals blocked.
    var endings = sigset_t()
    sigemptyset(&endings)
    for ending in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&endings, ending) }
    pthread_sigmask(SIG_UNBLOCK, &endings, nil)
  }

  /// Treats a signal as a request to end.
  static func handle(_ signal: Int32) {
    var action = sigaction()
    action.setHandler { Interruption.note($0) }
    // SA_RESTART is not set, so a signal makes blocking calls return.
    sigaction(signal, &action, nil)
  }

  private static func note(_ signal: Int32) {
    // A second signal ends the process immediately, without completing the output.
    if received.exchange(signal, ordering: .relaxed) != 0 { _exit(ExitStatus.interrupted.code) }
  }

  /// Whether the user has asked to end.
  static var isPending: Bool { received.load(ordering: .relaxed) != 0 }

  static func check() throws {
    if isPending { throw Interrupted() }
  }

  /// Ends the process by the received signal with its default action. Returns for SIGINT, after which the command
  /// exits with 130.
  static func endAsSignalled() {
    let signalNumber = received.load(ordering: .relaxed)
    guard signalNumber != SIGINT else { return }
    signal(signalNumber, SIG_DFL)
    raise(signalNumber)
  }
}

extension sigaction {
  fileprivate mutating func setHandler(_ handler: @escaping @convention(c) (Int32) -> Void) {
    #if canImport(Darwin)
      __sigaction_u.__sa_handler = handler
    #else
      __sigaction_handler.sa_handler = handler
    #endif
  }
}
