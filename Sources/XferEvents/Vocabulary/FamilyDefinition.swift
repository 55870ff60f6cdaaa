/// A group of events about one kind of subject, with the defaults of its events' columns.
package struct FamilyDefinition: Sendable {
  package let name: String
  package let summary: String
  /// The field that identifies one subject of the family; `nil` if the subject is the writer itself.
  package let subject: String?
  /// The model that consumes the family's events; `nil` if each event names its own.
  package let model: ReplayModel?
  /// The roles that can write the family's events.
  package let writers: WriterRoles
  /// The fields that every event of the family has.
  package let required: [String]
  /// Whether the replay checks the order of each subject's events: an event may follow only those that its column `follows`
  /// lists.
  package let isOrdered: Bool

  package init(
    _ name: String, subject: String?, model: ReplayModel?, writers: WriterRoles = .carriers, required: String = "",
    isOrdered: Bool = false, _ summary: String
  ) {
    self.name = name
    self.subject = subject
    self.model = model
    self.writers = writers
    self.required = required.split(separator: " ").map(String.init)
    self.isOrdered = isOrdered
    self.summary = summary
  }
}
