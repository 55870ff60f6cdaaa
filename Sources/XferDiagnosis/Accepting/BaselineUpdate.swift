/// A baseline that is brought up to date with the findings of a log.
package struct BaselineUpdate: Sendable {
  /// The entries of the new baseline, sorted by rule and fingerprint.
  package let entries: [AcceptedEntry]
  package let added: Int
  package let removed: Int
  /// The entries that match findings but accept none, because they have expired or have no readable date.
  package let returned: [AcceptedEntry]

  /// - Parameters:
  ///   - acceptance: the present entries of the baseline, with which the findings were marked. Entries of suppressions are ignored.
  ///   - findings: the findings that the new baseline accepts.
  ///   - prunes: whether entries that match no finding are removed.
  package init(_ acceptance: Acceptance, findings: [Finding], prunes: Bool) {
    let present = acceptance.entries.indices.filter { acceptance.entries[$0].kind == .baseline }
    let kept = present.filter { !prunes || acceptance.matches[$0] > 0 }
    var entries: [String: AcceptedEntry] = [:]
    for place in kept { entries[acceptance.entries[place].fingerprint] = acceptance.entries[place] }
    var added = 0
    for finding in findings where finding.accepted == nil {
      let known = FingerprintVersion.all.map { $0.fingerprint(of: finding.basis) }
      if known.contains(where: { entries[$0] != nil }) { continue }
      entries[finding.fingerprint] = AcceptedEntry(
        kind: .baseline, fingerprint: finding.fingerprint, rule: finding.rule, summary: finding.summary, place: "")
      added += 1
    }
    self.entries = entries.values.sorted { ($0.rule ?? "", $0.fingerprint) < ($1.rule ?? "", $1.fingerprint) }
    self.added = added
    removed = present.count - kept.count
    returned = acceptance.returned.filter { $0.kind == .baseline }
  }
}
