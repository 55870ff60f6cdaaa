package import XferEvents
import XferLifecycle

/// A rule's conclusion, graded by the guards.
package struct Finding: Sendable, Equatable {
  package let rule: String
  package let variant: String?
  package let severity: Severity
  package internal(set) var certainty: Certainty
  package let summary: String
  package let remedy: String
  package let evidence: [Fact]
  package let missing: [Draft.Missing]
  package let unless: [String]
  /// Why the certainty is not higher.
  package internal(set) var lowered: [String]
  /// What it is about; `nil` where that does not apply.
  package let task: TaskIdentity?
  package let session: String?
  package let wake: HandlerID?
  package let launch: LaunchID?
  /// Tasks that a finding about a process names.
  package let tasks: [TaskIdentity]
  /// The same for the same problem whatever ids, times and paths are; "1:" is the version of how it is made.
  package let fingerprint: String
  /// Place of the finding that explains this one, in the list of all.
  package internal(set) var causedBy: Int?

  /// When the first of the evidence happened.
  package var moment: Moment { evidence[0].moment }

  /// Whether it counts for the exit status.
  package var counts: Bool { certainty >= .probable && causedBy == nil }
}
