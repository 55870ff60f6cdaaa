import LogTestSupport
import Testing
import XferEvents

@testable import XferDiagnosis

/// The rules that changed histories are judged by.
enum HistoryRules {
  /// What changed histories bring to speak beside what the table says: it was made before these rules were.
  static let untold: Set<String> = [
    "handler-task-in-background-session", "unsupported-in-background", "level-filtered", "upload-source-missing",
    "upload-source-deleted-too-early", "retry-after-success", "orphaned-task", "ghost-completion",
    "session-invalidated-while-tasks-run", "started-before-recorded", "timeout-but-never-sent",
  ]

  static let rules = RuleCatalogue.rules.filter { !untold.contains(type(of: $0).description.id) }
}

/// What is found when one event of a history is lost, comes twice or comes too early.
struct MutationTests {
  @Test func `A changed event is found by the rules of the table, and by no others`() {
    let observed = MutationSurvey.observe(seeds(1, campaign: 300))
    let expected = MutationTable.rules
    for key in Set(observed.rules.keys).union(expected.keys).sorted() {
      let (found, due) = (observed.rules[key] ?? [:], expected[key] ?? [])
      for (rule, seed) in found.sorted(by: { $0.key < $1.key }) where !due.contains(rule) {
        Issue.record("\(key): \(rule) is not in the table (seed \(seed))")
      }
      // What needs many histories to be seen is asked for where there are many.
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
}

/// What was found in changed histories.
struct MutationSurvey {
  /// "kind change" → rule → a seed.
  var rules: [String: [String: UInt64]] = [:]
  var tried: [String: Int] = [:]

  static func observe(_ seeds: [UInt64]) -> MutationSurvey {
    var survey = MutationSurvey()
    for seed in seeds { survey.observe(MutableHistory(HistoryGenerator.history(seed: seed))) }
    return survey
  }

  private mutating func observe(_ history: MutableHistory) {
    // One of each kind in each history.
    var random = SeededRandom(seed: history.history.seed)
    let places = Dictionary(grouping: history.members.indices) { history.kind(of: $0).name }
    let chosen = Set(places.keys.sorted().map { places[$0]!.randomElement(using: &random)! })
    var diagnosis = Diagnosis(rules: HistoryRules.rules)
    for (place, member) in history.members.enumerated() {
      if chosen.contains(place) {
        for mutation in HistoryMutation.allCases {
          guard let rest = history.rest(mutation, at: place) else { continue }
          note("\(history.kind(of: place).name) \(mutation.rawValue)", diagnosis, rest, history.history.seed)
        }
      }
      diagnosis.apply(member)
    }
  }

  private mutating func note(_ key: String, _ before: Diagnosis, _ rest: [LogMember], _ seed: UInt64) {
    tried[key, default: 0] += 1
    var diagnosis = before
    for member in rest { diagnosis.apply(member) }
    diagnosis.finish()
    for finding in diagnosis.findings where finding.certainty >= .probable {
      rules[key, default: [:]][finding.rule] = rules[key]?[finding.rule] ?? seed
    }
  }
}
