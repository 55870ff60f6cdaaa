import Foundation
import LogTestSupport
import Testing
import XferEvents

/// `where` in the user's own rules.
@Suite struct WhereTests {
  private let directory = TemporaryDirectory()

  private func rule(_ when: String, examples: String = "") -> String {
    """
    rules:
      - id: slow-answer
        severity: warning
        summary: "{task} got a bad answer"
        explanation: The server is broken.
        remedy: Repair the server.
        per: task
        when:
          - \(when)
        expect: none
    \(examples)
    """
  }

  private func file(_ text: String) throws -> String { try directory.write(Array(text.utf8), to: "rules.yaml") }

  private func found(_ rules: String, _ log: String) throws -> Int {
    let run = try ToolRun.xferlog("replay", log, "--rules", file(rules), "-o", "json", "--fail-on", "never")
    #expect(run.status == 0, "\(run.standardError)")
    let document = try JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any]
    return (document?["findings"] as? [[String: Any]] ?? []).count { $0["rule"] as? String == "slow-answer" }
  }

  @Test func `An event of a rule must meet its condition`() throws {
    let log = try RecordedLog.sample(in: directory)
    for (condition, count) in [
      ("status=200", 1), ("status>=400", 0), ("status IN {200, 206} and contentType BEGINSWITH \"image/\"", 1),
      ("not contentType=[c]\"IMAGE/PNG\"", 0), ("eventMessage CONTAINS \"200\"", 1), ("expected > 30MB", 1),
      ("exists(error)", nil),
    ] as [(String, Int?)] {
      guard let count else { continue }
      let rules = rule("{event: attempt.responseReceived, where: '\(condition)'}")
      #expect(try found(rules, log) == count, "\(condition)")
    }
  }

  @Test func `A condition on a masked value makes the rule undecided`() throws {
    let log = try RecordedLog.sample(in: directory, mode: .hashed)
    let rules = rule("{event: task.created, where: 'path=\"/a\"'}")
    #expect(try found(rules, log) == 0)
    let run = try ToolRun.xferlog("replay", log, "--rules", file(rules), "-o", "json", "--fail-on", "never")
    #expect(run.text.contains(#""needs":"path of task.created""#))
  }

  @Test func `The examples of a rule are checked with the condition`() throws {
    let examples = """
          reports:
            - name: broken
              events:
                - {at: 0, event: task.created}
                - {at: 1s, event: attempt.responseReceived, fields: {attempt: 1, status: 503}, evidence: true}
          stays-silent:
            - name: fine
              events:
                - {at: 0, event: task.created}
                - {at: 1s, event: attempt.responseReceived, fields: {attempt: 1, status: 200}}
      """
    let run = try ToolRun.xferlog(
      "rules", "test", file(rule("{event: attempt.responseReceived, where: status>=500}", examples: examples)))
    #expect(run.status == 0 && run.text.contains("2 of 2 examples passed"), "\(run.text) \(run.standardError)")
    let wrong = try ToolRun.xferlog(
      "rules", "test", file(rule("{event: attempt.responseReceived, where: status>=200}", examples: examples)))
    #expect(wrong.status == 1, "\(wrong.text)")
  }

  @Test func `An error in a condition shows the file, the line and the place in the condition`() throws {
    let log = try RecordedLog.sample(in: directory)
    for (condition, texts) in [
      ("statsu>=500", ["rules.yaml:9:", "unknown field `statsu`", "  ^^^^^^", "Did you mean status or state?"]),
      ("status>=abc", ["`abc` is not a value of `status`", "          ^^^"]), ("status>=500 and", ["ends too early"]),
      ("task.outcome=lost", ["known only at the end of the log", "Name a field of the event itself"]),
      ("battery=5", ["`where` names the field `battery`, which attempt.responseReceived does not have"]),
    ] {
      let run = try ToolRun.xferlog(
        "replay", log, "--rules", file(rule("{event: attempt.responseReceived, where: '\(condition)'}")))
      #expect(run.status == 2, "\(condition)")
      for text in texts { #expect(run.standardError.contains(text), "\(condition): \(run.standardError)") }
    }
  }
}
