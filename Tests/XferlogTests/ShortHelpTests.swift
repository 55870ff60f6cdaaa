import LogTestSupport
import Testing

/// The help of `-h`, which fits one screen.
@Suite struct ShortHelpTests {
  static let commands = [
    [], ["show"], ["tail"], ["replay"], ["why"], ["query"], ["stats"], ["metrics"], ["diff"], ["index"], ["sql"], ["verify"],
    ["salvage"],
    ["import"], ["export"], ["report"], ["serve"], ["collect"], ["fleet"], ["fleet", "replay"],
    ["fleet", "report"], ["fleet", "init"], ["rules"], ["rules", "list"], ["rules", "explain"],
    ["rules", "test"],
    ["emit"], ["config"],
    ["config", "show"],
    ["config", "level"], ["schema"], ["collect-help"], ["tutorial"],
  ]

  @Test(arguments: commands)
  func `The short help fits a screen and has an example`(_ command: [String]) throws {
    for columns in [40, 80, 200] {
      let run = try ToolRun.xferlog(command + ["-h"], environment: ["COLUMNS": "\(columns)"])
      #expect(run.status == 0)
      let lines = run.text.split(separator: "\n", omittingEmptySubsequences: false)
      if columns >= 80 { #expect(lines.count - 1 <= 50, "\(lines.count) lines: \(run.text)") }
      if !command.isEmpty {
        #expect(lines.contains { $0.contains("xferlog \(command.joined(separator: " "))") && $0.hasPrefix("  ") }, "\(run.text)")
      }
      // Examples and labels are not broken.
      let wide = lines.filter { $0.count > columns && !$0.contains("xferlog ") && !$0.hasPrefix("  -") }
      #expect(wide == [], "\(columns)")
      #expect(run.text.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains("--help explains all options"))
    }
  }

  @Test func `An option has one line with its first clause`() throws {
    let help = try ToolRun.xferlog("show", "-h", environment: ["COLUMNS": "80"]).lines
    #expect(help.contains { $0.hasPrefix("  -r, --reverse  ") && $0.hasSuffix("  Print the last event first") }, "\(help)")
    #expect(help.filter { $0.hasPrefix("  --host") }.count == 1)
    #expect(!help.contains { $0.contains("--recovery") })
    #expect(
      help.last == "damaged logs, exit code, logs of other programs." || help.joined(separator: " ").contains("damaged logs"))
  }

  @Test func `The long help explains everything`() throws {
    let help = try ToolRun.xferlog("show", "--help").text
    for option in ["--recovery", "--limit", "--timezone", "--reverse"] { #expect(help.contains(option)) }
    #expect(help.contains("USAGE: xferlog show"))
  }
}
