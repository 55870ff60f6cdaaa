package import XferEvents

/// A conclusion that is shown between events.
package struct EventInset: Sendable {
  package let level: Level
  /// The wall-clock time of the event that settled the conclusion; `nil` when the event has none.
  package let wall: WallTime?
  /// The subject, as in the line of an event.
  package let subject: String
  /// The tasks that the conclusion is about, for filters. Empty, with no session, for a conclusion about the whole log.
  package let tasks: [TaskIdentity]
  package let session: String?
  package let title: String
  /// The conclusion in words. It is escaped when it is shown, as are `title` and `subject`.
  package let text: String
  /// Further names and values.
  package let details: [(name: String, value: String)]
  /// Writes the finding as a JSON object.
  package let write: @Sendable (inout JSONText) -> Void

  package init(
    level: Level, wall: WallTime?, subject: String, tasks: [TaskIdentity] = [], session: String? = nil, title: String,
    text: String, details: [(name: String, value: String)] = [],
    write: @escaping @Sendable (inout JSONText) -> Void
  ) {
    self.level = level
    self.wall = wall
    self.subject = subject
    self.tasks = tasks
    self.session = session
    self.title = title
    self.text = text
    self.details = details
    self.write = write
  }

  /// The mark that distinguishes an inset from an event without color.
  static let mark = "▶ "
}
