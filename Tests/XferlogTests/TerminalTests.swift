import Foundation
import LogTestSupport
import Testing
import XferEvents

/// Colour and width, on a terminal and off it.
@Suite struct TerminalTests {
  /// Options, variables, whether on a terminal, whether coloured.
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
  func `Colour is on when it should be`(
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

  @Test func `Colour says nothing that the text does not say`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    for format in ["short", "verbose"] {
      let plain = try ToolRun.xferlog("show", log, "-o", format, "--color", "never").text
      let colored = try ToolRun.xferlog("show", log, "-o", format, "--color", "always").text
      #expect(colored != plain)
      #expect(colored.replacing(/\u{1b}\[[0-9;]*m/, with: "") == plain)
    }
  }

  @Test func `A task keeps its hue, and only errors are red`() throws {
    let directory = TemporaryDirectory()
    let lines = try ToolRun.xferlog("show", RecordedLog.sample(in: directory), "--color", "always").lines
    let hues = Set(lines.filter { $0.contains("img/7") }.compactMap { $0.firstMatch(of: /38;5;(\d+)mimg/)?.1 })
    #expect(hues.count == 1)
    let others = Set(lines.filter { $0.contains("docs/1") }.compactMap { $0.firstMatch(of: /38;5;(\d+)mdocs/)?.1 })
    #expect(others.count == 1 && others != hues)
    // And the fault that says what the log keeps.
    #expect(lines.filter { $0.contains("1;31m") }.count == 2)
    #expect(lines.filter { $0.contains("1;31mE") }.count == 1)
  }

  // MARK: Width

  /// Columns, and the line of `task.created` of `img/7` at that width.
  static let widths: [(columns: Int, line: String)] = [
    (
      140,
      "2026-11-20 14:02:07.118          N img/7        task.created       download GET https://cdn.example.com/files/o/31337/file.bin"
    ),
    (110, "2026-11-20 14:02:07.118          N img/7        task.created       download GET https://cdn.ex…/31337/file.bin"),
    (100, "2026-11-20 14:02:07.118 N img/7        task.created       download GET https://cdn.ex…31337/file.bin"),
    (90, "14:02:07.118 N img/7        task.created       download GET https://cdn.ex…/31337/file.bin"),
    (60, "14:02:07.118 N img/7        task.created       download GET…"),
  ]

  @Test(arguments: widths)
  func `A narrow terminal first loses the distance, then the date, then the middle of addresses`(
    _ width: (columns: Int, line: String)
  ) throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let run = try Self.onTerminal("stty cols \(width.columns); $xferlog show \(log)", environment: ["TERM": "dumb"])
    let line = try #require(run.lines.first { $0.contains("img/7") && $0.contains("task.created") })
    #expect(line == width.line)
    #expect(run.lines.allSatisfy { $0.count <= width.columns })
  }

  @Test func `A terminal shows local time and a pipe UTC`() throws {
    let directory = TemporaryDirectory()
    let command = "stty cols 120 2>&-; $xferlog show \(try RecordedLog.sample(in: directory)) -n 1"
    let environment = ["TERM": "dumb", "TZ": "Asia/Tokyo"]
    #expect(try Self.onTerminal(command, environment: environment).text.hasPrefix("2026-11-20 23:04:22.471 "))
    #expect(try ToolRun.bash(command, environment: environment).text.hasPrefix("2026-11-20 14:04:22.471Z "))
  }

  /// Runs a script with a terminal of its own as its output.
  private static func onTerminal(_ script: String, environment: [String: String]) throws -> ToolRun {
    let run = try ToolRun(
      "/usr/bin/script", ["-qec", script, "/dev/null"], input: nil,
      environment: environment.merging(["xferlog": ToolRun.tool, "SHELL": "/bin/bash"]) { $1 })
    // A terminal turns each line's end into two characters.
    let output = run.text.replacing("\r\n", with: "\n")
    return ToolRun(standardOutput: Array(output.utf8), standardError: run.standardError, status: run.status)
  }
}
