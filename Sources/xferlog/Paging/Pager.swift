import XferReading
import XferRules

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A program such as `less` that shows this process's output page by page. Standard output, and standard error if it is a terminal,
/// are connected to it.
struct Pager {
  private let process: pid_t

  /// Starts the pager that the settings name, and connects the output to it.
  ///
  /// - Returns: `nil` if the command cannot be run or is `cat`. A remark says so, except for the default pager.
  init?(_ settings: Settings, choice: PagingChoice, environment: [String: String]) {
    let (command, origin) = (settings[.pager].text, settings[.pager].origin)
    if command == "cat" { return nil }
    guard Self.isRunnable(command, environment) else {
      if origin != .standard {
        StandardError.remark("the pager '\(command)' (\(origin.text)) was not found; printing without a pager")
      }
      return nil
    }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    guard let process = Self.spawn(command, reading: ends[0], closing: ends[1], Self.variables(environment, choice)) else {
      for end in ends { close(end) }
      return nil
    }
    self.process = process
    close(ends[0])
    dup2(ends[1], STDOUT_FILENO)
    // Remarks would otherwise disturb the pager's screen.
    if isatty(STDERR_FILENO) == 1 { dup2(ends[1], STDERR_FILENO) }
    close(ends[1])
  }

  /// Ends the output and waits until the user leaves the pager.
  func finish() {
    // The pager handles Ctrl-C itself.
    signal(SIGINT, SIG_IGN)
    close(STDOUT_FILENO)
    close(STDERR_FILENO)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }

  /// Whether the first word of a command is a program. A command with quotation marks or variables is left to the shell.
  private static func isRunnable(_ command: String, _ environment: [String: String]) -> Bool {
    guard let word = command.split(separator: " ").first.map(String.init) else { return false }
    if word.contains(where: { "'\"\\$`;&|(){}<>*?[~=#".contains($0) }) { return true }
    if word.contains("/") { return access(word, X_OK) == 0 }
    let path = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    return path.split(separator: ":").contains { access("\($0)/\(word)", X_OK) == 0 }
  }

  /// The environment of the pager. As git does, `less` is told to quit if the text fits one screen, to pass colors through, and to leave
  /// the text on the screen.
  private static func variables(_ environment: [String: String], _ choice: PagingChoice) -> [String: String] {
    environment.merging(["LESS": choice == .always ? "RX" : "FRX", "LV": "-c"]) { own, _ in own }
  }

  private static func spawn(
    _ command: String, reading input: Int32, closing other: Int32, _ environment: [String: String]
  ) -> pid_t? {
    let shell = Spawning(program: "/bin/sh", arguments: ["-c", command], environment: environment)
    let (process, problem) = shell.start { actions in
      posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
      for descriptor in [input, other] { posix_spawn_file_actions_addclose(&actions, descriptor) }
    }
    return problem == 0 ? process : nil
  }
}
