import Foundation
import LogTestSupport
import Testing
import XferEvents

/// Color and width of the output, with and without a terminal.
@Suite struct TerminalTests {
  /// Options and variables, whether the output is a terminal, and whether it is colored.
  static let colors: [(options: String, environment: [String: String], isTerminal: Bool, isColored: Bool)] = [
    ("", [:], false, false),
    ("", ["TERM": "xterm"], false, false),
    ("", ["TERM": "xterm"], true, true),
    ("", ["TERM": "dumb"], true, false),
    ("", ["TERM": "xterm", "NO_COLOR": "1"], true, false),
    ("", ["TERM": "xterm", "NO_COLOR": ""], true, true),
    ("", ["TERM": "xterm", "CLICOLOR": "0"], true, false),
    ("", ["TERM": "xterm", "FORCE_COLOR": "0"], true, false),
    ("", ["CLICOLOR_FORCE": "1"], false, true),
    ("", ["FORCE_COLOR": "1"], false, true),
    ("", ["FORCE_COLOR": "1", "TERM": "dumb"], false, true),
    ("", ["FORCE_COLOR": "1", "NO_COLOR": "1"], false, false),
    ("", ["CLICOLOR_FORCE": "0"], false, false),
    ("--color always", [:], false, true),
    ("--colour always", [:], false, true),
    ("--color=always", ["NO_COLOR": "1", "TERM": "dumb"], false, true),
    ("--color never", ["TERM": "xterm", "FORCE_COLOR": "1"], true, false),
    ("--color auto", ["TERM": "xterm"], true, true),
    ("--color always -o json", ["TERM": "xterm"], true, false),
    ("--color always -o ndjson", ["TERM": "xterm"], true, false),
    ("--color always -o verbose", [:], false, true),
  ]

  @Test(arguments: colors)
  func `Color depends on options, variables and the terminal`(
    _ color: (options: String, environment: [String: String], isTerminal: Bool, isColored: Bool)
  ) throws {
    let directory = TemporaryDirectory()
    let command = "$xferlog show \(try RecordedLog.sample(in: directory)) \(color.options)"
    let run =
      try color.isTerminal
      ? Self.onTerminal(command, environment: color.environment) : ToolRun.bash(command, environment: color.environment)
    #expect(run.status == 0)
    #expect(run.text.contains("\u{1b}[") == color.isColored)
  }

  @Test func `Color adds nothing to the text`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    for format in ["short", "verbose"] {
      let plain = try ToolRun.xferlog("show", log, "-o", format, "--color", "never").text
      let colored = try ToolRun.xferlog("show", log, "-o", format, "--color", "always").text
      #expect(colored != plain)
      #expect(colored.replacing(/\u{1b}\[[0-9;]*m/, with: "") == plain)
    }
  }

  @Test func `A task has one hue, and only errors and faults are red`() throws {
    let directory = TemporaryDirectory()
    let lines = try ToolRun.xferlog("show", RecordedLog.sample(in: directory), "--color", "always").lines
    let hues = Set(lines.filter { $0.contains("img/7") }.compactMap { $0.firstMatch(of: /38;5;(\d+)mimg/)?.1 })
    #expect(hues.count == 1)
    let others = Set(lines.filter { $0.contains("docs/1") }.compactMap { $0.firstMatch(of: /38;5;(\d+)mdocs/)?.1 })
    #expect(others.count == 1 && others != hues)
    // The second one is the fault about full capture.
    #expect(lines.filter { $0.contains("1;31m") }.count == 2)
    #expect(lines.filter { $0.contains("1;31mE") }.count == 1)
  }

  // MARK: Width

  /// Terminal widths, each with the lines of `task.created` of `img/7`.
  static let widths: [(columns: Int, lines: [String])] = [
    (
      150,
      [
        "2026-11-20 14:02:07.118          N img/7            task.created                  download GET https://cdn.example.com/files/o/31337/file.bin"
      ]
    ),
    (
      110,
      [
        "2026-11-20 14:02:07.118          N img/7          created               download GET https://cdn.example.com/f",
        "                                                                        iles/o/31337/file.bin",
      ]
    ),
    (
      100,
      [
        "2026-11-20 14:02:07.118 N img/7          created               download GET https://cdn.example.com/",
        "                                                               files/o/31337/file.bin",
      ]
    ),
    (
      80,
      [
        "14:02:07.118 N img/7        created            download GET https://cdn.example.",
        "                                               com/files/o/31337/file.bin",
      ]
    ),
    (
      60,
      ["14:02:07.118 N img/7 created", "  download GET", "  https://cdn.example.com/files/o/31337/file.bin"]
    ),
    (20, ["14:02:07 N img/7", "  created download", "  GET https://cdn.ex", "  ample.com/files/o/", "  31337/file.bin"]),
  ]

  @Test(arguments: widths)
  func `A narrow terminal omits the delta, the date and families of events, but nothing of a message`(
    _ width: (columns: Int, lines: [String])
  ) throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let run = try Self.onTerminal("stty cols \(width.columns); $xferlog show \(log)", environment: ["TERM": "dumb"])
    let lines = run.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let first = try #require(lines.firstIndex { $0.contains("img/7") })
    #expect(Array(lines[first...].prefix(width.lines.count)) == width.lines)
    #expect(lines.allSatisfy { $0.count <= width.columns })
  }

  @Test(arguments: [80, 100, 150])
  func `The columns of a terminal never shift`(columns: Int) throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    let long = TaskIdentity(uid: TaskUID(high: 1, low: 1), session: "a-session-with-a-rather-long-name", number: 12_345)
    for task in [RecordedLog.task, long] {
      log.emit(at: 1, TaskResumed(task: task))
      log.emit(at: 2, AttemptConnectionAcquired(task: task, attempt: 1, host: "h"))
    }
    log.emit(at: 3, SessionInvalidationRequested(session: "img"))
    log.close()
    let run = try Self.onTerminal(
      "stty cols \(columns); $xferlog show \(log.path) --event '*.resumed' --event '*.connectionAcquired' --event 'session.*'",
      environment: ["TERM": "dumb"])
    let messages = run.lines.filter { $0.contains(" N ") }.compactMap { line in
      ["resumed", "connection to h", "invalidation of img"].compactMap { line.range(of: $0, options: .backwards)?.lowerBound }
        .first
        .map { line.distance(from: line.startIndex, to: $0) }
    }
    #expect(messages.count == 5 && Set(messages).count == 1, "\(run.text)")
  }

  // MARK: Reports

  @Test(arguments: ["replay --fail-on never", "why maps/2", "replay --at maps"])
  func `A report fits the terminal and loses nothing`(command: String) throws {
    let command = command.replacing("--at maps", with: "--at task:maps/2.transferred")
    let plain = try ToolRun.bash("$xferlog \(command) \(Self.sample)").text
    let run = try Self.onTerminal("stty cols 50; $xferlog \(command) \(Self.sample)", environment: ["TERM": "dumb"])
    #expect(run.lines.allSatisfy { $0.count <= 50 }, "\(run.text)")
    func words(_ text: String) -> String { text.filter { !$0.isWhitespace } }
    #expect(words(run.text) == words(plain))
    #expect(plain.split(separator: "\n").contains { $0.count > 50 })
  }

  @Test(arguments: ["replay --fail-on never", "why maps/2"])
  func `A report has color on a terminal, and it says nothing that the text does not say`(command: String) throws {
    func run(_ options: String) throws -> String { try ToolRun.bash("$xferlog \(command) \(options) \(Self.sample)").text }
    let plain = try run("")
    #expect(!plain.contains("\u{1b}"))
    let colored = try run("--color always")
    #expect(colored.contains("\u{1b}[1;31m"))
    #expect(colored.replacing(/\u{1b}\[[0-9;]*m/, with: "") == plain)
    #expect(try !run("--color always -o json").contains("\u{1b}"))
    let terminal = try Self.onTerminal("$xferlog \(command) \(Self.sample)", environment: ["TERM": "xterm"])
    #expect(terminal.text.contains("\u{1b}[1;31m"))
  }

  private static let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Samples/killed-before-delivery/log.xlog").path

  @Test func `Times are local on a terminal and UTC in a pipe`() throws {
    let directory = TemporaryDirectory()
    let command = "stty cols 120 2>&-; $xferlog show \(try RecordedLog.sample(in: directory)) -n 1"
    let environment = ["TERM": "dumb", "TZ": "Asia/Tokyo"]
    #expect(try Self.onTerminal(command, environment: environment).text.hasPrefix("2026-11-20 23:04:22.471 "))
    #expect(try ToolRun.bash(command, environment: environment).text.hasPrefix("2026-11-20 14:04:22.471Z "))
  }

  /// Runs a script whose output is a terminal.
  private static func onTerminal(_ script: String, environment: [String: String]) throws -> ToolRun {
    let run = try ToolRun(
      "/usr/bin/script", ["-qec", script, "/dev/null"], input: nil,
      environment: environment.merging(["xferlog": ToolRun.tool, "SHELL": "/bin/bash"]) { $1 })
    // A terminal translates a line feed to CR LF.
    let output = run.text.replacing("\r\n", with: "\n")
    return ToolRun(standardOutput: Array(output.utf8), standardError: run.standardError, status: run.status)
  }
}
