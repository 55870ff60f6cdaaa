package import XferEvents

/// Something to show between the events: what was concluded from those before it.
package struct EventInset: Sendable {
  package let level: Level
  /// When it was concluded: the time of the event that settled it; `nil` when that has none.
  package let wall: WallTime?
  /// Whom it is about, as an event's line names it.
  package let subject: String
  /// What it is about, for filters; both empty for what concerns the log as a whole.
  package let tasks: [TaskIdentity]
  package let session: String?
  package let title: String
  /// For people, as are `title` and `subject`; escaped when they are shown.
  package let text: String
  /// What is known beside: names and values.
  package let details: [(name: String, value: String)]
  /// The member that holds it in JSON, and its value.
  package let key: StaticString
  package let write: @Sendable (inout JSONText) -> Void

  package init(
    level: Level, wall: WallTime?, subject: String, tasks: [TaskIdentity] = [], session: String? = nil, title: String,
    text: String, details: [(name: String, value: String)] = [], key: StaticString,
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
    self.key = key
    self.write = write
  }

  /// What no colour is needed for to see that this is no event.
  static let mark = "▶ "
}
