import XferLogStore
import XferReading

/// The command-line client of an engine, which runs the statements.
struct EngineClient {
  /// The command line that starts the client.
  let command: String
  let arguments: [String]
  /// Whether the client reads the statements from standard input. Otherwise, the file is its last argument.
  let readsInput: Bool

  init(_ engine: FleetEngine, command: String?, master: String?) {
    switch engine {
    case .spark:
      self.command = command ?? "spark-sql"
      arguments = (master.map { ["--master", $0] } ?? []) + ["-f"]
      readsInput = false
    default:
      self.command = command ?? "clickhouse-client"
      arguments = ["--multiquery"]
      readsInput = true
    }
  }

  func run(_ statements: String) throws {
    let scratch = try ScratchDirectory("xferlog-fleet")
    let file = "\(scratch.path)/statements.sql"
    let text = try ScratchFile.created(file)
    try text.append(statements.utf8)
    try text.flush()
    let words = arguments + (readsInput ? [] : [file])
    // The client's messages about its statements are not verdicts, so they are discarded.
    let child = try ChildProgram(
      "/bin/sh", ["-c", "exec \(command) \"$@\"", "sh"] + words, input: readsInput ? file : "/dev/null", output: "/dev/null")
    let end: ChildProgram.End
    do { end = try ChildProgram.waitForAny(of: [child]).end } catch {
      child.stop()
      throw error
    }
    switch end {
    case .exit(0): return
    case .exit(127):
      throw CommandExit(
        .failed,
        "\(command) was not found; install it, name it with --client, or print the statements with --dry-run and run them yourself"
      )
    case .exit(let code):
      throw CommandExit(.failed, "\(command) failed (exit \(code)), so there are no new verdicts; see its message above")
    case .signal(let number):
      throw CommandExit(.failed, "\(command) was ended by the signal \(number), so there are no new verdicts")
    }
  }
}
