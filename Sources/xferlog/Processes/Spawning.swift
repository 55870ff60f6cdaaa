#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The start of a child process.
struct Spawning {
  #if canImport(Darwin)
    typealias Actions = posix_spawn_file_actions_t?
  #else
    typealias Actions = posix_spawn_file_actions_t
  #endif

  /// The absolute path of the program.
  let program: String
  let arguments: [String]
  /// The child's environment; `nil` for this process's own.
  var environment: [String: String]?

  /// Starts the program.
  ///
  /// - Parameter connect: adds what is done with file descriptors in the child before the program begins.
  /// - Returns: the number of the process; 0 and the errno if it cannot be started.
  func start(_ connect: (inout Actions) -> Void) -> (process: pid_t, problem: Int32) {
    #if canImport(Darwin)
      var (actions, attributes) = (nil as posix_spawn_file_actions_t?, nil as posix_spawnattr_t?)
    #else
      var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    connect(&actions)
    // This process ignores SIGPIPE, which a child would inherit.
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var standard = sigset_t()
    sigemptyset(&standard)
    sigaddset(&standard, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &standard)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = (environment ?? [:]).map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var process: pid_t = 0
    let problem =
      environment == nil
      ? posix_spawn(&process, program, &actions, &attributes, &words, environ)
      : posix_spawn(&process, program, &actions, &attributes, &words, &variables)
    return (problem == 0 ? process : 0, problem)
  }
}
