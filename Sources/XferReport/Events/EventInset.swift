package import XferDiagnosis
package import XferEvents

/// A finding that is shown between events.
package struct EventInset: Sendable {
  package let level: Level
  package let severity: Severity
  /// Whether the finding affects the exit code of a replay.
  package let counts: Bool
  /// The wall-clock time of the event at which the rule decided. `nil` when the event has no wall-clock time.
  package let wall: WallTime?
  /// The subject, as in the line of an event.
  package let subject: String
  /// The tasks that the finding is about, for filters. Empty, with a `nil` session, for a finding about the whole log.
  package let tasks: [TaskIdentity]
  package let session: String?
  package let title: String
  /// The finding's summary. Like `subject`, the text is escaped only when it is printed.
  package let text: String
  /// Names and values for the detailed form, such as evidence and remedy.
  package let details: [(name: String, value: String)]
  /// Writes the finding as a JSON object.
  package let write: @Sendable (inout JSONText) -> Void

  package init(
    level: Level, severity: Severity, counts: Bool, wall: WallTime?, subject: String, tasks: [TaskIdentity] = [],
    session: String? = nil, title: String, text: String, details: [(name: String, value: String)] = [],
    write: @escaping @Sendable (inout JSONText) -> Void
  ) {
    self.level = level
    (self.severity, self.counts) = (severity, counts)
    self.wall = wall
    self.subject = subject
    self.tasks = tasks
    self.session = session
    self.title = title
    self.text = text
    self.details = details
    self.write = write
  }

  /// The mark that distinguishes a finding from an event in output without color.
  static let mark = "▶ "
}
