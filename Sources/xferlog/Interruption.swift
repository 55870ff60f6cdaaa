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

/// Notes SIGINT, so that a command can put its affairs in order and end with 130.
enum Interruption {
  // A signal handler reaches nothing but globals.
  private static let noted = Atomic(false)

  static func prepare() {
    // A reader that closes the pipe is found out by write, not by a signal.
    signal(SIGPIPE, SIG_IGN)
    var action = sigaction()
    action.setHandler { _ in Interruption.note() }
    // Without SA_RESTART: what waits is to return.
    sigaction(SIGINT, &action, nil)
    // Some parents start their children with signals blocked.
    var endings = sigset_t()
    sigemptyset(&endings)
    for ending in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&endings, ending) }
    pthread_sigmask(SIG_UNBLOCK, &endings, nil)
  }

  private static func note() {
    // Whoever presses it twice does not want to wait.
    if noted.exchange(true, ordering: .relaxed) { _exit(ExitStatus.interrupted.code) }
  }

  static func check() throws {
    if noted.load(ordering: .relaxed) { throw Interrupted() }
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
