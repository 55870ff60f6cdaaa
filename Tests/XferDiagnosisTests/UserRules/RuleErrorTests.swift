import Foundation
import Testing
import XferDiagnosis
import XferRules
import XferYAML

/// Tests of the errors in rule files, each with its position and a remedy.
struct RuleErrorTests {
  struct Mistake: CustomTestStringConvertible, Sendable {
    let name: String
    let yaml: String
    let says: String
    var testDescription: String { name }

    init(_ name: String, _ yaml: String, _ says: String) {
      (self.name, self.yaml, self.says) = (name, yaml, says)
    }
  }

  private static func rule(_ body: String, scope: String = "task") -> String { WrittenRules.rule(body, scope: scope) }

  static let words: [Mistake] = [
    .init(
      "an unknown event", rule("when: task.transfered\nexpect: task.completed"),
      "rules.yaml:8:11: unknown event `task.transfered`.\nDid you mean task.transferred or task.delayAnswered?"),
    .init(
      "an unknown field", rule("when: {event: task.transferred, fields: {statos: 200}}\nexpect: task.completed"),
      "rules.yaml:8:46: `task.transferred` has no field `statos`.\nDid you mean status?"),
    .init(
      "an unknown key", rule("when: task.transferred\nexpects: task.completed"),
      "rules.yaml:9:5: a rule has no key `expects`.\nDid you mean expect?"),
    .init(
      "an unknown choice", rule("when: {event: process.stateChanged, fields: {state: foregrund}}\nexpect: none", scope: "log"),
      "rules.yaml:8:57: `foregrund` is not a value of state.\nDid you mean foreground?"),
    .init(
      "a field that only one of two events has",
      rule("when: {event: [task.transferred, task.resumed], fields: {status: 200}}\nexpect: none"),
      "rules.yaml:8:62: `task.resumed` has no field `status`.\nUse one of task, by."),
    .init(
      "an invalid number", rule("when: {event: task.transferred, fields: {status: ok}}\nexpect: none"),
      "rules.yaml:8:54: `ok` is not a value of status.\nWrite a whole number."),
    .init(
      "an invalid size", rule("when: {event: task.transferred, fields: {received: 5s}}\nexpect: none"),
      "rules.yaml:8:56: `5s` is not a value of received.\nWrite a number of bytes, or a number with kB, MB, GB, KiB, MiB or GiB, for example 4KiB."
    ),
    .init(
      "a comparison with a value without an order",
      rule("when: {event: process.stateChanged, fields: {state: '> background'}}\nexpect: none", scope: "log"),
      "rules.yaml:8:57: `state` has no order and cannot be compared.\nWrite the required value, or a list."),
    .init(
      "a summary with an unknown field",
      rule("when: task.transferred\nexpect: none").replacingOnce("{task}", "{receivd}"),
      "rules.yaml:4:14: the summary quotes `receivd`, which no event of the rule has.\nDid you mean received?"),
    .init(
      "a missing key", rule("expect: task.completed"),
      "rules.yaml:2:5: a rule lacks `when`.\nName the event that triggers the rule, for example task.transferred."),
    .init("a list as a text", "rules:\n  - id: [a]\n", "rules.yaml:2:9: expected an id.\nWrite a single value."),
    .init(
      "an invalid id", "rules:\n  - {id: Mine!}\n",
      "rules.yaml:2:10: `Mine!` is not a valid id.\nWrite lowercase words and digits joined by hyphens, for example upload-never-confirmed."
    ),
    .init(
      "invalid YAML", "rules: [",
      """
      rules.yaml:2:1: invalid YAML: did not find expected node content.
      Indent with spaces, and quote values that contain `: ` or begin with a special character.
      """),
    .init(
      "a duplicate key", "rules: []\nrules: []\n",
      "rules.yaml:2:1: duplicate key `rules`, first in line 1.\nKeep one of them."),
    .init(
      "a recursive node", "rules: &a [*a]\n",
      "rules.yaml:1:8: the value is nested too deeply.\nDo not let a value contain a reference to itself."),
    .init(
      "events of an example out of order",
      rule(
        "when: task.transferred\nexpect: none\nreports: [{name: n, events: [{at: 2s, event: task.resumed}, {at: 1s, event: task.resumed}]}]"
      ),
      "rules.yaml:10:65: the event is earlier than the event before it.\nList events in the order of their times."),
  ]

  static let contradictions: [Mistake] = [
    .init(
      "a time limit of zero", rule("when: task.transferred\nexpect: task.completed\nwithin: 0s"),
      "rules.yaml:10:13: `within` cannot be 0s.\nWrite a duration greater than zero."),
    .init(
      "a negative time limit", rule("when: task.transferred\nexpect: task.completed\nwithin: -5s"),
      "rules.yaml:10:13: `within` cannot be -5s.\nWrite a duration greater than zero."),
    .init(
      "an excuse equal to the expected event",
      rule("when: task.transferred\nexpect: task.completed\nwithin: 5s\nunless: task.completed"),
      "rules.yaml:11:13: `unless` excludes the task.completed that `expect` names.\nRemove it: an event cannot be both expected and an exception."
    ),
    .init(
      "an excuse that covers the forbidden event",
      rule(
        "when: task.transferred\nnever: {event: task.completed, fields: {status: 404}}\nunless: {event: task.completed, fields: {status: '>= 400'}}"
      ),
      "rules.yaml:10:13: `unless` excludes the task.completed that `never` names.\nRemove it: an event cannot be both forbidden and an exception."
    ),
    .init(
      "an excuse that covers the trigger",
      rule("when: {event: task.transferred, fields: {status: 200}}\nexpect: task.completed\nunless: task.transferred"),
      "rules.yaml:10:13: `unless` excludes every task.transferred that `when` matches.\nAdd conditions, so that the exception does not match all of these events."
    ),
    .init(
      "both expected and forbidden", rule("when: task.transferred\nexpect: task.completed\nnever: task.completed"),
      "rules.yaml:10:12: `expect` and `never` cannot be combined.\nKeep one of them, or write two rules."),
    .init(
      "a comparison that no value satisfies",
      rule("when: {event: task.transferred, fields: {status: '>= 500 and < 400'}}\nexpect: none"),
      "rules.yaml:8:54: no value satisfies `>= 500 and < 400`: `status` is a 32-bit whole number.\nWiden the comparison."),
    .init(
      "a negative size", rule("when: {event: task.transferred, fields: {received: '< 0B'}}\nexpect: none"),
      "rules.yaml:8:56: no value satisfies `< 0B`: `received` is a number of bytes of at least zero.\nWiden the comparison."),
    .init(
      "a number above 32 bits", rule("when: {event: task.transferred, fields: {status: 99999999999}}\nexpect: none"),
      "rules.yaml:8:54: `status` cannot be 99999999999.\nThe field is a 32-bit whole number."),
    .init(
      "a joined field with different required values",
      rule(
        "when: {event: task.transferred, fields: {status: 200}}\nexpect: {event: task.completed, same: status, fields: {status: 404}}"
      ),
      "rules.yaml:9:13: `status` can never be the same: task.transferred and task.completed require different values.\nChange one of the two conditions, or remove `same`."
    ),
    .init(
      "joined fields of different types",
      rule("when: task.transferred\nexpect: {event: task.completed, same: {status: received}}"),
      "rules.yaml:9:52: `status` and `received` have different types, so they are never equal.\nName fields of the same type. `xferlog schema` lists the types."
    ),
    .init(
      "late answers without a time limit", rule("when: task.transferred\nexpect: task.completed\nlate: accepted"),
      "rules.yaml:10:11: `late` needs `expect` and `within`.\nName the expected event and the time in which it is due."),
    .init(
      "a time limit without an expected event", rule("when: task.transferred\nexpect: none\nwithin: 5s"),
      """
      rules.yaml:10:13: `within` needs an event in `expect` or `never`.
      To limit the time since the previous step, write `within` at a step of `when`.
      """),
  ]

  static let unreachable: [Mistake] = [
    .init(
      "an event that its writer never writes", rule("when: task.transferred\nexpect: {event: delivery.entered, by: daemon}"),
      "rules.yaml:9:43: `delivery.entered` is never written by daemon.\nThe event is written by app, engine, recorder, appExtension."
    ),
    .init(
      "an answer that is not about a task", rule("when: task.transferred\nexpect: wake.handlerCalled"),
      """
      rules.yaml:9:13: `wake.handlerCalled` does not name a task.
      Write `per: process` or `per: log` for the event, if it concerns every task there.
      """),
    .init(
      "a trigger that is not about a task", rule("when: process.started\nexpect: none"),
      "rules.yaml:8:11: `process.started` does not name a task.\nUse an event that names one, or write `per: process` or `per: log` for the rule."
    ),
    .init(
      "a first event as an answer", rule("when: task.transferred\nexpect: task.created"),
      """
      rules.yaml:9:13: `task.created` is always the first event of its task and cannot follow another one.
      Reverse the order, or match another task.
      """),
    .init(
      "events of different processes with the scope of a process",
      rule("when: daemon.started\nexpect: wake.delivered", scope: "process").replacingOnce("{task}", "it"),
      """
      rules.yaml:9:13: no process writes both daemon.started and wake.delivered.
      Write `per: task`, `per: session` or `per: log`, because the events come from different processes.
      """),
    .init(
      "a joined field that no step has", rule("when: task.transferred\nexpect: {event: file.claimed, same: delivery}"),
      """
      rules.yaml:9:41: no event of `when` has a field `delivery` to compare with.
      task.transferred has task, received, sent, status, domain, error, errorName, content.
      """),
  ]

  static let clashes: [Mistake] = [
    .init(
      "an id of the catalogue", WrittenRules.rule("when: task.transferred\nexpect: none", id: "lost-completion"),
      """
      rules.yaml:2:9: `lost-completion` is the id of a built-in rule.
      Choose another id. To change the built-in rule's limits, write them below `limits:`.
      """),
    .init(
      "a duplicate id",
      rule("when: task.transferred\nexpect: none")
        + rule("when: task.resumed\nexpect: none").replacingOnce("rules:\n", ""),
      "rules.yaml:10:9: duplicate rule id `mine`, first at rules.yaml:2:9.\nGive one of the rules another id."),
    .init(
      "an unknown rule in follows-from", rule("when: task.transferred\nexpect: none\nfollows-from: lost-completon"),
      "rules.yaml:2:9: `mine` follows from the unknown rule `lost-completon`.\nDid you mean lost-completion or ghost-completion?"
    ),
    .init(
      "a limit of an unknown rule", "limits:\n  lost-completon: {patience: 5s}\n",
      "rules.yaml:2:20: unknown rule `lost-completon`.\nDid you mean lost-completion or ghost-completion?"),
    .init(
      "an unknown limit", "limits:\n  lost-completion: {patient: 5s}\n",
      "rules.yaml:2:21: `lost-completion` has no limit `patient`.\nDid you mean patience?"),
    .init(
      "a limit of a rule without any", "limits:\n  log-gap: {patience: 5s}\n",
      "rules.yaml:2:13: `log-gap` has no limit `patience`.\nThe rule has no limits."),
    .init(
      "a count for a duration", "limits:\n  lost-completion: {patience: 5}\n",
      "rules.yaml:2:21: `patience` of `lost-completion` cannot be a whole number.\nWrite a duration such as 30s."),
    .init(
      "a limit of zero", "limits:\n  lost-completion: {patience: 0s}\n",
      "rules.yaml:2:21: `patience` of `lost-completion` cannot be 0s.\nWrite a value greater than zero."),
    .init(
      "an invalid limit", "limits:\n  lost-completion: {patience: soon}\n",
      "rules.yaml:2:21: `soon` is not a valid limit.\nWrite a duration such as 30s, or a whole number."),
  ]

  @Test(arguments: words + contradictions + unreachable + clashes)
  func `An error in a rule file names its position and a remedy`(_ mistake: Mistake) {
    do throws(RuleErrors) {
      _ = try WrittenRules.compile(mistake.yaml)
      Issue.record("\(mistake.name) is accepted")
    } catch {
      #expect(error.description == mistake.says)
    }
  }

  @Test func `Errors in several rules are all reported`() {
    let broken = Self.rule("when: task.transfered\nexpect: none")
    let other = Self.rule("when: task.resumd\nexpect: none").replacingOnce("rules:\n", "")
    #expect(throws: RuleErrors.self) { try WrittenRules.compile(broken + other) }
    do throws(RuleErrors) { _ = try WrittenRules.compile(broken + other) } catch {
      #expect(error.errors.map(\.code) == [.unknownEvent, .unknownEvent])
      #expect(error.errors.map { $0.place?.line } == [8, 16])
    }
  }
}

extension String {
  fileprivate func replacingOnce(_ text: String, _ other: String) -> String {
    guard let range = range(of: text) else { return self }
    return replacingCharacters(in: range, with: other)
  }
}
