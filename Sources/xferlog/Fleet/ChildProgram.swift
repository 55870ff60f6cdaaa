import CXferPlatform
import XferLogStore
import XferReading

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A program that runs as a child of this process, with files as its input and output.
struct ChildProgram {
  let process: pid_t

  /// How a child ended.
  enum End: Equatable {
    case exit(Int32)
    case signal(Int32)
  }

  /// Starts a program. Standard error is that of this process.
  ///
  /// - Parameters:
  ///   - path: an absolute path, or the name of a program that is searched for in `PATH`.
  ///   - input: the file that is its standard input; `nil` for this process's own.
  ///   - output: the file that its standard output replaces; `nil` for this process's own.
  init(_ path: String, _ arguments: [String], input: String? = nil, output: String? = nil) throws {
    #if canImport(Darwin)
      var (actions, attributes) = (nil as posix_spawn_file_actions_t?, nil as posix_spawnattr_t?)
    #else
      var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input { posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0) }
    if let output { posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600) }
    // This process ignores SIGPIPE, which a child would inherit.
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var standard = sigset_t()
    sigemptyset(&standard)
    sigaddset(&standard, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &standard)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let problem = posix_spawnp(&process, path, &actions, &attributes, &words, environ)
    if problem == ENOENT {
      throw CommandExit(
        .failed, "\(path) was not found; install it, or print the statements with --dry-run and run them yourself")
    }
    guard problem == 0 else { throw CommandExit(.failed, "\(path) cannot be started: \(systemText(problem))") }
    self.process = process
  }

  /// Waits for any of several children.
  static func waitForAny(of children: [ChildProgram]) throws -> (child: ChildProgram, end: End) {
    while true {
      var status: Int32 = 0
      let ended = waitpid(-1, &status, 0)
      if ended < 0, errno == EINTR {
        try Interruption.check()
        continue
      }
      guard ended > 0 else { throw CommandExit(.failed, "a child process cannot be waited for: \(systemText(errno))") }
      guard let child = children.first(where: { $0.process == ended }) else { continue }
      return (child, status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F))
    }
  }

  /// Ends the child, and waits for it.
  func stop() {
    kill(process, SIGTERM)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }

  /// The path of this program.
  static func ownPath() throws -> String {
    var text = [CChar](repeating: 0, count: 4096)
    let problem = xp_executable_path(&text, text.count)
    guard problem == 0 else { throw CommandExit(.failed, "the path of this program is unknown: \(systemText(problem))") }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The number of processors that are available.
  static var processors: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
