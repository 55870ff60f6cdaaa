import XferEvents

/// The widths of an event's columns on a terminal. They depend on the terminal's width alone, so that columns never shift.
struct EventColumns {
  let columns: Int
  let subject: Int
  let event: Int
  /// Whether the message stands below the other columns, because there is no room for it behind them.
  let isStacked: Bool
  private let hasFullNames: Bool

  /// The width below which times have no decimals.
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

  /// Returns an event's name, without its family where the subject says as much and there is little room.
  func name(of layout: EventLayout) -> String {
    guard !hasFullNames, let family = Self.implied.first(where: layout.name.hasPrefix) else { return layout.name }
    return String(layout.name.dropFirst(family.count))
  }
}
