/// The entries of a baseline and of suppressions, with the number of findings that each entry matches.
///
/// An entry matches all findings with its fingerprint. An entry that has expired, or whose date cannot be read, accepts nothing, so its
/// findings count again.
package struct Acceptance: Sendable {
  /// Whether an entry accepts findings.
  package enum Standing: Sendable, Equatable {
    case inForce
    /// The entry's last day is over.
    case expired
    /// The text of the date is not a date.
    case undated
    /// The fingerprint has a version that this program does not know.
    case unknownVersion
  }

  package let entries: [AcceptedEntry]
  package let standings: [Standing]
  /// The number of findings with each entry's fingerprint.
  package private(set) var matches: [Int]
  /// The rule of a finding that an entry matches although it names another rule.
  private var otherRules: [Int: String] = [:]
  private let versions: [FingerprintVersion]
  private let places: [String: [Int]]

  /// - Parameters:
  ///   - entries: the entries, those that take precedence first.
  ///   - today: the current day in UTC, on which entries without a day of their own are judged. An entry is in force until the end of
  ///     its last day.
  ///   - versions: the compatibility table of fingerprints.
  package init(_ entries: [AcceptedEntry], today: ExpiryDay, versions: [FingerprintVersion] = FingerprintVersion.all) {
    self.entries = entries
    self.versions = versions
    standings = entries.map { entry in
      let number = FingerprintVersion.number(of: entry.fingerprint)
      guard versions.contains(where: { $0.number == number }) else { return .unknownVersion }
      guard let expires = entry.expires else { return .inForce }
      guard let day = ExpiryDay(expires) else { return .undated }
      return day < entry.judgedOn ?? today ? .expired : .inForce
    }
    matches = entries.map { _ in 0 }
    places = Dictionary(grouping: entries.indices) { entries[$0].fingerprint }
  }

  /// Returns the entry that accepts a finding, and counts the finding for all entries with its fingerprint.
  mutating func entry(for basis: FingerprintBasis) -> AcceptedEntry? {
    if entries.isEmpty { return nil }
    let matching = versions.flatMap { places[$0.fingerprint(of: basis)] ?? [] }.sorted()
    for place in matching {
      matches[place] += 1
      if let rule = entries[place].rule, rule != basis.rule { otherRules[place] = basis.rule }
    }
    return matching.first { standings[$0] == .inForce }.map { entries[$0] }
  }

  /// The entries that match no finding. Meaningful only if a whole log was judged.
  package var unused: [AcceptedEntry] { entries.indices.filter { matches[$0] == 0 }.map { entries[$0] } }

  /// The entries that are not in force and whose findings therefore count.
  package var returned: [AcceptedEntry] {
    entries.indices.filter { matches[$0] > 0 && standings[$0] != .inForce }.map { entries[$0] }
  }

  /// Returns sentences about entries that have expired, cannot be read, are unused or name another rule, with their places.
  ///
  /// - Parameter judgesUse: whether the whole log was judged, so that an entry without findings is unused.
  package func warnings(judgesUse: Bool) -> [String] {
    entries.indices.compactMap { place in
      let entry = entries[place]
      let count = matches[place]
      let findings = count == 1 ? "1 finding counts" : "\(count) findings count"
      switch standings[place] {
      case .undated:
        return "\(entry.place): `expires` of \(entry.label) is '\(entry.expires ?? "")', which is not a date such as 2027-01-31; "
          + (count == 0 ? "the entry accepts nothing" : "its \(findings) again")
      case .unknownVersion:
        return
          "\(entry.place): the fingerprint of \(entry.label) has a version that this xferlog does not know; the entry accepts nothing"
      case .expired where count > 0:
        return "\(entry.place): \(entry.label) expired on \(entry.expires ?? ""); its \(findings) again"
      case .expired, .inForce:
        if let rule = otherRules[place] {
          return "\(entry.place): the entry names the rule \(entry.rule ?? ""), but \(entry.fingerprint) is a finding of \(rule)"
        }
        return judgesUse && count == 0 ? "\(entry.place): unused entry: no finding is \(entry.label)" : nil
      }
    }
  }
}
