import Foundation

/// The figures of a campaign on damaged logs.
struct DamageSummary {
  private let trials: [DamageTrial]
  private let logs: Int
  private let time: Duration

  init(_ trials: [DamageTrial], logs: Int, time: Duration) {
    self.trials = trials
    self.logs = logs
    self.time = time
  }

  var faults: [String] { trials.flatMap(\.faults) }
  var intact: DamageTrial.Share { trials.reduce(.init()) { $0 + $1.intact } }

  var text: String {
    let cited = trials.reduce(DamageTrial.Share()) { $0 + $1.cited }
    let unnoticeable = trials.compactMap(\.unnoticeable)
    return """
      damaged logs: \(trials.count) copies of \(logs) logs in \(time) (\(Self.counts(trials.map(\.damage))))
      damaged logs: \(trials.count(where: \.hasLoss)) with lost events, \(trials.count(where: \.isUnreadable)) unreadable, \
      \(faults.count) wrong answers; \(unnoticeable.count) losses that nothing shows (\(Self.counts(unnoticeable)))
      damaged logs: certain findings kept: \(intact.text) with intact evidence and lanes, \(cited.text) with intact evidence
      \(Self.list(trials.flatMap(\.lowered)))
      """
  }

  private static func counts(_ names: [String]) -> String {
    Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }

  /// The findings that lost their certainty although the damage does not concern them, the most frequent kinds first.
  private static func list(_ lowered: [String]) -> String {
    let kinds = Dictionary(grouping: lowered) { String($0.prefix { $0 != "[" }) }
    return kinds.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.prefix(20)
      .map { "  \($0.value.count) × \($0.value[0])" }.joined(separator: "\n")
  }
}
