import LogTestSupport
import Testing
import XferEvents

@testable import XferDiagnosis

/// Tests of the findings in a history in which one event is deleted, doubled or swapped with a later one.
struct MutationTests {
  @Test func `A changed event is reported by the rules of the table and no others`() {
    let observed = MutationSurvey.observe(seeds(1, campaign: 300))
    let expected = MutationTable.rules
    for key in Set(observed.rules.keys).union(expected.keys).sorted() {
      let (found, due) = (observed.rules[key] ?? [:], expected[key] ?? [])
      for (rule, seen) in found.sorted(by: { $0.key < $1.key }) where !due.contains(rule) {
        Issue.record("\(key): \(rule) is not in the table (\(seen.certainty), seed \(seen.seed): \(seen.summary))")
      }
      // Some rules report a change only in a few histories, so all are required only in a campaign.
      guard isCampaign else { continue }
      for rule in due.sorted() where found[rule] == nil { Issue.record("\(key): \(rule) was never found") }
    }
    let spoken = Set(expected.filter { !$0.value.isEmpty }.keys)
    let silent = Set(observed.tried.keys).subtracting(spoken)
    #expect(silent.isSubset(of: MutationTable.silent))
    if isCampaign { #expect(silent == MutationTable.silent) }
    #expect(spoken.isDisjoint(with: MutationTable.silent))
    print("\(observed.tried.values.reduce(0, +)) changed histories, \(observed.tried.count) kinds of change")
  }

  @Test func `The table names only existing rules and kinds of events`() {
    let kinds = Set(Vocabulary.events.map(\.name))
    let changes = Set(HistoryMutation.allCases.map(\.rawValue))
    for key in Set(MutationTable.rules.keys).union(MutationTable.silent) {
      let parts = key.split(separator: " ").map(String.init)
      #expect(parts.count == 2 && kinds.contains(parts[0]) && changes.contains(parts[1]), "\(key)")
    }
    let rules = Set(RuleCatalogue.descriptions.map(\.id))
    #expect(MutationTable.rules.values.reduce(into: Set()) { $0.formUnion($1) }.isSubset(of: rules))
    let judged = Set((MutationTable.rules.keys).map { String($0.split(separator: " ")[0]) })
      .union(MutationTable.silent.map { String($0.split(separator: " ")[0]) })
    #expect(judged == kinds.subtracting(MutationTable.onlyOfFlaws).subtracting(HistoryTally.onlyOfForeignLogs))
  }

  /// Verifies that a rule does not report a missing event with certainty if the event may have been lost in a declared gap.
  @Test func `A log with a declared gap has no certain finding except the gap`() {
    var lost = 0
    for seed in seeds(1, campaign: 300) {
      let history = MutableHistory(HistoryGenerator.history(seed: seed))
      lost += MutationSurvey.forEach(of: history, [.deleted]) { place, before, rest, _ in
        var diagnosis = before
        diagnosis.apply(.gap(history.gap(at: place)))
        for member in rest { diagnosis.apply(member) }
        diagnosis.finish()
        for finding in diagnosis.findings where finding.certainty == .certain && finding.rule != "log-gap" {
          Issue.record("seed \(seed), \(history.kind(of: place).name) lost: \(finding.rule): \(finding.summary)")
        }
        #expect(diagnosis.findings.contains { $0.rule == "log-gap" }, "seed \(seed)")
      }
    }
    print("\(lost) histories with a gap")
  }
}

/// The findings in changed histories.
struct MutationSurvey {
  struct Seen {
    var certainty: Certainty
    var seed: UInt64
    var summary: String
  }

  /// The most certain finding of each rule, by "kind change" and rule.
  var rules: [String: [String: Seen]] = [:]
  var tried: [String: Int] = [:]

  static func observe(_ seeds: [UInt64]) -> MutationSurvey {
    var survey = MutationSurvey()
    for seed in seeds {
      let history = MutableHistory(HistoryGenerator.history(seed: seed))
      forEach(of: history, HistoryMutation.allCases) { place, before, rest, mutation in
        survey.note("\(history.kind(of: place).name) \(mutation.rawValue)", before, rest, seed)
      }
    }
    return survey
  }

  /// Changes one event of each kind.
  ///
  /// - Parameter take: a closure that is called with the diagnosis up to the event and the changed rest of the history.
  /// - Returns: the number of changes.
  @discardableResult
  static func forEach(
    of history: MutableHistory, _ mutations: [HistoryMutation],
    _ take: (_ place: Int, _ before: Diagnosis, _ rest: [LogMember], _ mutation: HistoryMutation) -> Void
  ) -> Int {
    var random = SeededRandom(seed: history.history.seed)
    let places = Dictionary(grouping: history.members.indices) { history.kind(of: $0).name }
    let chosen = Set(places.keys.sorted().map { places[$0]!.randomElement(using: &random)! })
    var (diagnosis, count) = (Diagnosis(), 0)
    for (place, member) in history.members.enumerated() {
      if chosen.contains(place) {
        for mutation in mutations {
          guard let rest = history.rest(mutation, at: place) else { continue }
          take(place, diagnosis, rest, mutation)
          count += 1
        }
      }
      diagnosis.apply(member)
    }
    return count
  }

  private mutating func note(_ key: String, _ before: Diagnosis, _ rest: [LogMember], _ seed: UInt64) {
    tried[key, default: 0] += 1
    var diagnosis = before
    for member in rest { diagnosis.apply(member) }
    diagnosis.finish()
    for finding in diagnosis.findings where finding.certainty >= .probable {
      if let known = rules[key]?[finding.rule], known.certainty >= finding.certainty { continue }
      rules[key, default: [:]][finding.rule] = Seen(certainty: finding.certainty, seed: seed, summary: finding.summary)
    }
  }
}
