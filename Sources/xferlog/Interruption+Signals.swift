import CXferPlatform
import Synchronization
import XferReading

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Handles SIGINT and other signals that ask a command to end. After SIGINT, a command completes its output and exits with 130.
extension Interruption {
  static func prepare() {
    // Ignore SIGPIPE, so that `write` reports a closed pipe as an error.
    signal(SIGPIPE, SIG_IGN)
    handle(SIGINT)
    if isatty(STDERR_FILENO) != 0 {
      var action = sigaction()
      action.setHandler { _ in Interruption.tellOfDelay() }
      sigaction(SIGALRM, &action, nil)
      tellsOfDelay.store(true, ordering: .relaxed)
    }
    // Unblock the signals, because some parents start their children with signals blocked.
    var unblocked = sigset_t()
    sigemptyset(&unblocked)
    for ending in [SIGINT, SIGQUIT, SIGALRM] + endings { sigaddset(&unblocked, ending) }
    pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
  }

  /// The signals other than SIGINT that ask a process to end.
  static let endings = [SIGTERM, SIGHUP]

  /// Treats a signal as a request to end.
  static func handle(_ signal: Int32) {
    var action = sigaction()
    action.setHandler { Interruption.note($0) }
    // SA_RESTART is not set, so a signal makes blocking calls return.
    sigaction(signal, &action, nil)
  }

  /// Treats a signal as a request to end, unless the parent ignores it, as `nohup` does.
  static func handleUnlessIgnored(_ signal: Int32) {
    var action = sigaction()
    if sigaction(signal, nil, &action) == 0, !action.isIgnored { handle(signal) }
  }

  private static func note(_ signal: Int32) {
    // A second signal ends the process immediately, without completing the output.
    if received.exchange(signal, ordering: .relaxed) != 0 {
      if hasScreen.load(ordering: .relaxed) { restoreScreen() }
      _exit(ExitStatus.interrupted.code)
    }
    if signal == SIGINT, tellsOfDelay.load(ordering: .relaxed) { alarm(1) }
  }

  // MARK: Slow ends

  /// Whether the user is told that the process needs time to end, for example because it matches a slow regular expression.
  private static let tellsOfDelay = Atomic<Bool>(false)
  private static let delayMessage: StaticString = "\nxferlog: ending; press Ctrl-C again to end without the rest of the output\n"

  /// Tells that the process has not ended yet, a second after Ctrl-C.
  private static func tellOfDelay() {
    guard !hasScreen.load(ordering: .relaxed) else { return }
    _ = write(STDERR_FILENO, delayMessage.utf8Start, delayMessage.utf8CodeUnitCount)
  }

  // MARK: The terminal's alternate screen

  /// Notes that the alternate screen is in use, which even an immediate end has to restore.
  static func takesScreen() { hasScreen.store(true, ordering: .relaxed) }
  static func leavesScreen() { hasScreen.store(false, ordering: .relaxed) }

  private static let hasScreen = Atomic<Bool>(false)
  /// Shows the cursor, enables line wrapping, and leaves the alternate screen.
  static let endOfScreen: StaticString = "\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"

  /// Restores the terminal with functions that a signal handler may call.
  private static func restoreScreen() {
    xp_terminal_restore(STDIN_FILENO)
    _ = write(STDOUT_FILENO, endOfScreen.utf8Start, endOfScreen.utf8CodeUnitCount)
  }

  /// Ends the process by the received signal with its default action. Returns without a signal, and for SIGINT, after which the command
  /// exits with 130.
  static func endAsSignalled() {
    let signalNumber = received.load(ordering: .relaxed)
    guard signalNumber != 0, signalNumber != SIGINT else { return }
    signal(signalNumber, SIG_DFL)
    raise(signalNumber)
  }
}

extension sigaction {
  /// Whether the signal is ignored.
  fileprivate var isIgnored: Bool {
    #if canImport(Darwin)
      unsafeBitCast(__sigaction_u.__sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    #else
      unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    #endif
  }

  fileprivate mutating func setHandler(_ handler: @escaping @convention(c) (Int32) -> Void) {
    #if canImport(Darwin)
      __sigaction_u.__sa_handler = handler
    #else
      __sigaction_handler.sa_handler = handler
    #endif
  }
}
