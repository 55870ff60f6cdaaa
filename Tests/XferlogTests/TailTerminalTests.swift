import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferLogStore

/// `xferlog tail -f` on a terminal: silences, bursts of progress and new window sizes.
@Suite(.timeLimit(.minutes(5))) struct TailTerminalTests {
  private static func progress(_ step: Int, of task: TaskIdentity = RecordedLog.task) -> AttemptBytesReceived {
    AttemptBytesReceived(task: task, attempt: 1, received: Int64(step) << 20, expected: 100 << 20)
  }

  @Test func `A burst of progress is one line, which changes in place while it grows`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    let session = try TerminalSession(["tail", "-f", "-n", "1", log.path], columns: 100)
    #expect(session.read { !$0.seen.isEmpty })
    for step in 1...5 {
      log.emit(at: Int64(step * 500), Self.progress(step))
      let text = step == 1 ? "1 MiB of 100 MiB" : "⋮ \(step - 1) more progress"
      #expect(session.read { TerminalModel($0.seen).text.last?.contains(text) == true }, "\(TerminalModel(session.seen).text)")
    }
    log.emit(at: 2600, TaskCancelRequested(task: RecordedLog.task, by: .app))
    #expect(session.read { $0.text.contains("cancel") })
    session.signal(SIGINT)
    #expect(session.wait() == 130)
    let lines = TerminalModel(session.seen).text.filter { $0.contains("MiB") }
    #expect(lines.count == 2)
    #expect(lines.last == "        ⋮ 4 more progress events, 4 MiB in 2s (2 MiB/s)", "\(lines)")
    log.close()
  }

  @Test func `A burst that is shown is complete when the program is interrupted`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    for step in 1...3 { log.emit(at: Int64(step * 500), Self.progress(step)) }
    let session = try TerminalSession(["tail", "-f", "-n", "3", log.path], columns: 100)
    #expect(session.read { $0.text.contains("⋮ 2 more") })
    #expect(!session.text.hasSuffix("\n"))
    session.signal(SIGINT)
    #expect(session.wait() == 130)
    #expect(session.text.hasSuffix("2 more progress events, 2 MiB in 1s (2 MiB/s)\n") || session.text.hasSuffix("\u{1b}[0m\n"))
    log.close()
  }

  @Test func `A remark about the log begins on a line of its own`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    for step in 1...3 { log.emit(at: Int64(step * 500), Self.progress(step)) }
    let session = try TerminalSession(["tail", "-f", "-n", "3", log.path], columns: 100)
    #expect(session.read { $0.text.contains("⋮ 2 more") })
    log.close()
    try FileManager.default.removeItem(atPath: log.path)
    #expect(session.read { $0.text.hasSuffix("\n") })
    session.signal(SIGINT)
    #expect(session.wait() == 130)
  }

  @Test func `Merged progress and drawn silences can be chosen`() throws {
    let directory = TemporaryDirectory()
    let log = try ShownLog.write(in: directory)
    func lines(_ options: String..., columns: Int? = nil) throws -> [String] {
      guard let columns else { return try ToolRun.xferlog(["show", log] + options).lines }
      let session = try TerminalSession(
        ["show", log, "--utc"] + options, columns: columns, environment: ["TERM": "xterm", "NO_COLOR": "1"])
      #expect(session.wait() == 0)
      return session.text.split(separator: "\n").map(String.init)
    }
    let plain = try lines()
    #expect(plain.count { $0.contains("bytesReceived") } == 7 && !plain.contains { $0.hasPrefix("── ") || $0.contains("⋮") })
    let merged = try lines("--merge-progress")
    #expect(merged.contains("        ⋮ 5 more progress events of 2 tasks, 7.6 MiB in 1s (7.6 MiB/s)"), "\(merged)")
    #expect(merged.count == plain.count - 4)
    // The last event is a heartbeat, which `show` leaves out.
    #expect(try lines("--mark-silence", "20s").filter { $0.hasPrefix("── ") } == ["── 30s without an event ──"])
    #expect(
      try lines("--mark-silence", "20s", "--all").filter { $0.hasPrefix("── ") } == [
        "── 30s without an event ──", "── 1m 30s without an event ──",
      ])
    #expect(try lines("--mark-silence", "1m").count == plain.count)
    #expect(
      try lines("--mark-silence", "20s", "-t", "docs/1").filter { $0.hasPrefix("── ") } == ["── 30s without a matching event ──"])
    let terminal = try lines(columns: 200)
    #expect(terminal.contains { $0.contains("⋮ 5 more") } && terminal.contains("── 30s without an event ──"))
    let dumb = try TerminalSession(["show", log], columns: 200, environment: ["TERM": "dumb"])
    #expect(dumb.wait() == 0)
    #expect(!dumb.text.contains("⋮") && !dumb.text.contains("\u{1b}"))
    let same = try lines("--no-merge-progress", "--mark-silence", "never", columns: 200)
    #expect(same.count == plain.count)
  }

  @Test func `Two events of progress are two lines`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    for step in 1...2 { log.emit(at: Int64(step * 500), Self.progress(step)) }
    log.close()
    let run = try ToolRun.xferlog("show", log.path, "--merge-progress")
    #expect(run.lines.count { $0.contains("bytesReceived") } == 2 && !run.text.contains("⋮"))
  }

  @Test func `New lines have the new width of the window`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    let session = try TerminalSession(
      ["tail", "-f", "-n", "1", log.path], columns: 200, environment: ["TERM": "xterm", "NO_COLOR": "1"])
    let long = "a message of many words that does not fit into the width of a small window"
    #expect(session.read { !$0.seen.isEmpty })
    for (step, columns) in [60, 40, 120].enumerated() {
      let start = session.seen.count
      session.resize(columns: columns, rows: 24)
      log.emit(at: Int64(step + 1), AppNoted(intent: "note-\(step)", message: long + " end-\(step)"))
      #expect(session.read { $0.text.contains("end-\(step)") })
      let lines = String(decoding: session.seen[start...], as: UTF8.self).split(separator: "\n")
      #expect(lines.allSatisfy { $0.count <= columns }, "\(columns): \(lines)")
      #expect(lines.contains { $0.count > columns / 2 })
    }
    session.signal(SIGINT)
    #expect(session.wait() == 130)
    log.close()
  }

  @Test func `A chosen width stays when the window changes`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    let session = try TerminalSession(
      ["tail", "-f", "-n", "1", "--width", "50", log.path], columns: 200, environment: ["TERM": "xterm", "NO_COLOR": "1"])
    let long = "a message of many words that does not fit into the width of a small window"
    #expect(session.read { !$0.seen.isEmpty })
    for (step, columns) in [80, 120].enumerated() {
      let start = session.seen.count
      session.resize(columns: columns, rows: 24)
      log.emit(at: Int64(step + 1), AppNoted(intent: "note-\(step)", message: long + " end-\(step)"))
      #expect(session.read { $0.text.contains("end-\(step)") })
      let lines = String(decoding: session.seen[start...], as: UTF8.self).split(separator: "\n")
      #expect(lines.allSatisfy { $0.count <= 50 }, "\(columns): \(lines)")
    }
    session.signal(SIGINT)
    #expect(session.wait() == 130)
    log.close()
  }
}
