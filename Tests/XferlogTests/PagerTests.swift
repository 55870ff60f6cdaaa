import Foundation
import LogTestSupport
import Testing

/// Output through a pager, on a pseudo-terminal.
@Suite struct PagerTests {
  private static let log = ToolRun.checkout + "/Samples/hundred-tasks-five-at-a-time/log.xlog"
  /// A pager that marks its lines and takes all of them.
  private static let marking = "sed 's/^/paged: /'"

  /// Runs a command on a terminal.
  private static func run(
    _ arguments: [String], _ environment: [String: String] = [:], columns: UInt16 = 120
  ) throws -> (lines: [String], status: Int32) {
    let terminal = try PseudoTerminal(
      ToolRun.tool, arguments, environment: ["TERM": "dumb", "XFERLOG_PAGING": ""].merging(environment) { $1 }, columns: columns)
    let (text, status) = terminal.finish()
    return (text.replacing("\r\n", with: "\n").split(separator: "\n").map(String.init), status)
  }

  static let commands: [(arguments: [String], status: Int32)] = [
    (["show", log], 0), ([log], 0), (["tail", log], 0), (["replay", log], 1), (["why", "5", log], 0), (["stats", log], 0),
    (["query", "event=task.created", log], 0), (["rules", "list"], 0), (["rules", "explain", "lost-completion"], 0),
    (["schema"], 0),
    (["config"], 0), (["collect-help", "apple"], 0), (["verify", log], 0), (["sql", log, "SELECT 1 AS one"], 0),
    (["--help"], 0), (["show", "--help"], 0), (["show", "-h"], 0), (["help", "config", "show"], 0),
  ]

  @Test(arguments: commands)
  func `A command on a terminal uses the pager, and its exit code stays the same`(_ command: (arguments: [String], status: Int32))
    throws
  {
    let home = TemporaryDirectory()
    let (lines, status) = try Self.run(command.arguments, ["XFERLOG_PAGER": Self.marking, "HOME": home.path])
    #expect(status == command.status)
    #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix("paged: ") }, "\(lines.prefix(3))")
  }

  @Test func `No pager is used with --no-pager, by settings, without a terminal and while following`() throws {
    let pager = ["XFERLOG_PAGER": Self.marking]
    for (arguments, environment) in [
      (["show", Self.log, "--no-pager"], [:]), (["--no-pager", "show", Self.log], [:]), (["--no-pager", Self.log], [:]),
      (["show", Self.log], ["XFERLOG_PAGING": "never"]), (["show", Self.log], ["XFERLOG_PAGER": "cat"]),
      (["tail", "-f", "--timeout", "1ms", Self.log], [:]), (["--version"], [:]), (["--no-pager", "show", "--help"], [:]),
    ] {
      let (lines, _) = try Self.run(arguments, pager.merging(environment) { $1 })
      #expect(!lines.isEmpty && !lines.contains { $0.hasPrefix("paged: ") }, "\(arguments)")
    }
    #expect(try !ToolRun.xferlog("show", Self.log, environment: pager).text.contains("paged: "))
  }

  @Test func `The text is the same with and without a pager, at the width of the terminal`() throws {
    for columns in [60, 120] as [UInt16] {
      let plain = try Self.run(["show", Self.log, "--no-pager"], columns: columns)
      let paged = try Self.run(["show", Self.log], ["PAGER": Self.marking], columns: columns)
      #expect(paged.lines.map { String($0.dropFirst("paged: ".count)) } == plain.lines)
      #expect(plain.lines.contains { $0.count > columns / 2 } && plain.lines.allSatisfy { $0.count <= columns })
    }
    let colored = try Self.run(["show", Self.log], ["PAGER": Self.marking, "TERM": "xterm"])
    #expect(colored.lines.contains { $0.contains("\u{1b}[") })
  }

  @Test func `A pager that quits early ends the command without an error`() throws {
    let (lines, status) = try Self.run(["show", Self.log], ["XFERLOG_PAGER": "head -n 1"])
    #expect(status == 0)
    #expect(lines.count == 1)
  }

  @Test func `A pager that is missing is reported, and the text is printed`() throws {
    let (lines, status) = try Self.run(["show", Self.log, "-n", "1"], ["PAGER": "no-such-pager -x"])
    #expect(status == 0)
    #expect(lines.count == 2)
    #expect(
      lines[0] == "xferlog: the pager 'no-such-pager -x' (environment variable PAGER) was not found; printing without a pager")
    // The default pager may be missing on a small system.
    #expect(try Self.run(["show", Self.log, "-n", "1"], ["PATH": "/nowhere"]).lines.count == 1)
  }

  @Test func `Messages go through the pager, in their place`() throws {
    let (lines, status) = try Self.run(["replay", Self.log], ["XFERLOG_PAGER": Self.marking])
    #expect(status == 1)
    #expect(lines.last?.hasPrefix("paged: xferlog: exit 1 (findings)") ?? false)
  }

  @Test func `less quits by itself if the text fits the screen`() throws {
    let variables = "sh -c 'echo LESS=$LESS LV=$LV; cat >/dev/null'"
    #expect(try Self.run(["show", Self.log], ["PAGER": variables]).lines == ["LESS=FRX LV=-c"])
    #expect(try Self.run(["show", Self.log, "--paging", "always"], ["PAGER": variables]).lines == ["LESS=RX LV=-c"])
    #expect(try Self.run(["show", Self.log], ["PAGER": variables, "LESS": "S"]).lines == ["LESS=S LV=-c"])
    // With the real one, no key has to be pressed.
    let (lines, status) = try Self.run(["show", Self.log, "-n", "2"], ["TERM": "xterm"])
    #expect(status == 0 && lines.count { $0.contains("2026-11-21") } == 2, "\(lines)")
  }

  @Test func `The user leaves less with q, after which the command ends`() throws {
    let terminal = try PseudoTerminal(ToolRun.tool, ["show", Self.log], environment: ["TERM": "xterm", "XFERLOG_PAGING": ""])
    try terminal.wait(for: "process.started")
    try terminal.wait(for: ":")
    terminal.type("q")
    #expect(terminal.finish().status == 0)
  }
}
