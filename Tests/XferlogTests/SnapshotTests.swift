import Foundation
import LogTestSupport
import Testing

/// The help and the output of all commands, at several widths, on a terminal and elsewhere. See `Snapshot`.
@Suite struct SnapshotTests {
  private static let widths: [UInt16] = [40, 80, 200]

  /// The text of a snapshot in sections, each with a heading.
  private struct Sections {
    private(set) var text = ""

    mutating func add(_ heading: String, _ body: String) {
      text += "===== \(heading) =====\n" + body + (body.hasSuffix("\n") || body.isEmpty ? "" : "\n")
    }
  }

  // MARK: Help

  /// All commands of all programs, read from their lists of subcommands.
  private static let commands: [[String]] = {
    func below(_ command: [String]) -> [[String]] {
      let help = (try? ToolRun(command[0], Array(command.dropFirst()) + ["--help"]).text) ?? ""
      let section = help.split(separator: "\n", omittingEmptySubsequences: false).drop { $0 != "SUBCOMMANDS:" }.dropFirst()
      let lines = section.prefix { !$0.isEmpty }
      let names = lines.filter { !$0.hasPrefix("   ") }.compactMap {
        $0.split(separator: " ").first.map(String.init)
      }
      return [command] + names.flatMap { below(command + [$0]) }
    }
    return ["xferlog", "xfer", "xferd"].flatMap { below([$0]) }
  }()

  @Test(arguments: commands)
  func `The help of a command is the stored one at every width`(_ command: [String]) throws {
    var sections = Sections()
    for option in command[0] == "xferlog" ? ["-h", "--help"] : ["--help"] {
      for columns in Self.widths {
        let run = try ToolRun(command[0], Array(command.dropFirst()) + [option], environment: ["COLUMNS": "\(columns)"])
        #expect(run.status == 0 && run.standardError == "")
        sections.add("\(command.joined(separator: " ")) \(option), \(columns) columns", run.text)
      }
    }
    try Snapshot.expect("help/" + command.joined(separator: "-"), sections.text)
  }

  @Test(arguments: commands.filter { $0[0] == "xferlog" })
  func `The help on a terminal is the same as elsewhere at its width`(_ command: [String]) throws {
    for columns in Self.widths {
      let shown = try Self.onTerminal(["--no-pager"] + Array(command.dropFirst()) + ["--help"], columns)
      #expect(
        shown == (try ToolRun.xferlog(Array(command.dropFirst()) + ["--help"], environment: ["COLUMNS": "\(columns)"]).text))
    }
  }

  @Test func `There is a stored snapshot for every command, and no other`() throws {
    let stored = try FileManager.default.contentsOfDirectory(atPath: Snapshot.folder + "/help").sorted()
    #expect(stored == Self.commands.map { $0.joined(separator: "-") + ".txt" }.sorted())
    #expect(stored.count > 40)
    let outputs = try FileManager.default.contentsOfDirectory(atPath: Snapshot.folder + "/output").sorted()
    #expect(outputs == Self.outputs.map { "\($0.name).txt" }.sorted())
    let forms = try FileManager.default.contentsOfDirectory(atPath: Snapshot.folder + "/forms").sorted()
    #expect(forms == TailSnapshotTests.commands.map { "\($0.name).txt" }.sorted())
  }

  // MARK: Output

  /// Commands on sample logs, whose output is the same in every run.
  static let outputs: [(name: String, arguments: String)] = [
    ("show", "show killed-before-delivery/log.xlog -n 25"),
    ("show-verbose", "show clean-run/log.xlog -n 4 -o verbose"),
    ("show-findings", "show killed-before-delivery/log.xlog --findings --level error"),
    ("tail", "tail killed-before-delivery/log.xlog"),
    ("replay", "replay killed-before-delivery/log.xlog"),
    ("replay-clean", "replay clean-run/log.xlog"),
    ("replay-at", "replay killed-before-delivery/log.xlog --at task:maps/2.transferred"),
    ("why", "why maps/2 killed-before-delivery/log.xlog"),
    ("query", "query event=task.completed clean-run/log.xlog"),
    ("query-table", "query |\u{a0}tasks clean-run/log.xlog"),
    ("stats", "stats clean-run/log.xlog"),
    ("stats-storage", "stats --storage clean-run/log.xlog"),
    ("diff", "diff --no-times clean-run/log.xlog killed-before-delivery/log.xlog"),
    ("verify", "verify clean-run/log.xlog"),
    ("rules-list", "rules list"),
    ("rules-explain", "rules explain lost-completion"),
    ("schema", "schema task.created"),
    ("collect-help", "collect-help apple"),
    ("config", "config --show-origin"),
    ("missing-log", "replay nowhere.xlog"),
    ("mistyped-command", "shwo"),
    ("mistyped-option", "show --colr never"),
  ]

  @Test(arguments: outputs)
  func `The output of a command is the stored one on terminals of every width and elsewhere`(
    _ output: (name: String, arguments: String)
  ) throws {
    let arguments = output.arguments.split(separator: " ").map { String($0).replacing("\u{a0}", with: " ") }
    let samples = ToolRun.checkout + "/Samples"
    var sections = Sections()
    let run = try ToolRun(ToolRun.tool, arguments, environment: ["XFERLOG_PAGING": ""], in: samples)
    sections.add("xferlog \(output.arguments), not on a terminal", run.text)
    if !run.standardError.isEmpty { sections.add("standard error", run.standardError) }
    sections.add("exit code", "\(run.status)")
    for columns in Self.widths {
      sections.add("on a terminal of \(columns) columns", try Self.onTerminal(["--no-pager"] + arguments, columns, in: samples))
    }
    try Snapshot.expect("output/\(output.name)", sections.text)
  }

  /// Returns what a command shows on a terminal without color.
  private static func onTerminal(_ arguments: [String], _ columns: UInt16, in directory: String? = nil) throws -> String {
    let terminal = try PseudoTerminal(
      ToolRun.tool, arguments, environment: ["TERM": "dumb", "XFERLOG_PAGING": ""], in: directory, columns: columns)
    return terminal.finish().text.replacing("\r\n", with: "\n")
  }
}
