import XferDiagnosis
import XferEvents

/// A finding without a cause, with its consequences, as CI services show it.
struct JobItem {
  let finding: Finding
  /// The findings that this one explains, directly or indirectly.
  let consequences: [Finding]
  /// Whether the finding fails the job.
  let isFailing: Bool
  /// Whether the finding counts, whatever its severity: it is not accepted, and it is certain enough.
  let isSure: Bool
  let place: RepositoryPlace
  /// The number of the finding among those of the same rule and fingerprint, counted from 1.
  var ordinal = 1

  init(_ finding: Finding, consequences: [Finding], isFailing: Bool, isSure: Bool, place: RepositoryPlace) {
    (self.finding, self.consequences, self.isFailing, self.isSure) = (finding, consequences, isFailing, isSure)
    self.place = place
  }

  /// Whether the finding is listed before another one: findings that are not accepted first, then by severity and certainty.
  func precedes(_ other: JobItem) -> Bool {
    if (finding.accepted == nil) != (other.finding.accepted == nil) { return finding.accepted == nil }
    if finding.severity != other.finding.severity { return finding.severity > other.finding.severity }
    return finding.certainty > other.finding.certainty
  }

  /// The kinds of messages that CI services have.
  enum Level: String, CaseIterable {
    case error, warning
    case note
  }

  /// The kind of message. A finding that is only possible is a note, because it does not fail a job.
  var level: Level {
    if finding.certainty == .possible, !isSure { return .note }
    return switch finding.severity {
    case .critical, .error: .error
    case .warning: .warning
    case .notice: .note
    }
  }

  /// A text that is the same for the same problem in every run, and different for each finding of a rule.
  var name: String {
    let parts = finding.basis.properties.filter { ["session or name", "method", "host"].contains($0.name) }.map(\.value)
    let subject = parts.filter { !$0.isEmpty }.joined(separator: " ")
    return (subject.isEmpty ? "log" : String(subject.prefix(200))) + " " + key
  }

  /// The fingerprint, with the number of the finding if it is not the first one with this fingerprint.
  var key: String { ordinal == 1 ? finding.fingerprint : "\(finding.fingerprint) #\(ordinal)" }
}
