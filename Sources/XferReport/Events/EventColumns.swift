import XferEvents

/// The widths of an event's columns on a terminal. They depend on the terminal's width alone, so that columns never shift.
struct EventColumns {
  let columns: Int
  let subject: Int
  let event: Int
  /// Whether the message is written below the other columns, because the terminal is too narrow for a column beside them.
  let isStacked: Bool
  private let hasFullNames: Bool

  /// The terminal width, in columns, below which times are shown without fractions of a second.
  static let narrowest = 40
  /// The indentation of a message below its event.
  static let stackedIndent = 2

  init(columns: Int) {
    self.columns = columns
    hasFullNames = columns >= 132
    isStacked = columns < 72
    switch columns {
    case ..<96: (subject, event) = (12, 18)
    case ..<132: (subject, event) = (14, 21)
    default: (subject, event) = (16, 29)
    }
  }

  /// The families whose names the subject column implies.
  private static let implied = ["task.", "attempt.", "session."]

  /// Returns an event's name. On all but wide terminals, omits the family if the subject column implies it.
  func name(of layout: EventLayout) -> String {
    guard !hasFullNames, let family = Self.implied.first(where: layout.name.hasPrefix) else { return layout.name }
    return String(layout.name.dropFirst(family.count))
  }
}
