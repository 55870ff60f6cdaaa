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
  private static let noted = Atomic<Int32>(0)

  static func prepare() {
    // A reader that closes the pipe is found out by write, not by a signal.
    signal(SIGPIPE, SIG_IGN)
    minds(SIGINT)
    // Some parents start their children with signals blocked.
    var endings = sigset_t()
    sigemptyset(&endings)
    for ending in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&endings, ending) }
    pthread_sigmask(SIG_UNBLOCK, &endings, nil)
  }

  /// Takes this signal, too, for a wish to end.
  static func minds(_ signal: Int32) {
    var action = sigaction()
    action.setHandler { Interruption.note($0) }
    // Without SA_RESTART: what waits is to return.
    sigaction(signal, &action, nil)
  }

  private static func note(_ signal: Int32) {
    // Whoever presses it twice does not want to wait.
    if noted.exchange(signal, ordering: .relaxed) != 0 { _exit(ExitStatus.interrupted.code) }
  }

  static func check() throws {
    if noted.load(ordering: .relaxed) != 0 { throw Interrupted() }
  }

  /// Ends the process by the signal that it has minded, as it would have without; returns for Ctrl-C, which has a code.
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
