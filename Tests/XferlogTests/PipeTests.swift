import Foundation
import LogTestSupport
import Testing
import XferEvents

/// Commands whose output is closed early, and commands that the user interrupts.
@Suite(.timeLimit(.minutes(5))) struct PipeTests {
  /// Returns a log whose output exceeds the capacity of a pipe.
  private func longLog(in directory: TemporaryDirectory) throws -> String {
    let log = try RecordedLog(in: directory, name: "long.xlog")
    for step in 0..<5000 {
      log.emit(at: Int64(step), AttemptBytesReceived(task: RecordedLog.task, attempt: 1, received: Int64(step)))
    }
    log.close()
    return log.path
  }

  @Test(arguments: ["show", "show -o json", "show -o ndjson", "show -o verbose", "show -r", "tail -n all", "tail -n all -f"])
  func `A reader that closes the pipe early is a normal end`(_ command: String) throws {
    let directory = TemporaryDirectory()
    let log = try longLog(in: directory)
    let run = try ToolRun.bash("set -o pipefail; $xferlog \(command) \(log) | head -n 1")
    #expect(run.status == 0)
    #expect(run.lines.count == 1)
    #expect(run.standardError == "")
  }

  @Test func `A replay of many logs whose rows nobody reads fails, because 0 means that all rows were written`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory, name: "short.xlog")
    log.emit(at: 0, TaskResumed(task: RecordedLog.task, by: .app))
    log.close()
    let paths = try directory.write(Array([String](repeating: log.path + "\n", count: 500).joined().utf8), to: "paths.txt")
    let run = try ToolRun.bash("set -o pipefail; $xferlog replay --paths-from \(paths) | head -n 1")
    #expect(run.status == 2)
    #expect(run.standardError.contains("the reader closed standard output before all rows were written"))
  }

  @Test(arguments: ["schema", "schema --json-schema", "--help"])
  func `A document without a reader is a normal end`(_ command: String) throws {
    let run = try ToolRun.bash("set -o pipefail; $xferlog \(command) | true")
    #expect(run.status == 0)
    #expect(run.standardError == "")
  }

  @Test func `A follower ends when its reader closes the pipe, even without another event`() throws {
    let directory = TemporaryDirectory()
    let log = try longLog(in: directory)
    // The output fits the pipe, so no write fails. Only the closed reader can end the command.
    let run = try ToolRun.bash("set -o pipefail; $xferlog tail -f -n 1 \(log) | head -n 1")
    #expect(run.status == 0)
    #expect(run.lines.count == 1)
  }

  @Test func `Ctrl-C ends with 130 after the document was completed`() throws {
    let directory = TemporaryDirectory()
    let log = try longLog(in: directory)
    let follower = try Follower(["tail", "-f", "-n", "2", "-o", "json", log])
    _ = follower.lines { $0.count >= 2 }
    follower.interrupt()
    let lines = follower.rest()
    #expect(lines.last == "]}")
    #expect(try JSONSerialization.jsonObject(with: Data(lines.joined(separator: "\n").utf8)) is [String: Any])
    #expect(follower.status == 130)
  }
}
