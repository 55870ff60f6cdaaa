import Foundation
import LogTestSupport
import Testing

/// The exit codes of `xferlog` and their reasons.
@Suite struct ExitCodeTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let arguments: String
    let code: Int32
    /// The text that standard error must contain. An empty text means that standard error must be empty.
    let remark: String
    var input: [UInt8]?
    var environment: [String: String] = [:]

    init(_ arguments: String, _ code: Int32, _ remark: String = "", input: [UInt8]? = nil, environment: [String: String] = [:]) {
      self.arguments = arguments
      self.code = code
      self.remark = remark
      self.input = input
      self.environment = environment
    }

    var testDescription: String { "xferlog \(arguments)" }
  }

  /// The cases. `@` means the directory of the logs that `populate` creates.
  static let cases: [Case] = [
    // Analysed.
    Case("@/run.xlog", 0),
    Case("show @/run.xlog", 0),
    Case("show @/run.xlog/", 0),
    Case("show @/run.xlog/000001.seg", 0),
    Case("show @/run.xlog @/second.xlog", 0, "left out: @/second.xlog is a copy of @/run.xlog"),
    Case("show @/logs", 0),
    Case("show @/*.xlog --session img", 0, "left out: @/beheaded.xlog/000001.seg: "),
    Case("show @/segments", 0),
    Case("show", 0, environment: ["XFERLOG_DIR": "@/run.xlog"]),
    Case("", 0, environment: ["XFERLOG_DIR": "@/run.xlog"]),
    Case("show", 0, environment: ["XDG_STATE_HOME": "@/state"]),
    Case("tail @/run.xlog", 0),
    Case("tail -n 0 @/run.xlog", 0),
    Case("tail -n all @/run.xlog", 0),
    Case("schema", 0),
    Case("schema --json-schema", 0),
    Case("--help", 0),
    Case("-h", 0),
    Case("help show", 0),
    Case("--version", 0),
    Case("show --level debug --utc -o json @/run.xlog", 0),
    Case("show @/flipped.xlog", 0, "incomplete: 1 gap"),
    Case("show @/empty.xlog --allow-empty", 0),
    Case("show @/run.xlog -t none --allow-empty", 0),
    Case("show @/nothing --allow-empty", 0, "left out: @/nothing is an empty directory"),
    Case("show @/nowhere.xlog --allow-empty --strict", 0, "left out: @/nowhere.xlog does not exist"),
    Case("tail @/nowhere.xlog --allow-empty", 0, "left out: @/nowhere.xlog does not exist"),
    Case("stats @/*.nolog --allow-empty", 0, "left out: @/*.nolog matches no file"),
    Case("query level>=error @/nothing --allow-empty", 0, "left out: @/nothing is an empty directory"),
    Case("export --format csv @/nowhere.xlog --allow-empty", 0, "left out: @/nowhere.xlog does not exist"),
    Case("why img/7 @/nothing --allow-empty", 0, "left out: @/nothing is an empty directory"),
    Case("replay --at #3 @/nothing --allow-empty", 0, "left out: @/nothing is an empty directory"),
    Case("diff @/nothing @/nowhere.xlog --allow-empty", 0, "left out: @/nothing is an empty directory"),
    Case("collect @/nothing --allow-empty -o @/none.zip", 0, "there are no events; nothing was collected"),
    Case("collect @/nowhere.xlog --allow-empty -o @/none.zip", 0, "left out: @/nowhere.xlog does not exist"),
    Case("collect @/empty.xlog --allow-empty -o @/none.zip", 0, "there are no events; nothing was collected"),
    Case(
      "collect @/run.xlog -t none --allow-empty -o @/none.zip", 0, "there are no events; nothing was collected",
      environment: ["XDG_STATE_HOME": "@/state"]),
    Case("collect @/nothing -o @/none.zip", 3, "exit 3 (nothing analysed)"),
    Case("collect @/empty.xlog -o @/none.zip", 3, "exit 3 (nothing analysed): the log has no events"),
    Case("metrics @/nothing --allow-empty", 0, "left out: @/nothing is an empty directory"),
    Case("show --allow-empty", 0, "there is no log at @/absent.xlog", environment: ["XFERLOG_DIR": "@/absent.xlog"]),
    Case("show - --allow-empty", 0, "standard input is empty", input: []),
    Case("show @/run.xlog @/text.txt", 0, "left out: @/text.txt: not a log"),
    Case("show @/run.xlog @/nowhere.xlog", 0, "left out: @/nowhere.xlog does not exist"),
    Case("why img/7 @/run.xlog", 0),
    Case("replay --at #3 @/run.xlog", 0),
    Case("replay --at #3 @/flipped.xlog", 0),
    // Wrong usage.
    Case("why", 2, "exit 2 (wrong usage): Missing expected argument '<task>'"),
    Case("why * @/run.xlog", 2, "exit 2 (wrong usage): '*' matches 2 tasks"),
    Case("replay --at whenever @/run.xlog", 2, "exit 2 (wrong usage): 'whenever' is neither an event nor a time"),
    Case("replay --step @/run.xlog", 2, "exit 2 (wrong usage): --step needs a terminal"),
    Case("show --no-such-option", 2, "exit 2 (wrong usage): Unknown option '--no-such-option'"),
    Case("show -l loud @/run.xlog", 2, "exit 2 (wrong usage): The value 'loud' is invalid for '-l <level>'"),
    Case("show -n few @/run.xlog", 2, "exit 2 (wrong usage)"),
    Case("show -n -1 @/run.xlog", 2, "exit 2 (wrong usage)"),
    Case("show -o xml @/run.xlog", 2, "exit 2 (wrong usage)"),
    Case("show --since whenever @/run.xlog", 2, "exit 2 (wrong usage): 'whenever' is not a time"),
    Case("show --until 2026-02-30 @/run.xlog", 2, "there is no such day"),
    Case("show --color blue @/run.xlog", 2, "exit 2 (wrong usage)"),
    Case("tail --timeout soon @/run.xlog", 2, "exit 2 (wrong usage)"),
    Case("tail -f -", 2, "exit 2 (wrong usage): standard input cannot be followed"),
    Case("schema extra", 2, "exit 2 (wrong usage)"),
    // Inputs that exist but are not logs.
    Case("show @/text.txt", 2, "exit 2 (failed): @/text.txt: not a log"),
    Case("show @/others", 2, "contains neither segments (.seg) nor logs (.xlog)"),
    Case("show @/empty.txt", 2, "the file is empty"),
    Case("show /dev/null", 2, "it is a device"),
    Case("show @/beheaded.xlog", 2, "exit 2 (failed): nothing could be read"),
    Case("show -", 2, "standard input is not a log", input: Array("hello, this is text".utf8)),
    // Nothing analysed.
    Case("show @/nowhere.xlog", 3, "exit 3 (nothing analysed): @/nowhere.xlog does not exist"),
    Case("shwo", 3, "'shwo' is neither a log nor a command"),
    Case("show @/nothing", 3, "exit 3 (nothing analysed): @/nothing is an empty directory"),
    Case("why img/9 @/run.xlog", 3, "exit 3 (nothing analysed): 'img/9' matches none of the log's 2 tasks"),
    Case("why img/7 @/nothing", 3, "exit 3 (nothing analysed): @/nothing is an empty directory"),
    Case("replay --at #999 @/run.xlog", 3, "exit 3 (nothing analysed): there is no event #999"),
    Case("replay @/nothing", 3, "exit 3 (nothing analysed): @/nothing is an empty directory"),
    Case("show @/*.nolog", 3, "@/*.nolog matches no file"),
    Case("show @/empty.xlog", 3, "exit 3 (nothing analysed): @/empty.xlog has no events"),
    Case("show @/run.xlog --session none", 3, "exit 3 (nothing analysed): 0 of 18 events matched --session none"),
    Case("show @/run.xlog -l fault -t 9", 3, "0 of 18 events matched --level fault --task 9"),
    Case(
      "show", 3, "there is no log at @/absent.xlog; name a log or set $XFERLOG_DIR",
      environment: ["XFERLOG_DIR": "@/absent.xlog"]),
    Case("show -", 3, "standard input is empty", input: []),
    Case("tail @/nowhere.xlog", 3, "@/nowhere.xlog does not exist"),
    // Incomplete.
    Case("show --strict @/flipped.xlog", 4, "exit 4 (incomplete): 1 gap"),
    Case("show --strict @/run.xlog", 0),
    Case("show --strict @/run.xlog @/text.txt", 4, "1 input left out"),
    Case("show --strict @/flipped.xlog -t 99", 3, "exit 3 (nothing analysed)"),
    // Timed out.
    Case("tail -f --timeout 1ms @/run.xlog", 5, "exit 5 (timed out): --timeout 1ms was reached"),
    Case("tail -f --timeout 1ms @/nowhere.xlog", 5, "waiting for @/nowhere.xlog"),
    Case("tail -f --timeout 1ms @/nothing", 5, "exit 5 (timed out): --timeout 1ms was reached"),
  ]

  /// Creates the logs of the cases.
  private func populate(_ directory: TemporaryDirectory) throws {
    _ = try RecordedLog.sample(in: directory)
    _ = try DamagedLog.flipped(in: directory)
    _ = try DamagedLog.beheaded(in: directory)
    let files = FileManager.default
    for name in ["empty.xlog", "nothing", "others", "logs", "state/xferlog"] {
      try files.createDirectory(atPath: "\(directory.path)/\(name)", withIntermediateDirectories: true)
    }
    for copy in ["second.xlog", "logs/a.xlog", "segments", "state/xferlog/log.xlog"] {
      try files.copyItem(atPath: "\(directory.path)/run.xlog", toPath: "\(directory.path)/\(copy)")
    }
    _ = try directory.write(Array("a text\n".utf8), to: "text.txt")
    _ = try directory.write([], to: "empty.txt")
    _ = try directory.write([], to: "others/empty.txt")
  }

  @Test(arguments: cases)
  func `A command ends with its exit code and a reason`(_ test: Case) throws {
    let directory = TemporaryDirectory()
    try populate(directory)
    let path = directory.path
    func placed(_ text: String) -> String { text.replacing("@/", with: path + "/") }
    let arguments = test.arguments.split(separator: " ").map { placed(String($0)) }
    let run = try ToolRun.xferlog(arguments, input: test.input, environment: test.environment.mapValues(placed))
    #expect(run.status == test.code)
    if test.remark.isEmpty {
      #expect(run.standardError == "")
    } else {
      #expect(run.standardError.contains(placed(test.remark)), "\(run.standardError)")
    }
    if test.code != 0, test.code != 4, test.code != 5 { #expect(run.text.split(separator: "\n").count <= 1) }
  }

  @Test func `There are at least forty cases`() { #expect(Self.cases.count >= 40) }

  @Test func `A segment is read from standard input`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(log)/000001.seg"))
    let spools = TemporaryDirectory()
    let run = try ToolRun.xferlog("show", "--all", "-", input: Array(bytes), environment: ["TMPDIR": spools.path])
    #expect(run.status == 0)
    #expect(run.lines.count == 18)
    #expect(try FileManager.default.contentsOfDirectory(atPath: spools.path).isEmpty)
  }

  @Test func `Standard input is stored in the usual directory if TMPDIR is empty`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let script = """
      cd \(directory.path) && mkfifo pipe
      TMPDIR= $xferlog replay - <pipe >/dev/null & tool=$!
      exec 3>pipe; cat \(log)/000001.seg >&3
      until ls -l /proc/$tool/fd 2>/dev/null | grep -o '/.*xferlog-stdin'; do kill -0 $tool || break; done
      exec 3>&-; wait $tool
      [ $? = 1 ]
      """
    let run = try ToolRun.bash(script)
    #expect(run.status == 0 && run.lines == ["/tmp/xferlog-stdin"], "\(run.text)\(run.standardError)")
  }

  @Test func `Failing to write the output is an error`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    let run = try ToolRun.bash("$xferlog show \(log) > /dev/full")
    #expect(run.status == 2)
    #expect(run.standardError == "xferlog: exit 2 (failed): standard output cannot be written: No space left on device\n")
  }
}
