import CLogTestSupport
package import Foundation

/// A program built with the tests and started as a child process that a test may kill.
package final class ChildProcess {
  package let pid: pid_t
  private var ending: Ending?

  package enum Ending: Equatable {
    case exit(Int32)
    case signal(Int32)
  }

  package init(_ name: String, _ arguments: [String]) {
    let program = Self.directory + "/" + name
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    // Disable backtraces, because a crashing Swift program would start a helper that outlives its parent's SIGKILL.
    var environment: [UnsafeMutablePointer<CChar>?] = [strdup("SWIFT_BACKTRACE=enable=no"), nil]
    defer { for word in environment { free(word) } }
    var pid: pid_t = 0
    let problem = posix_spawn(&pid, program, nil, nil, &words, &environment)
    precondition(problem == 0, "\(program) cannot be started")
    self.pid = pid
  }

  /// The directory of the built tests and programs.
  private static let directory: String = {
    let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    return String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
  }()

  package func kill() { _ = Foundation.kill(pid, SIGKILL) }

  @discardableResult
  package func wait() -> Ending {
    if let ending { return ending }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    let ended: Ending = status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F)
    ending = ended
    return ended
  }

  /// Waits until the process is dead, and leaves it as a zombie for its parent.
  package func waitForDeath() {
    var information = siginfo_t()
    while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
  }

  /// Waits until a SIGSTOP has stopped all threads of the process.
  package func waitForStop() {
    var status: Int32 = 0
    while waitpid(pid, &status, WUNTRACED) < 0, errno == EINTR {}
  }

  /// Whether the process has ended. Does not wait.
  package var hasEnded: Bool {
    if ending != nil { return true }
    var status: Int32 = 0
    guard waitpid(pid, &status, WNOHANG) == pid else { return false }
    ending = status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F)
    return true
  }

  deinit {
    if ending == nil {
      kill()
      wait()
    }
  }
}

/// Forks this process. The child has one thread.
package func forkProcess() -> pid_t { lts_fork() }
