import LogTestSupport
import Testing

/// Advice after mistyped commands and options.
@Suite struct MistypedCommandTests {
  static let lines: [(arguments: [String], status: Int32, message: String)] = [
    (["tial", "-f"], 2, "'tial' is not a command. Did you mean `xferlog tail`?"),
    (["repaly", "--fail-on", "error", "x.xlog"], 2, "'repaly' is not a command. Did you mean `xferlog replay`?"),
    (["shwo"], 3, "'shwo' is neither a log nor a command. Did you mean `xferlog show`?"),
    (["explain", "x"], 2, "'explain' is not a command. Did you mean `xferlog rules explain` or `xferlog baseline explain`?"),
    (["frobnicate"], 3, "'frobnicate' is neither a log nor a command (see xferlog --help)"),
    (
      ["rules", "explian", "lost-completion"], 2,
      "'explian' is not a command of xferlog rules. Did you mean `xferlog rules explain`?"
    ),
    (["help", "repaly"], 2, "'repaly' is not a command. Did you mean `xferlog replay`?"),
    (["help", "zzzzzz"], 2, "'zzzzzz' is not a command. `xferlog --help` lists the commands."),
    (["show", "event=task.created"], 3, "event=task.created does not exist; to select events, run xferlog query CONDITION LOG"),
    (["fleet", "report", "missing.ndjson"], 3, "missing.ndjson cannot be opened: No such file or directory"),
    (["rules", "zzzzzz"], 2, "'zzzzzz' is not a command of xferlog rules. The commands are list, explain, test."),
    (["config", "levle", "a:b=debug"], 2, "'levle' is not a command of xferlog config. Did you mean `xferlog config level`?"),
    (["show", "--colr", "never"], 2, "Unknown option '--colr'. Did you mean '--color'?"),
    (["replay", "--fail-onn", "error"], 2, "Unknown option '--fail-onn'. Did you mean '--fail-on'?"),
    (["config", "level", "--unst", "a"], 2, "Unknown option '--unst'. Did you mean '--unset'?"),
  ]

  @Test(arguments: lines)
  func `A mistyped command or option gets a suggestion`(_ line: (arguments: [String], status: Int32, message: String)) throws {
    let run = try ToolRun.xferlog(line.arguments)
    #expect(run.status == line.status)
    #expect(run.standardError.contains(line.message), "\(run.standardError)")
  }

  @Test func `A mistyped command before a log prints no events`() throws {
    let folder = TemporaryDirectory()
    let log = try RecordedLog.sample(in: folder)
    let run = try ToolRun.xferlog("replya", log)
    #expect(run.status == 2 && run.text.isEmpty, "\(run.text)")
    #expect(run.standardError.contains("'replya' is not a command. Did you mean `xferlog replay`?"), "\(run.standardError)")
  }

  /// The rules of these commands are read only where they are needed.
  @Test(arguments: ["show", "tail", "query *", "export --format ndjson"])
  func `A mistake in an option about rules is no option that is ignored`(_ command: String) throws {
    let folder = TemporaryDirectory()
    let log = try RecordedLog.sample(in: folder)
    for mistake in [["--rules", "nosuch.yaml"], ["--limit", "nosuch.x=1"], ["--limit", "lost-completion.patience=abc"]] {
      let run = try ToolRun.xferlog(command.split(separator: " ").map(String.init) + [log] + mistake)
      #expect(run.status == 2 && run.text.isEmpty && !run.standardError.isEmpty, "\(mistake): \(run.text)")
    }
    #expect(
      try ToolRun.xferlog(command.split(separator: " ").map(String.init) + [log, "--limit", "lost-completion.patience=1s"]).status
        == 0)
  }

  @Test func `A log whose name resembles a command is a log`() throws {
    let folder = TemporaryDirectory()
    let log = try RecordedLog.sample(in: folder, name: "shows")
    let both = try ToolRun(ToolRun.tool, ["shows", "shows"], in: folder.path)
    #expect(both.status == 0 && !both.text.isEmpty, "\(both.standardError)")
    let run = try ToolRun(ToolRun.tool, ["shows", "--frob"], in: folder.path)
    #expect(run.status == 2)
    #expect(!run.standardError.contains("not a command"), "\(run.standardError)")
    #expect(try ToolRun.xferlog(log).status == 0)
  }

  @Test func `xfer suggests commands and options too`() throws {
    let command = try ToolRun("xfer", ["gte", "http://127.0.0.1/"])
    #expect(command.status == 2)
    #expect(command.standardError.contains("'gte' is not a command. Did you mean `xfer get`?"), "\(command.standardError)")
    let option = try ToolRun("xfer", ["get", "--paralel-max", "3", "http://127.0.0.1/"])
    #expect(option.status == 2)
    #expect(option.standardError.contains("Did you mean '--parallel-max'?"), "\(option.standardError)")
  }
}
