package import XferEvents

/// Something to show between the events.
package struct EventInset: Sendable {
  package let level: Level
  /// For people; escaped when it is shown.
  package let text: String
  /// The name of the object in JSON, and its members.
  package let schema: StaticString
  package let members: @Sendable (inout JSONText) -> Void

  package init(level: Level, text: String, schema: StaticString, members: @escaping @Sendable (inout JSONText) -> Void) {
    self.level = level
    self.text = text
    self.schema = schema
    self.members = members
  }
}
