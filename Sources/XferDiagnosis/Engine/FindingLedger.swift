import XferEvents

/// The findings so far, at most one for each question (a rule and a subject), and the indexes of the new findings.
struct FindingLedger: Sendable {
  private(set) var findings: [Finding] = []
  /// The grounds of each finding that gaps can weaken, at the finding's index. `nil` for other findings.
  private(set) var bases: [FindingBasis?] = []
  /// The index of each question's finding. A more certain finding replaces it at the same index.
  private var findingOf: [Question: Int] = [:]
  private var fresh: [Int] = []

  func hasFinding(for question: Question) -> Bool { !findingOf.isEmpty && findingOf[question] != nil }

  /// Returns the indexes of the findings that are new or have become more certain since the last call.
  @inline(__always)
  mutating func takeFresh() -> [Int] {
    if fresh.isEmpty { return [] }
    defer { fresh = [] }
    return fresh
  }

  /// Adds a question's finding, or replaces a less certain one.
  ///
  /// - Returns: whether the question had no finding before.
  mutating func note(_ finding: Finding, _ basis: FindingBasis?, for question: Question) -> Bool {
    guard let known = findingOf[question] else {
      findingOf[question] = append(finding, basis)
      return true
    }
    let wasWithdrawn = findings[known].isWithdrawn
    if wasWithdrawn || finding.certainty > findings[known].certainty || finding.variant != findings[known].variant {
      replace(known, finding, basis)
    }
    return wasWithdrawn
  }

  /// Adds a finding of a user rule, which is not the answer to a question.
  ///
  /// - Parameter earlier: the place of the finding to replace if the new one is more certain; `nil` to add one.
  /// - Returns: the finding's place.
  mutating func note(_ finding: Finding, _ basis: FindingBasis?, replacing earlier: Int?) -> Int {
    guard let earlier else { return append(finding, basis) }
    if finding.certainty > findings[earlier].certainty { replace(earlier, finding, basis) }
    return earlier
  }

  private mutating func append(_ finding: Finding, _ basis: FindingBasis?) -> Int {
    fresh.append(findings.count)
    findings.append(finding)
    bases.append(basis)
    return findings.count - 1
  }

  private mutating func replace(_ place: Int, _ finding: Finding, _ basis: FindingBasis?) {
    findings[place] = finding
    bases[place] = basis
    fresh.append(place)
  }

  /// Replaces the summary of each question's finding for which `summary` returns another one.
  mutating func restate(_ summary: (Question, Finding) -> String?) {
    for (question, place) in findingOf where !findings[place].isWithdrawn {
      if let text = summary(question, findings[place]) { findings[place].summary = text }
    }
  }

  /// Lowers the certainty of a finding, unless the certainty is already as low.
  mutating func lower(_ place: Int, to certainty: Certainty, _ reasons: [Lowering]) {
    guard certainty < findings[place].certainty else { return }
    findings[place].certainty = certainty
    findings[place].lowerings = reasons
    fresh.append(place)
  }

  /// Withdraws a finding. The finding keeps its index until the findings are sorted.
  ///
  /// - Parameter reason: a clause without a full stop.
  mutating func withdraw(_ place: Int, _ reason: String) {
    findings[place].isWithdrawn = true
    findings[place].lowerings = [Lowering(reason: reason, lack: nil)]
    bases[place] = nil
    fresh.append(place)
  }

  /// Withdraws the finding of a question.
  ///
  /// - Returns: whether the question had one.
  mutating func withdraw(_ question: Question, _ reason: String) -> Bool {
    guard let place = findingOf[question], !findings[place].isWithdrawn else { return false }
    withdraw(place, reason)
    return true
  }

  /// Removes the withdrawn findings, sorts the others by the time of their evidence, and links each consequence to its cause.
  mutating func sort(_ tables: RuleTables) {
    if findings.isEmpty { return }
    let order = findings.indices.filter { !findings[$0].isWithdrawn }.sorted { findings[$0].precedes(findings[$1]) }
    let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    findings = order.map { findings[$0] }
    bases = []
    findingOf = findingOf.compactMapValues { places[$0] }
    fresh = fresh.compactMap { places[$0] }
    let roots = Roots(findings, rules: tables.roots)
    for place in findings.indices {
      findings[place].causedBy = tables.causes[findings[place].rule].flatMap { roots.first(of: $0, for: place, in: findings) }
    }
    foldWakes()
  }

  /// Links each finding about a wake to the first one with the same fingerprint: the app makes the same mistake at each wake.
  private mutating func foldWakes() {
    var first: [String: Int] = [:]
    for place in findings.indices where findings[place].wake != nil {
      guard let known = first[findings[place].fingerprint] else {
        first[findings[place].fingerprint] = place
        continue
      }
      // A finding that is only possible does not explain one that is probable or certain.
      let isSure = findings[known].certainty >= .probable || findings[place].certainty < .probable
      if isSure {
        findings[place].causedBy = findings[place].causedBy ?? known
      } else {
        first[findings[place].fingerprint] = place
      }
    }
  }
}
