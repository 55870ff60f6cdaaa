import Foundation
import LogTestSupport
import Testing
import XferDiagnosis
import XferEvents

@testable import XferReport

/// Tests that findings and open questions name the capture that would decide them.
@Suite struct DecidingCaptureTests {
  /// A cancelled task of an app in a copy of `log show`, without the request to cancel it.
  private static let cancelled = """
    Timestamp                       Thread     Type        Activity             PID    TTL
    2026-11-20 14:00:05.100000+0100 0x1        Default     0x0                  4711   0    Kettle: (CFNetwork) \
    Task <6B29FC40-CA47-1067-B31D-00DD010662DA>.<2> finished with error [-999] Error Domain=NSURLErrorDomain Code=-999 \
    "cancelled"

    """

  private static func captures(_ object: [String: Any]) -> [[String: Any]] { AppleReplayTests.list(object["decide"]) }

  @Test func `A possible finding in Apple's log names the command that shows the missing message`() throws {
    let document = try AppleReplayTests.replay(Self.cancelled)
    let finding = try #require(
      AppleReplayTests.list(document["findings"]).first { $0["rule"] as? String == "unexplained-cancel" })
    let command = try #require(Self.captures(finding).compactMap { $0["command"] as? String }.first)
    #expect(command.hasPrefix("log show --archive incident.logarchive --style ndjson --info --debug "), "\(command)")
    #expect(command.contains("process == \"Kettle\" OR process == \"nsurlsessiond\""), "\(command)")
    // From a minute before the event, in UTC.
    #expect(command.contains("--start '2026-11-20 12:59:05+0000' --end '2026-11-20 13:1"), "\(command)")
    #expect(try ToolRun("/bin/bash", ["-n", "-c", command]).status == 0)
    let text = try AppleReplayTests.run(["replay", "--fail-on", "never"], Self.cancelled).text
    #expect(text.contains("    decide    Show the messages of the app and the transfer daemon"), "\(text)")
    #expect(text.contains("\n              $ \(command)\n"), "\(text)")
  }

  @Test func `The name of a program cannot change the command`() throws {
    let document = try AppleReplayTests.replay(Self.cancelled.replacing("Kettle", with: "K'; rm -rf x; '"))
    for finding in AppleReplayTests.list(document["findings"]) {
      for command in Self.captures(finding).compactMap({ $0["command"] as? String }) { #expect(!command.contains("rm -rf")) }
    }
  }

  @Test func `An open question about the app's own doings names the recorder`() throws {
    let document = try AppleReplayTests.replay(
      Self.cancelled.replacing(
        "finished with error [-999] Error Domain=NSURLErrorDomain Code=-999 \"cancelled\"", with: "finished successfully"))
    let questions = AppleReplayTests.list(document["undecided"])
    try #require(!questions.isEmpty)
    #expect(questions.allSatisfy { !Self.captures($0).isEmpty }, "\(questions)")
    let texts = questions.flatMap(Self.captures).compactMap { $0["capture"] as? String }
    #expect(texts.contains { $0.contains("recorder") || $0.contains("Show the messages") }, "\(texts)")
    let text = try AppleReplayTests.run(["replay", "--fail-on", "never"], Self.cancelled).text
    #expect(text.contains("undecided: "), "\(text)")
  }

  @Test(
    arguments: [
      (.level(.attemptStarted), "Log attempt.started, whose level was disabled", "xferlog config level xferlog:attempt=debug"),
      (.log("kettle (pid 77)"), "Replay the log of kettle (pid 77), too", nil),
      (.records("000002.seg"), "Replay an undamaged copy of 000002.seg", nil),
      (.continuation, "Replay the log again when it covers more time", nil),
      (.events([.diskSpaceSampled]), "Record disk.spaceSampled in the same log", nil),
    ] as [(Lack, String, String?)])
  func `What would decide a question about a log of this package is named`(lack: Lack, text: String, command: String?) {
    let captures = DecidingCapture.deciding([lack, lack], DecidingCapture.Context())
    #expect(captures.map(\.text) == [text])
    #expect(captures.map(\.command) == [command])
  }

  @Test func `An event that Apple's log never contains is one for the recorder, or for CFNETWORK_DIAGNOSTICS`() {
    let context = DecidingCapture.Context(
      coverage: ImportCoverage(log: "a copy of Apple's log", kinds: [.taskCompleted], isApple: true), programs: ["Kettle"])
    let captures = DecidingCapture.deciding(
      [.events([.appIntentDeclared]), .events([.attemptRequestSent]), .events([.taskCompleted])], context)
    #expect(captures.count == 3)
    #expect(captures[0].text.contains("recorder.app.declare") && captures[0].command == nil)
    #expect(captures[1].command?.contains("CFNETWORK_DIAGNOSTICS=3") == true)
    #expect(captures[2].command?.contains("process == \"Kettle\"") == true)
  }
}
