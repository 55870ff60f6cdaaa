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

/// The handling of SIGINT, which lets a command complete its output and end with 130.
enum Interruption {
  // A signal handler can access only globals.
  private static let noted = Atomic<Int32>(0)

  static func prepare() {
    // A closed pipe is reported by `write` instead of a signal.
    signal(SIGPIPE, SIG_IGN)
    minds(SIGINT)
    // Some parents start their children with signals blocked.
    var endings = sigset_t()
    sigemptyset(&endings)
    for ending in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&endings, ending) }
    pthread_sigmask(SIG_UNBLOCK, &endings, nil)
  }

  /// Handles a further signal as a request to end.
  static func minds(_ signal: Int32) {
    var action = sigaction()
    action.setHandler { Interruption.note($0) }
    // Without SA_RESTART, so that blocking calls return.
    sigaction(signal, &action, nil)
  }

  private static func note(_ signal: Int32) {
    // A second signal ends the process at once.
    if noted.exchange(signal, ordering: .relaxed) != 0 { _exit(ExitStatus.interrupted.code) }
  }

  static func check() throws {
    if noted.load(ordering: .relaxed) != 0 { throw Interrupted() }
  }

  /// Ends the process by the signal that was handled, as if it had not been handled. Returns for SIGINT, which has an exit code.
  static func endAsSignalled() {
    let noted = noted.load(ordering: .relaxed)
    guard noted != SIGINT else { return }
    signal(noted, SIG_DFL)
    raise(noted)
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
