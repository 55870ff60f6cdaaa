import Testing
import XferDiagnosis
import XferRules

/// Tests of rules of the catalogue, rewritten as user rules.
struct AgreementTests {
  struct Restated: CustomTestStringConvertible, Sendable {
    let rule: String
    let yaml: String
    var testDescription: String { rule }
  }

  private static let text = "severity: error, summary: s, explanation: e, remedy: r"

  static let restated = [
    Restated(
      rule: "missed-completion-handler",
      yaml: """
        rules:
          - {id: not-called, \(text), per: process, when: wake.delivered,
             expect: {event: wake.handlerCalled, same: handler}, within: 30s, late: accepted, silent-under-debugger: true,
             unless: [
               {event: process.stateChanged, fields: {state: foreground}},
               {event: wake.wanted, per: session, fields: {wakeCause: challenge}, same: handler, before: true}]}
          - {id: budget-over, \(text), per: process,
             when: [wake.delivered, {event: wake.deadlinePassed, same: handler}],
             expect: {event: wake.handlerCalled, same: handler}, within: 1s, unless: {event: process.exitObserved}}
          - {id: let-go, \(text), per: process, when: wake.delivered,
             never: {event: wake.handlerReleased, same: handler}, unless: {event: wake.handlerCalled, same: handler}}
        """),
    Restated(
      rule: "completion-handler-called-twice",
      yaml: """
        rules:
          - {id: twice, \(text), per: session, expect: none,
             when: [wake.handlerCalled, {event: wake.handlerCalled, same: handler}]}
        """),
    Restated(
      rule: "invalidation-never-confirmed",
      yaml: """
        rules:
          - {id: last-task, \(text), per: session, when: [session.invalidationRequested, task.completed],
             expect: session.invalidated, within: 60s,
             unless: [session.released, {event: [process.exited, process.exitObserved], per: process}]}
          - {id: no-task, \(text), per: session, when: [task.completed, session.invalidationRequested],
             expect: session.invalidated, within: 60s,
             unless: [session.released, {event: [process.exited, process.exitObserved], per: process}]}
        """),
  ]

  /// The examples that no user rule can express: a later launch may make up for an event that is missing from an earlier one, or an
  /// assertion gives the app more time, or the session has confirmed its invalidation and the app's queue delays the callback.
  private static let inexpressible: Set = [
    "the process was killed while it handled the events",
    "the system killed the process, and the next life did not get as far as the events",
    "the system killed the process at once, and the next life handled the events",
    "the app began a background assertion and still holds it", "the callback waits in the delegate's queue",
  ]

  @Test(arguments: restated)
  func `A restated rule gives the same findings as the original in the original's examples`(_ restated: Restated) throws {
    let rules = try WrittenRules.compile(restated.yaml)
    let description = try #require(RuleCatalogue.descriptions.first { $0.id == restated.rule })
    for example in description.reports + description.staysSilent where !Self.inexpressible.contains(example.name) {
      let diagnosis = WrittenRules.diagnose(rules, example.members())
      let builtIn = diagnosis.findings.filter { $0.rule == restated.rule }
      let own = diagnosis.findings.filter { finding in rules.users.contains { $0.description.id == finding.rule } }
      #expect(own.map(\.certainty).max() == builtIn.map(\.certainty).max(), "\(example.name): \(own.map(\.rule))")
      guard let theirs = builtIn.first, let mine = own.first else { continue }
      #expect(!Set(theirs.evidence).isDisjoint(with: mine.evidence), "\(example.name)")
      #expect(mine.session == theirs.session && mine.launch == theirs.launch, "\(example.name)")
    }
  }

  @Test(arguments: restated)
  func `A user rule's findings are decided before the end of the log`(_ restated: Restated) throws {
    let rules = try WrittenRules.compile(restated.yaml)
    let description = try #require(RuleCatalogue.descriptions.first { $0.id == restated.rule })
    for example in description.reports where example.certainty != .possible && !Self.inexpressible.contains(example.name) {
      var diagnosis = Diagnosis(rules: [], userRules: rules.users)
      for member in example.members() { diagnosis.apply(member) }
      let live = diagnosis.findings
      diagnosis.finish()
      #expect(!live.isEmpty && live == diagnosis.findings, "\(example.name)")
    }
  }
}
