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

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: an absolute path.
  ///   - input: the file that is its standard input.
  ///   - output: the file that its standard output replaces.
  ///   - messages: the file that its standard error replaces; `nil` for the standard error of this process.
  init(_ path: String, _ arguments: [String], input: String, output: String, messages: String? = nil) throws {
    let (process, problem) = Spawning(program: path, arguments: arguments).start { actions in
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0)
      let outputs: [(Int32, String?)] = [(STDOUT_FILENO, output), (STDERR_FILENO, messages)]
      for case let (descriptor, file?) in outputs {
        posix_spawn_file_actions_addopen(&actions, descriptor, file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      }
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
}
