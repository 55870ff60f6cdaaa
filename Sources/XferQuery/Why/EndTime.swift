package import XferEvents

/// The time of a process's end that another process noticed.
package struct EndTime {
  /// The last sign of life; `nil` if there is none.
  private let after: WallTime?
  private let noticed: WallTime?

  package init(after: WallTime?, noticed: WallTime?) { (self.after, self.noticed) = (after, noticed) }

  /// The time in words, such as "between 14:02:07.118Z and 14:02:09.001Z"; `nil` if it is unknown.
  package var text: String? {
    guard let noticed else { return nil }
    guard let after else { return "at or before \(Self.text(noticed))" }
    let (first, last) = (Self.text(after), Self.text(noticed))
    return first == last ? "at \(last)" : "between \(first) and \(last)"
  }

  private static func text(_ time: WallTime) -> String { String("\(time)".dropFirst(11).prefix(12)) + "Z" }
}
