import Foundation
import LogTestSupport
import Testing
import XferEvents

/// The contract of `xferlog replay --ci`: each invocation has its exit code, and the files agree with it.
@Suite struct JobExitTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let arguments: String
    let code: Int32
    /// The text that standard error must contain.
    let remark: String
    /// Whether the files are written. A command line that cannot be understood writes none.
    let hasFiles: Bool

    init(_ arguments: String, _ code: Int32, _ remark: String = "", hasFiles: Bool = true) {
      (self.arguments, self.code, self.remark, self.hasFiles) = (arguments, code, remark, hasFiles)
    }

    var testDescription: String { "xferlog replay --ci \(arguments)" }
  }

  /// The cases. `@` means the directory of the logs, and `#` the rules of the tests.
  static let cases: [Case] = [
    // No finding counts.
    Case("@/clean.xlog", 0),
    Case("@/clean.xlog --strict", 0),
    Case("@/clean.xlog --fail-on notice", 0),
    Case("@/lost.xlog --fail-on never", 0),
    Case("@/notice.xlog --rules #", 0),
    Case("@/notice.xlog --rules # --fail-on warning --strict", 0),
    Case("@/possible.xlog", 0),
    Case("@/lost.xlog --baseline @/base.yaml", 0),
    Case("@/lost.xlog --suppressions @/suppressions.yaml", 0),
    Case("@/lost.xlog --baseline @/base.yaml --strict", 0),
    Case("@/clean.xlog @/text.txt", 0, "left out: @/text.txt: not a log"),
    Case("@/clean.xlog @/nowhere.xlog", 0, "left out: @/nowhere.xlog does not exist"),
    Case("@/empty.xlog --allow-empty", 0),
    Case("@/clean.xlog --session none --allow-empty", 0),
    Case("@/nothing --allow-empty", 0, "left out: @/nothing is an empty directory"),
    Case("@/nowhere.xlog --allow-empty", 0, "left out: @/nowhere.xlog does not exist"),
    Case("@/*.nolog --allow-empty --strict", 0, "left out: @/*.nolog matches no file"),
    Case("@/clean.xlog --baseline @/base.yaml", 0, "unused entry"),
    Case("@/lost.xlog --session other", 3, "none of the"),
    // Findings.
    Case("@/lost.xlog", 1, "exit 1 (findings): 1 finding: lost-completion"),
    Case("@/lost.xlog --strict", 1),
    Case("@/lost.xlog --fail-on critical", 1),
    Case("@/lost.xlog @/clean.xlog", 1),
    Case("@/lost.xlog @/notice.xlog --rules #", 1, "1 finding: lost-completion"),
    Case("@/notice.xlog --rules # --fail-on notice", 1, "1 finding: noted-notice"),
    Case("@/possible.xlog --fail-on-possible", 1),
    Case("@/lost.xlog --baseline @/empty-base.yaml", 1),
    Case("@/lost.xlog --baseline @/expired.yaml", 1, "expired on 2020-01-31"),
    Case("@/lost.xlog --baseline @/undated.yaml", 1, "which is not a date"),
    Case("@/clean.xlog --baseline @/base.yaml --strict", 1, "1 unused entry"),
    Case("@/lost.xlog @/text.txt --strict", 1),
    Case("@/*.xlog --rules #", 1),
    // Unusable input.
    Case("@/text.txt", 2, "not a log"),
    Case("@/text.txt @/nothing --allow-empty", 2, "not a log"),
    Case("@/others", 2, "contains neither segments"),
    Case("@/beheaded.xlog", 2, "exit 2 (failed)"),
    // Wrong usage and unusable files of the user.
    Case("@/clean.xlog --fail-on everything", 2, "exit 2 (wrong usage)", hasFiles: false),
    Case("@/clean.xlog --anchor /etc/passwd", 2, "not a file of the repository", hasFiles: false),
    Case("@/clean.xlog --anchor ../x.sh", 2, "not a file of the repository", hasFiles: false),
    Case("@/clean.xlog --category=", 2, "--category", hasFiles: false),
    Case("@/clean.xlog --at #1", 2, "do not work with --at", hasFiles: false),
    Case("@/lost.xlog --baseline @/none.yaml", 2, "xferlog baseline update", hasFiles: false),
    Case("@/lost.xlog --baseline @/text.txt", 2, "exit 2 (wrong usage)", hasFiles: false),
    Case("@/lost.xlog --suppressions @/base.yaml", 2, "has no `reason`", hasFiles: false),
    Case("@/clean.xlog --rules @/text.txt", 2, "exit 2", hasFiles: false),
    // Nothing analysed.
    Case("@/nowhere.xlog", 3, "@/nowhere.xlog does not exist"),
    Case("@/*.nolog", 3, "matches no file"),
    Case("@/nothing", 3, "is an empty directory"),
    Case("@/empty.xlog", 3, "the log has no events"),
    Case("@/clean.xlog --session none", 3, "is in the window"),
    // Incomplete.
    Case("@/flipped.xlog", 1, "log-gap"),
    Case("@/flipped.xlog --strict --fail-on never", 4, "exit 4 (incomplete)"),
    Case("@/clean.xlog @/text.txt --strict", 4, "an input could not be read"),
  ]

  private func populate(_ directory: TemporaryDirectory) throws -> String {
    let files = FileManager.default
    let samples = ToolRun.checkout + "/Samples"
    try files.copyItem(atPath: samples + "/clean-run/log.xlog", toPath: directory.path("clean.xlog"))
    try files.copyItem(atPath: samples + "/killed-before-delivery/log.xlog", toPath: directory.path("lost.xlog"))
    let notice = try JobLog(in: directory, name: "notice.xlog", ["notice": 1])
    let open = try RecordedLog(in: directory, name: "possible.xlog")
    open.emit(at: 1, TaskResumed(task: RecordedLog.task))
    open.emit(at: 2, AttemptStarted(task: RecordedLog.task, attempt: 1))
    for name in ["empty.xlog", "nothing", "others"] {
      try files.createDirectory(atPath: directory.path(name), withIntermediateDirectories: true)
    }
    _ = try directory.write(Array("a text\n".utf8), to: "text.txt")
    _ = try directory.write([], to: "others/empty.txt")
    _ = try DamagedLog.beheaded(in: directory)
    _ = try DamagedLog.flipped(in: directory)
    let baseline = "version: 1\nfindings:\n  - fingerprint: \"1:2f291caf02653d37\"\n    rule: lost-completion\n"
    for (name, text) in [
      ("base.yaml", baseline), ("suppressions.yaml", baseline + "    reason: a known server\n    expires: 2999-12-31\n"),
      ("expired.yaml", baseline + "    expires: 2020-01-31\n"), ("undated.yaml", baseline + "    expires: next summer\n"),
      ("empty-base.yaml", "version: 1\nfindings: []\n"),
    ] {
      _ = try directory.write(Array(text.utf8), to: name)
    }
    return notice.rules
  }

  @Test(arguments: cases)
  func `Each invocation has its exit code, and its files agree`(_ test: Case) throws {
    let directory = TemporaryDirectory()
    let rules = try populate(directory)
    let path = directory.path
    func placed(_ text: String) -> String { text.replacing("@/", with: path + "/") }
    let names = ["junit": "j.xml", "sarif": "s.sarif", "markdown": "m.md", "json": "r.json", "code-quality": "q.json"]
    let outputs = names.flatMap { ["--\($0)", directory.path("out-" + $1)] }
    let given = test.arguments.split(separator: " ").map { $0 == "#" ? rules : placed(String($0)) }
    let run = try ToolRun(
      ToolRun.tool, ["replay", "--ci"] + outputs + given, environment: ["XFERLOG_CONFIG": "-"], in: directory.path)
    #expect(run.status == test.code, "\(run.text)\(run.standardError)")
    #expect(test.remark.isEmpty || run.standardError.contains(placed(test.remark)), "\(run.standardError)")
    let written = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasPrefix("out-") }.sorted()
    #expect(written == (test.hasFiles ? names.values.map { "out-" + $0 }.sorted() : []))
    guard test.hasFiles else { return }

    let (suite, cases, _) = try JobResult.junit(directory.path("out-j.xml"))
    let (failures, errors) = (suite["failures"] as? Int ?? -1, suite["errors"] as? Int ?? -1)
    #expect((failures > 0) == (test.code == 1) && errors == (test.code > 1 ? 1 : 0), "\(cases)")
    #expect(try JobResult.object(directory.path("out-r.json"))["exitCode"] as? Int == Int(test.code))
    let sarif = try JobResult.object(directory.path("out-s.sarif"))
    let runs = try #require(sarif["runs"] as? [[String: Any]])
    let invocation = try #require((runs[0]["invocations"] as? [[String: Any]])?.first)
    #expect(runs.count == 1 && invocation["exitCode"] as? Int == Int(test.code))
    #expect(invocation["executionSuccessful"] as? Bool == (test.code < 2))
    #expect(try JobResult.text(directory.path("out-m.md")).contains("exit \(test.code) "))
    _ = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: directory.path("out-q.json"))))
  }

  @Test func `A directory that does not exist is reported before the log is read, and no file appears`() throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog.sample(in: directory)
    for option in ["--junit", "--sarif", "--markdown", "--json", "--code-quality"] {
      let other = option == "--markdown" ? "--junit" : "--markdown"
      let run = try ToolRun.xferlog("replay", option, directory.path("none/file"), other, directory.path("m.md"), log)
      #expect(run.status == 2 && run.standardError.contains("none/file cannot be created"), "\(run.standardError)")
      #expect(run.text.isEmpty)
      let stream = try ToolRun.xferlog("replay", option, "-", log)
      #expect(
        stream.status == 2 && stream.standardError.contains("\(option) cannot be standard output"), "\(stream.standardError)")
    }
    #expect(!FileManager.default.fileExists(atPath: directory.path("m.md")))
  }

  @Test func `Files are written completely although the reader of standard output has gone`() throws {
    let directory = TemporaryDirectory()
    let log = try JobLog(in: directory, ["warning": 2000])
    let path = directory.path("j.xml")
    let run = try ToolRun.bash("$xferlog replay --rules \(log.rules) --junit \(path) \(log.path) | head -n 1 >/dev/null")
    #expect(run.status == 0)
    #expect(try JobResult.junit(path).suite["failures"] as? Int == 2000)
  }
}
