import XferEvents

/// The findings so far, each once for its question, and those that have just been decided.
struct FindingLedger: Sendable {
  private(set) var findings: [Finding] = []
  /// Finding of a rule on a subject, so that a later and surer one replaces it.
  private var findingOf: [Question: Int] = [:]
  private var fresh: [Int] = []

  func hasFinding(for question: Question) -> Bool { !findingOf.isEmpty && findingOf[question] != nil }

  /// Places of what was decided, or became surer, since the last time.
  @inline(__always)
  mutating func takeFresh() -> [Int] {
    if fresh.isEmpty { return [] }
    defer { fresh = [] }
    return fresh
  }

  /// - Returns: whether the question had none so far.
  mutating func note(_ finding: Finding, for question: Question) -> Bool {
    guard let known = findingOf[question] else {
      findingOf[question] = findings.count
      fresh.append(findings.count)
      findings.append(finding)
      return true
    }
    if finding.certainty > findings[known].certainty || finding.variant != findings[known].variant {
      findings[known] = finding
      fresh.append(known)
    }
    return false
  }

  /// A finding that answers no question about a subject.
  ///
  /// - Parameter earlier: the place of one that it replaces if it is surer.
  /// - Returns: its place.
  mutating func note(_ finding: Finding, replacing earlier: Int?) -> Int {
    if let earlier {
      if finding.certainty > findings[earlier].certainty {
        findings[earlier] = finding
        fresh.append(earlier)
      }
      return earlier
    }
    fresh.append(findings.count)
    findings.append(finding)
    return findings.count - 1
  }

  /// In the order of what happened, each consequence pointing at its root.
  mutating func sort(_ rules: [RuleDescription]) {
    let order = findings.indices.sorted { left, right in
      let (first, second) = (findings[left], findings[right])
      let (early, late) = (first.evidence[0], second.evidence[0])
      if let one = early.wall, let other = late.wall, one != other { return one < other }
      if early.reference != late.reference { return early.reference < late.reference }
      return first.rule < second.rule
    }
    let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    findings = order.map { findings[$0] }
    fresh = fresh.compactMap { places[$0] }
    let descriptions = Dictionary(uniqueKeysWithValues: rules.map { ($0.id, $0) })
    let roots = Roots(findings, rules: Set(rules.flatMap(\.consequenceOf)))
    for place in findings.indices {
      let rules = descriptions[findings[place].rule]?.consequenceOf ?? []
      findings[place].causedBy = rules.isEmpty ? nil : roots.first(of: rules, for: place, in: findings)
    }
  }
}
