import Foundation
import LogTestSupport
import Testing
import XferDiagnosis

/// `xferlog rules list` and `xferlog rules explain`.
struct RulesTests {
  @Test func `The list has a line for each rule with its id, severity and summary`() throws {
    let run = try ToolRun.xferlog("rules", "list")
    #expect(run.status == 0)
    #expect(run.lines.count == RuleCatalogue.descriptions.count)
    for (line, rule) in zip(run.lines, RuleCatalogue.descriptions) {
      let columns = line.split(separator: " ", maxSplits: 2).map(String.init)
      #expect(columns.prefix(2) == [rule.id, rule.severity.rawValue])
      #expect(line.hasSuffix("  \(rule.summary)"))
    }
  }

  @Test func `The list is available as a JSON document`() throws {
    let run = try ToolRun.xferlog("rules", "list", "-o", "json")
    let document = try #require(try JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any])
    #expect(document["schema"] as? String == "xferlog.rules/1")
    let rules = try #require(document["rules"] as? [[String: String]])
    #expect(rules.map { $0["id"] } == RuleCatalogue.descriptions.map(\.id))
    #expect(rules.allSatisfy { $0["summary"] != nil && $0["severity"] != nil && $0["grade"] != nil })
  }

  @Test func `An explanation of a rule has its texts and its examples with their evidence marked`() throws {
    let run = try ToolRun.xferlog("rules", "explain", "log-tail-torn")
    #expect(run.status == 0)
    #expect(
      run.text == """
        log-tail-torn
            The writer ended while it was writing a record.

            severity      notice
            grade         reported: the problem has been observed in the field
            follows from  crash-mid-transfer
            no scenario   Whether a kill interrupts the write of a record depends on the instruction, which a script cannot choose.

        Explanation
            A record is valid once its last word is stored. Bytes after the last complete record
            belong to a call that had not returned, so no event that the program could consider
            logged is missing. The torn record marks the moment of the kill. The rule does not
            report a record that was incomplete when the writer closed its log, because the call
            that wrote it had not returned before the close.

        Remedy
            The log needs no repair. If it does not say what ended the process, look for a crash
            report.

        Reported
            the record is torn, and the writer was found dead: certain
                +0s  app        process.started       app started
                +1s  app        gap                   the last record of lane 1 was being written when its writer ended (app)
              ● +5s  next life  process.exitObserved  process has ended: missing

            the record is torn, and the writer may still be running: possible
              ● +0s  process.started  app started
                +1s  gap              the last record of lane 1 was being written when its writer ended (app)

        Not reported
            the last record is complete
                +0s  app        process.started       app started
                +5s  next life  process.exitObserved  process has ended: missing

            the writer closed its log while one of its threads was still writing
                +0s  process.started  app started
                +1s  process.exited   exits with 0 (exitCall)
                +1s  log.closed       closed, 0 dropped
                +2s  gap              the last record of lane 1 was being written when its writer ended (app)

        Sources
            https://github.com/aria2/aria2/issues/859

        """)
  }

  @Test func `Several rules are explained in the order of the arguments, with their variants and limits`() throws {
    let run = try ToolRun.xferlog("rules", "explain", "missed-completion-handler", "lost-completion")
    let names = run.lines.filter { $0 == "missed-completion-handler" || $0 == "lost-completion" }
    #expect(names == ["missed-completion-handler", "lost-completion"])
    #expect(run.text.contains("    limits        ignores processes that run under a debugger\n"))
    #expect(
      run.text.contains(
        "    follows from  callback-thread-blocked, claim-failed-destination, delegate-missing, background-launch-crash-loop\n"))
    #expect(run.text.contains("    variants      never sent; received, not entered; entered, not left\n"))
  }

  @Test func `An explanation as JSON has every example with its evidence`() throws {
    let run = try ToolRun.xferlog("rules", "explain", "lost-completion", "-o", "json")
    let document = try #require(try JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any])
    let rule = try #require((document["rules"] as? [[String: Any]])?.first)
    let description = try #require(RuleCatalogue.descriptions.first { $0.id == "lost-completion" })
    #expect(rule["explanation"] as? String == description.explanation)
    let reported = try #require(rule["reported"] as? [[String: Any]])
    #expect(reported.map { $0["name"] as? String } == description.reports.map(\.name))
    let steps = try #require(reported[0]["steps"] as? [[String: Any]])
    #expect(
      steps.filter { $0["evidence"] as? Bool == true }.map { $0["event"] as? String } == [
        "task.transferred", "process.exitObserved",
      ])
    #expect((rule["notReported"] as? [Any])?.count == description.staysSilent.count)
  }

  static let mistakes: [(id: String, says: String)] = [
    ("lost-completon", "there is no rule 'lost-completon'. Did you mean lost-completion or ghost-completion?"),
    ("gap", "there is no rule 'gap'. Did you mean log-gap?"),
    ("Log-Tail-Thorn", "there is no rule 'Log-Tail-Thorn'. Did you mean log-tail-torn?"),
    ("weather", "there is no rule 'weather'. `xferlog rules list` lists all rules."),
  ]

  @Test(arguments: mistakes)
  func `An unknown rule ends with 2 and suggests similar ids`(_ mistake: (id: String, says: String)) throws {
    let run = try ToolRun.xferlog("rules", "explain", mistake.id)
    #expect(run.status == 2)
    #expect(run.text.isEmpty)
    #expect(run.standardError == "xferlog: exit 2 (wrong usage): \(mistake.says)\n")
  }

  @Test func `Explaining without a rule id is wrong usage`() throws {
    #expect(try ToolRun.xferlog("rules", "explain").status == 2)
  }
}
