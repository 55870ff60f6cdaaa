/// What stands in the first column of an event's line.
package enum TimeStyle: String, CaseIterable, Sendable {
  case absolute
  /// Since the first event shown.
  case relative
  /// Since the event shown before.
  case delta
  case none
}

/// How events are laid out as text.
package struct EventTextStyle: Sendable {
  package var time: TimeStyle
  package var zone: ZoneRule
  /// Times end with `Z`.
  package var isUTC: Bool
  /// The terminal's width; `nil` where lines may be of any length.
  package var columns: Int?
  package var hasColor: Bool

  package init(
    time: TimeStyle = .absolute, zone: ZoneRule = .utc, isUTC: Bool = true, columns: Int? = nil, hasColor: Bool = false
  ) {
    self.time = time
    self.zone = zone
    self.isUTC = isUTC
    self.columns = columns
    self.hasColor = hasColor
  }

  // What goes first when there is little room.
  var showsSinceLast: Bool { time == .absolute && (columns ?? .max) >= 110 }
  var showsDate: Bool { (columns ?? .max) >= 96 }
}

/// Terminal colours. They repeat what the text says: without them nothing is lost.
enum Palette {
  static let faint: StaticString = "2"
  static let alarm: StaticString = "1;31"
  static let warning: StaticString = "33"

  /// Hues of the 256-colour table without reds and yellows, which mean errors and warnings.
  private static let hues: [UInt8] = [
    39, 75, 111, 147, 183, 177, 141, 105, 69, 33, 45, 51, 86, 121, 84, 78, 43, 37, 38, 74, 110, 146, 182, 176, 140, 134, 98, 62,
    68, 32,
  ]

  /// The same hue for the same number, always.
  static func hue(_ number: UInt64) -> UInt8 { hues[Int((number ^ number >> 32) % UInt64(hues.count))] }

  /// FNV-1a: the same for the same name in every run, unlike `Hasher`.
  static func hue(_ name: String) -> UInt8 {
    hue(name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 })
  }
}

extension TextBuffer {
  mutating func beginColor(_ code: StaticString) {
    append("\u{1b}[" as StaticString)
    append(code)
    append(UInt8(ascii: "m"))
  }

  mutating func beginHue(_ hue: UInt8) {
    append("\u{1b}[38;5;" as StaticString)
    append(decimal: hue)
    append(UInt8(ascii: "m"))
  }

  mutating func endColor() { append("\u{1b}[0m" as StaticString) }
}
