import Foundation
import Testing
import XferDiagnosis
import XferRules

/// What is refused in a file of rules: where, what, and what to do.
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
      "rules.yaml:8:11: there is no event `task.transfered`.\nDid you mean task.transferred or task.delayAnswered?"),
    .init(
      "an unknown field", rule("when: {event: task.transferred, fields: {statos: 200}}\nexpect: task.completed"),
      "rules.yaml:8:46: `task.transferred` has no field `statos`.\nDid you mean status?"),
    .init(
      "an unknown key", rule("when: task.transferred\nexpects: task.completed"),
      "rules.yaml:9:5: a rule has no key `expects`.\nDid you mean expect?"),
    .init(
      "an unknown word", rule("when: {event: process.stateChanged, fields: {state: foregrund}}\nexpect: none", scope: "log"),
      "rules.yaml:8:57: `foregrund` is no value of state.\nDid you mean foreground?"),
    .init(
      "a field that only one of two events has",
      rule("when: {event: [task.transferred, task.resumed], fields: {status: 200}}\nexpect: none"),
      "rules.yaml:8:62: `task.resumed` has no field `status`.\nThere are task, by."),
    .init(
      "a number that is none", rule("when: {event: task.transferred, fields: {status: ok}}\nexpect: none"),
      "rules.yaml:8:54: `ok` is no value of status.\nWrite a whole number."),
    .init(
      "a size that is none", rule("when: {event: task.transferred, fields: {received: 5s}}\nexpect: none"),
      "rules.yaml:8:56: `5s` is no value of received.\nWrite a number of bytes, or one with kB, MB, GB, KiB, MiB or GiB: 4KiB."),
    .init(
      "more than a word",
      rule("when: {event: process.stateChanged, fields: {state: '> background'}}\nexpect: none", scope: "log"),
      "rules.yaml:8:57: `state` has no order, so nothing is more or less.\nWrite the value it has to have, or a list."),
    .init(
      "a summary that quotes what nobody says",
      rule("when: task.transferred\nexpect: none").replacingOnce("{task}", "{receivd}"),
      "rules.yaml:4:14: the summary quotes `receivd`, which no event of the rule says.\nDid you mean received?"),
    .init(
      "a missing key", rule("expect: task.completed"),
      "rules.yaml:2:5: a rule lacks `when`.\nName the event that makes the rule look, as task.transferred."),
    .init("a list where a text belongs", "rules:\n  - id: [a]\n", "rules.yaml:2:9: an id is expected here.\nWrite one text."),
    .init(
      "a name that is no id", "rules:\n  - {id: Mine!}\n",
      "rules.yaml:2:10: `Mine!` is no id.\nWrite small letters and digits, words joined by -: upload-never-confirmed."),
    .init(
      "no YAML", "rules: [",
      """
      rules.yaml:2:1: this is not YAML: did not find expected node content.
      Indent with spaces, and quote values that contain `: ` or begin with a special character.
      """),
    .init("a key twice", "rules: []\nrules: []\n", "rules.yaml:2:1: the key `rules` stands in line 1, too.\nKeep one of them."),
    .init(
      "a node within itself", "rules: &a [*a]\n",
      "rules.yaml:1:8: this is nested too deeply.\nWrite what is meant without references to what contains it."),
    .init(
      "an event of an example before the one above",
      rule(
        "when: task.transferred\nexpect: none\nreports: [{name: n, events: [{at: 2s, event: task.resumed}, {at: 1s, event: task.resumed}]}]"
      ),
      "rules.yaml:10:65: this comes before the event above it.\nList events in the order of their times."),
  ]

  static let contradictions: [Mistake] = [
    .init(
      "a time of nothing", rule("when: task.transferred\nexpect: task.completed\nwithin: 0s"),
      "rules.yaml:10:13: nothing comes within 0s.\nWrite a `within` of more than nothing."),
    .init(
      "a time before the trigger", rule("when: task.transferred\nexpect: task.completed\nwithin: -5s"),
      "rules.yaml:10:13: nothing comes within -5s.\nWrite a `within` of more than nothing."),
    .init(
      "an excuse that is what is expected",
      rule("when: task.transferred\nexpect: task.completed\nwithin: 5s\nunless: task.completed"),
      "rules.yaml:11:13: `unless` excludes the task.completed that `expect` names.\nLeave it out: what is expected is no excuse."),
    .init(
      "an excuse that is what is forbidden, and more",
      rule(
        "when: task.transferred\nnever: {event: task.completed, fields: {status: 404}}\nunless: {event: task.completed, fields: {status: '>= 400'}}"
      ),
      "rules.yaml:10:13: `unless` excludes the task.completed that `never` names.\nLeave it out: what is forbidden is no excuse."),
    .init(
      "an excuse that is the trigger",
      rule("when: {event: task.transferred, fields: {status: 200}}\nexpect: task.completed\nunless: task.transferred"),
      "rules.yaml:10:13: `unless` excludes every task.transferred that `when` looks for.\nSay more of it, so that not every such event is an excuse."
    ),
    .init(
      "both expected and forbidden", rule("when: task.transferred\nexpect: task.completed\nnever: task.completed"),
      "rules.yaml:10:12: a rule either expects something or forbids it.\nKeep `expect` or `never`; write two rules for both."),
    .init(
      "a comparison that no value satisfies",
      rule("when: {event: task.transferred, fields: {status: '>= 500 and < 400'}}\nexpect: none"),
      "rules.yaml:8:54: no value is `>= 500 and < 400`: `status` is a whole number of 32 bits.\nWiden the comparison."),
    .init(
      "fewer bytes than none", rule("when: {event: task.transferred, fields: {received: '< 0B'}}\nexpect: none"),
      "rules.yaml:8:56: no value is `< 0B`: `received` is a number of bytes, at least zero.\nWiden the comparison."),
    .init(
      "a status that no 32 bits hold", rule("when: {event: task.transferred, fields: {status: 99999999999}}\nexpect: none"),
      "rules.yaml:8:54: `status` is never 99999999999.\nIt is a whole number of 32 bits."),
    .init(
      "the same field with two values",
      rule(
        "when: {event: task.transferred, fields: {status: 200}}\nexpect: {event: task.completed, same: status, fields: {status: 404}}"
      ),
      "rules.yaml:9:13: `status` can never be the same: task.transferred and task.completed ask for different values.\nChange one of the two conditions, or leave `same` out."
    ),
    .init(
      "fields of two kinds",
      rule("when: task.transferred\nexpect: {event: task.completed, same: {status: received}}"),
      "rules.yaml:9:52: `status` and `received` are not of one kind, so they are never equal.\nName fields of one kind; `xferlog schema` tells it."
    ),
    .init(
      "late where there is no time", rule("when: task.transferred\nexpect: task.completed\nlate: accepted"),
      "rules.yaml:10:11: nothing can be late.\nSay with `expect` and `within` what has to come, and when."),
    .init(
      "a time to nothing", rule("when: task.transferred\nexpect: none\nwithin: 5s"),
      """
      rules.yaml:10:13: `within` counts from `when` to what has to come, and nothing has to.
      Write it at a step of `when`, for the time since the step before.
      """),
  ]

  static let unreachable: [Mistake] = [
    .init(
      "an event that its writer never writes", rule("when: task.transferred\nexpect: {event: delivery.entered, by: daemon}"),
      "rules.yaml:9:43: `delivery.entered` is never written by daemon.\nIt is written by app, engine, recorder, appExtension."),
    .init(
      "an event that says of no task", rule("when: task.transferred\nexpect: wake.handlerCalled"),
      """
      rules.yaml:9:13: `wake.handlerCalled` says of no task.
      Write `per: process` or `per: log` at this event, if it concerns every task there.
      """),
    .init(
      "a trigger that says of no task", rule("when: process.started\nexpect: none"),
      "rules.yaml:8:11: `process.started` says of no task.\nName an event that does, or write `per: process` or `per: log` for the rule."
    ),
    .init(
      "the first event after another", rule("when: task.transferred\nexpect: task.created"),
      """
      rules.yaml:9:13: `task.created` is the first event of its task: it never comes after another one.
      Turn the order round, or look at another task.
      """),
    .init(
      "two writers in one process",
      rule("when: daemon.started\nexpect: wake.delivered", scope: "process").replacingOnce("{task}", "it"),
      """
      rules.yaml:9:13: no process writes both daemon.started and wake.delivered.
      Write `per: task`, `per: session` or `per: log`: they come from different processes.
      """),
    .init(
      "the same as what no step has", rule("when: task.transferred\nexpect: {event: file.claimed, same: delivery}"),
      """
      rules.yaml:9:41: no event of `when` has a field `delivery` that could be the same.
      task.transferred has task, received, sent, status, domain, error, errorName, content.
      """),
  ]

  static let clashes: [Mistake] = [
    .init(
      "an id of the catalogue", WrittenRules.rule("when: task.transferred\nexpect: none", id: "lost-completion"),
      """
      rules.yaml:2:9: `lost-completion` is a rule of the catalogue.
      Give yours a name of its own; to change that one's limits, write them below `limits:`.
      """),
    .init(
      "an id twice",
      rule("when: task.transferred\nexpect: none")
        + rule("when: task.resumed\nexpect: none").replacingOnce("rules:\n", ""),
      "rules.yaml:10:9: `mine` is a rule already, at rules.yaml:2:9.\nGive one of them another name."),
    .init(
      "a cause that is no rule", rule("when: task.transferred\nexpect: none\nfollows-from: lost-completon"),
      "rules.yaml:2:9: `mine` follows from `lost-completon`, which is no rule.\nDid you mean lost-completion or ghost-completion?"
    ),
    .init(
      "a limit of no rule", "limits:\n  lost-completon: {patience: 5s}\n",
      "rules.yaml:2:20: there is no rule `lost-completon`.\nDid you mean lost-completion or ghost-completion?"),
    .init(
      "a limit that a rule does not have", "limits:\n  lost-completion: {patient: 5s}\n",
      "rules.yaml:2:21: `lost-completion` has no limit `patient`.\nDid you mean patience?"),
    .init(
      "a limit of a rule without any", "limits:\n  log-gap: {patience: 5s}\n",
      "rules.yaml:2:13: `log-gap` has no limit `patience`.\nIt has none at all."),
    .init(
      "a count for a time", "limits:\n  lost-completion: {patience: 5}\n",
      "rules.yaml:2:21: `patience` of `lost-completion` is no whole number.\nWrite a length of time, as 30s."),
    .init(
      "a limit of nothing", "limits:\n  lost-completion: {patience: 0s}\n",
      "rules.yaml:2:21: `patience` of `lost-completion` cannot be 0s.\nWrite more than nothing."),
    .init(
      "a limit that is no figure", "limits:\n  lost-completion: {patience: soon}\n",
      "rules.yaml:2:21: `soon` is no limit.\nWrite a length of time, as 30s, or a whole number."),
  ]

  @Test(arguments: words + contradictions + unreachable + clashes)
  func `A mistake is told with its place and what to do`(_ mistake: Mistake) {
    do throws(RuleErrors) {
      _ = try WrittenRules.compile(mistake.yaml)
      Issue.record("\(mistake.name) is taken")
    } catch {
      #expect(error.description == mistake.says)
    }
  }

  @Test func `Of several rules each tells its mistake`() {
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
