extension Postmortem {
  /// The use of a baseline and of suppressions.
  public struct Acceptance: Sendable, Equatable, Codable {
    /// The number of entries.
    public let entries: Int
    /// The number of findings that the baseline accepts.
    public let known: Int
    /// The number of findings that suppressions accept.
    public let suppressed: Int
    /// The entries that have expired or cannot be read, and whose findings count.
    public let returned: [AcceptedEntry]
    /// The entries that match no finding.
    public let unused: [AcceptedEntry]
  }

  /// An entry of a baseline or of suppressions.
  public struct AcceptedEntry: Sendable, Equatable, Codable {
    public enum Kind: String, Sendable, Codable { case baseline, suppression }

    /// The kind of the file that has the entry.
    public let by: Kind
    /// The fingerprint in the entry, which may have an older version than that of the finding.
    public let fingerprint: String
    /// The file and line of the entry.
    public let place: String
    /// Why the problem is accepted.
    public let reason: String?
    /// Who is responsible for the problem.
    public let owner: String?
    /// The last day on which the entry is in force, as written. `nil` for an entry that does not expire.
    public let expires: String?
  }

  /// A user-defined rule.
  public struct UserRule: Sendable, Equatable, Codable {
    public let id: String
    /// The file and line of the rule.
    public let origin: String?
  }

  /// A limit of a rule that differs from its default.
  public struct Limit: Sendable, Equatable, Codable {
    public let rule: String
    public let limit: String
    /// The value: a number, or a duration in nanoseconds.
    public let value: Int
    /// The default, in the same unit.
    public let usual: Int
  }

  /// The part of a log that `xferlog replay --since` and its other options judge.
  public struct Window: Sendable, Equatable, Codable {
    public let since: Time?
    public let until: Time?
    public let selectedTasks: [String]
    public let selectedSessions: [String]
    public let events: Int
    public let tasks: Int
    public let allTasks: Int
    public let findings: Int
    public let allFindings: Int
  }
}
