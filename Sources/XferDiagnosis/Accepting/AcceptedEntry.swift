/// A known problem that does not fail a job: an entry of a baseline or of a list of suppressions.
package struct AcceptedEntry: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    /// A problem that existed when the baseline was made.
    case baseline
    /// A problem that somebody accepts for a reason.
    case suppression
  }

  package let kind: Kind
  /// The fingerprint of the accepted problem, which may have an older version than the findings.
  package let fingerprint: String
  /// The rule of the problem, for readers of the file.
  package let rule: String?
  /// The summary of one finding of the problem, for readers of the file.
  package let summary: String?
  package let reason: String?
  package let owner: String?
  /// The last day on which the entry is in force, as written. `nil` means that the entry does not expire.
  package let expires: String?
  /// The file and line of the entry.
  package let place: String
  /// The day on which the entry is judged; `nil` means the current day. The entries of a bundle are judged on the day of its verdict.
  package var judgedOn: ExpiryDay?

  package init(
    kind: Kind, fingerprint: String, rule: String? = nil, summary: String? = nil, reason: String? = nil, owner: String? = nil,
    expires: String? = nil, place: String
  ) {
    (self.kind, self.fingerprint, self.rule, self.summary) = (kind, fingerprint, rule, summary)
    (self.reason, self.owner, self.expires, self.place) = (reason, owner, expires, place)
  }

  /// The rule with the fingerprint, for messages.
  package var label: String { rule.map { "\($0) (\(fingerprint))" } ?? fingerprint }
}
