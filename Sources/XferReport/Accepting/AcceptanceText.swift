package import XferDiagnosis
import XferEvents

/// The text that lists, for the findings of a log, which ones a baseline and suppressions accept.
package enum AcceptanceText {
  /// Returns a table of findings and entries, followed by the totals.
  ///
  /// - Parameters:
  ///   - findings: the findings that no other finding explains.
  ///   - counts: whether a finding fails the check if nothing accepts it.
  package static func table(
    _ acceptance: Acceptance, _ findings: [Finding], counts: (Finding) -> Bool, on page: PageStyle
  ) -> String {
    var groups: [(state: State, finding: Finding, count: Int)] = []
    var places: [String: Int] = [:]
    for finding in findings {
      let state = State(finding, acceptance, counts: counts(finding))
      let key = "\(state.rawValue) \(finding.fingerprint) \(finding.severity.rawValue)"
      if let place = places[key] {
        groups[place].count += 1
      } else {
        places[key] = groups.count
        groups.append((state, finding, 1))
      }
    }
    groups.sort { ($0.state.rank, $1.finding.severity) < ($1.state.rank, $0.finding.severity) }
    var lines = groups.map { group in
      let times = group.count == 1 ? "" : " (\(group.count) findings)"
      let place = group.finding.accepted.map { "  \($0.place)" } ?? ""
      return PageLine(
        "\(padded(group.state.rawValue)) \(group.finding.severity.rawValue) \(group.finding.rule) \(group.finding.fingerprint)"
          + "\(times)\(place)  \(group.finding.summary)", group.state.isBad ? group.finding.severity.color : nil)
    }
    lines += acceptance.unused.map { entry in
      PageLine("\(padded("unused")) \(entry.rule ?? "-") \(entry.fingerprint)  \(entry.place)", Palette.warning)
    }
    var totals = State.allCases.map { state in
      "\(groups.filter { $0.state == state }.reduce(0) { $0 + $1.count }) \(state.rawValue)"
    }
    totals.append("\(acceptance.unused.count) unused")
    lines.append(PageLine(totals.joined(separator: ", ")))
    return page.text(lines)
  }

  private static func padded(_ word: String) -> String {
    word + String(repeating: " ", count: max(0, State.width - word.count))
  }

  /// The standing of a finding: whether an entry of a baseline or of suppressions accepts it.
  package enum State: String, CaseIterable {
    /// No entry accepts the finding, and it fails a job.
    case new
    /// The finding's entry is not in force.
    case returned
    /// The baseline accepts the finding.
    case known
    case suppressed
    /// No entry accepts the finding, and it does not fail a job.
    case minor

    fileprivate static let width = 10
    fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    fileprivate var isBad: Bool { self == .new || self == .returned }

    fileprivate init(_ finding: Finding, _ acceptance: Acceptance, counts: Bool) {
      switch finding.accepted?.kind {
      case .baseline: self = .known
      case .suppression: self = .suppressed
      case nil where !counts: self = .minor
      case nil: self = AcceptanceText.entries(for: finding, acceptance).isEmpty ? .new : .returned
      }
    }
  }

  private static func entries(for finding: Finding, _ acceptance: Acceptance) -> [AcceptedEntry] {
    let fingerprints = FingerprintVersion.all.map { $0.fingerprint(of: finding.basis) }
    return acceptance.entries.filter { fingerprints.contains($0.fingerprint) }
  }

  /// Returns what is known about a fingerprint: its entries, and the findings that have it.
  package static func explanation(
    of fingerprint: String, _ acceptance: Acceptance, _ findings: [Finding], on page: PageStyle
  ) -> String {
    var lines = [PageLine("fingerprint \(fingerprint)")]
    if let finding = findings.first {
      for (name, value) in finding.basis.properties where !value.isEmpty { lines.append(PageLine("    \(name): \(value)")) }
    }
    for (place, entry) in acceptance.entries.enumerated() where entry.fingerprint == fingerprint {
      lines.append(PageLine("\(entry.kind.rawValue) at \(entry.place)"))
      let values = [
        ("rule", entry.rule), ("summary", entry.summary), ("reason", entry.reason), ("owner", entry.owner),
        ("expires", entry.expires),
      ]
      for (name, value) in values { if let value { lines.append(PageLine("    \(name): \(value)")) } }
      lines.append(PageLine("    state: \(text(acceptance.standings[place]))"))
    }
    lines.append(
      PageLine(
        findings.isEmpty ? "no finding has this fingerprint" : "\(findings.count.counted("finding"))"
      ))
    for finding in findings.prefix(findingLimit) {
      lines.append(
        PageLine(
          "    \(finding.severity.rawValue) \(finding.rule) (\(finding.certainty.rawValue)): \(finding.summary)",
          finding.severity.color))
    }
    if findings.count > findingLimit { lines.append(PageLine("    … \(findings.count - findingLimit) more")) }
    if let finding = findings.first { lines.append(PageLine("remedy: \(finding.remedy)")) }
    return page.text(lines)
  }

  private static let findingLimit = 10

  private static func text(_ standing: Acceptance.Standing) -> String {
    switch standing {
    case .inForce: "in force"
    case .expired: "expired, so its findings count"
    case .undated: "accepts nothing, because `expires` is not a date"
    case .unknownVersion: "accepts nothing, because the fingerprint has a version that this xferlog does not know"
    }
  }
}
