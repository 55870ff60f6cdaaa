import LogTestSupport
import Testing

/// What `tail` and `query` print of one log, at three widths of a terminal and without a terminal. See `Snapshot`.
@Suite(.timeLimit(.minutes(5))) struct TailSnapshotTests {
  /// The name of the snapshot, and the arguments before the log.
  static let commands: [(name: String, arguments: [String])] = [
    ("tail-short", ["tail", "--findings", "-n", "all"]),
    ("tail-wide", ["tail", "--findings", "-n", "all", "-o", "wide"]),
    ("tail-verbose", ["tail", "--findings", "-n", "5", "-o", "verbose"]),
    ("tail-cat", ["tail", "--findings", "-n", "all", "-o", "cat"]),
    ("tail-json", ["tail", "--findings", "-n", "2", "-o", "json"]),
    ("tail-ndjson", ["tail", "--findings", "-n", "4", "-o", "ndjson"]),
    ("tail-logfmt", ["tail", "--findings", "-n", "all", "-o", "logfmt"]),
    ("tail-csv", ["tail", "--findings", "-n", "all", "-o", "csv"]),
    (
      "tail-template",
      [
        "tail", "--findings", "-n", "all", "--template",
        "{time}\\t{level}\\t{task.name}\\t{received}\\t{received:raw}\\t{message}",
      ]
    ),
    ("tail-tasks", ["tail", "--tasks"]),
    ("show-findings", ["show", "--findings", "--level", "error"]),
    ("query-events", ["query", "received>0"]),
    ("query-rows", ["query", "| tasks"]),
  ]

  @Test(arguments: commands)
  func `Output is as recorded at 40, 80 and 200 columns and without a terminal`(
    _ command: (name: String, arguments: [String])
  ) throws {
    let directory = TemporaryDirectory()
    let log = try ShownLog.write(in: directory)
    let arguments = command.arguments + [log]
    let file = try ToolRun.xferlog(arguments)
    #expect(file.status == 0, "\(file.standardError)")
    var text = "== \(command.arguments.joined(separator: " ")), without a terminal\n" + file.text
    for columns in [40, 80, 200] {
      let session = try TerminalSession(arguments, columns: columns, environment: ["TERM": "xterm", "NO_COLOR": "1"])
      #expect(session.wait() == 0, "\(session.errors)")
      text += "== \(columns) columns\n" + (session.text == file.text ? "(the same)\n" : session.text)
    }
    // The thread is the one that the test runs on.
    try Snapshot.expect("forms/\(command.name)", text.replacing(/(thread"?[: ])\d+/) { $0.1 + "1" })
  }

  @Test func `Color adds nothing to the text of any form`() throws {
    let directory = TemporaryDirectory()
    let log = try ShownLog.write(in: directory)
    for command in Self.commands where command.arguments[0] != "query" || command.name == "query-events" {
      let arguments = command.arguments + [log, "--color"]
      let plain = try ToolRun.xferlog(arguments + ["never"]).text
      let colored = try ToolRun.xferlog(arguments + ["always"]).text
      #expect(colored.replacing(/\u{1b}\[[0-9;]*m/, with: "") == plain, "\(command.name)")
    }
  }
}
