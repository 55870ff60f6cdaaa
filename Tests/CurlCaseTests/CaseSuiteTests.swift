import LogTestSupport
import Testing

/// Tests of running whole cases, with cases made for the test.
struct CaseSuiteTests {
  private let directory = TemporaryDirectory()

  /// Writes a case whose server always sends the same body, and which checks the given `verify` section.
  private func write(
    _ number: Int, command: String, check: String = "", field: String = "A: b", verify: String
  ) throws -> CaseFolder {
    let source = """
      <testcase>
      <reply>
      <data\(check) crlf="headers">
      HTTP/1.1 200 OK swsclose
      \(field)

      body
      </data>
      </reply>
      <client>
      <name>
      a name
      </name>
      <file name="%LOGDIR/kept">
      kept
      </file>
      <command>
      http://%HOSTIP:%HTTPPORT/%TESTNUMBER \(command)
      </command>
      </client>
      <verify>
      \(verify)
      </verify>
      </testcase>

      """
    _ = try directory.write(Array(source.utf8), to: "test\(number)")
    return CaseFolder(path: directory.path)
  }

  static let verdicts: [(command: String, verify: String, agrees: Bool)] = [
    ("", "<errorcode>\n0\n</errorcode>", true),
    ("", "<errorcode>\n22\n</errorcode>", false),
    ("", "<file name=\"%LOGDIR/kept\">\nkept\n</file>", true),
    ("", "<file name=\"%LOGDIR/kept\">\nlost\n</file>", false),
    ("", "<file name=\"%LOGDIR/none\">\na\n</file>", false),
    ("", "<file name=\"%LOGDIR/none\">\n</file>", true),
    ("", "<notexists>\n%LOGDIR/kept\n</notexists>", false),
    ("", "<postcheck>\ngrep -q kept %LOGDIR/kept\n</postcheck>", true),
    ("", "<postcheck>\ngrep -q lost %LOGDIR/kept\n</postcheck>", false),
    ("-D %LOGDIR/heads", "<file name=\"%LOGDIR/heads\" crlf=\"headers\">\nHTTP/1.1 200 OK swsclose\nA: b\n\n</file>", true),
    ("-D %LOGDIR/heads", "<file name=\"%LOGDIR/heads\" crlf=\"headers\">\nHTTP/1.1 200 OK swsclose\nA: c\n\n</file>", false),
    ("-w '%{http_code}'", "<stdout crlf=\"headers\">\nHTTP/1.1 200 OK\n\nbody\n200\n</stdout>", false),
    ("-w '%{http_code}\\n'", "<stdout crlf=\"headers\">\nHTTP/1.1 200 OK\n\nbody\n200\n</stdout>", true),
    ("--resolve h:1:127.0.0.1", "<protocol>\nGET\n</protocol>", true),
    ("-x 127.0.0.1:%NOLISTENPORT", "<errorcode>\n7\n</errorcode>\n<protocol>\nGET\n</protocol>", false),
  ]

  @Test(arguments: verdicts.indices, [CaseProgram.Dialect.curl, .bodies(subcommand: nil)])
  func `Each kind of expectation in a case can agree and disagree`(index: Int, dialect: CaseProgram.Dialect) throws {
    let (command, verify, agrees) = Self.verdicts[index]
    let folder = try write(7, command: command, check: verify.contains("stdout") ? " nocheck=\"yes\"" : "", verify: verify)
    let outcome = try CaseSuite.outcome(of: 7, folder, .curl(dialect))
    #expect((outcome == .agrees) == agrees, "\(outcome)")
  }

  @Test
  func `Received bytes are compared unless the case has nocheck`() throws {
    let verify = "<errorcode>\n0\n</errorcode>"
    let outcome = { (folder: CaseFolder) in try CaseSuite.outcome(of: 7, folder, .curl(.curl)) }
    #expect(try outcome(write(7, command: "", verify: verify)) == .agrees)
    let head = try outcome(write(7, command: "-I", verify: verify))
    guard case .disagrees(let expected, let got) = head else { return #expect(head == .agrees) }
    #expect(expected == "received: 5 bytes body\\n")
    #expect(got == "0 bytes ")
    #expect(try outcome(write(7, command: "-I", check: " nocheck=\"yes\"", verify: verify)) == .agrees)
  }

  @Test
  func `A program other than curl may remove the partial file of an expected failure`() throws {
    func outcome(_ command: String, _ dialect: CaseProgram.Dialect) throws -> CaseOutcome {
      let folder = try write(
        7, command: command, field: "Content-Length: 9", verify: "<errorcode>\n18\n</errorcode>\n<protocol>\nGET\n</protocol>")
      return try CaseSuite.outcome(of: 7, folder, .curl(dialect))
    }
    for dialect in [CaseProgram.Dialect.curl, .bodies(subcommand: nil)] { #expect(try outcome("", dialect) == .agrees) }
    #expect(try outcome("--remove-on-error", .bodies(subcommand: nil)) == .agrees)
    #expect(try outcome("--remove-on-error", .curl) != .agrees)
  }

  @Test
  func `An unsupported option is reported separately, and a skipped case with its reason`() throws {
    let verify = "<errorcode>\n2\n</errorcode>\n<stdout>\n</stdout>"
    _ = try write(7, command: "--no-such-thing", verify: verify)
    let folder = try write(8, command: "", verify: verify)
    let suite = CaseSuite(folder, .xfer, notRun: [8: "a reason"])
    #expect(suite.lacking == [7])
    #expect(suite.outcomes[7] == .lacks("xfer does not support --no-such-thing"))
    #expect(suite.notRun == [8])
    let lines = [
      "0 agree, 0 disagree, 1 unsupported, 1 not run", "  8 not run: a reason",
      "  1 unsupported: xfer does not support --no-such-thing: 7",
    ]
    #expect(suite.summary(known: [:]) == lines.joined(separator: "\n"))
  }
}
