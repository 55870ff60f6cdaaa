/// The kind of time in the first column of an event's line.
package enum TimeStyle: String, CaseIterable, Sendable {
  case absolute
  /// The time since the first event that is shown.
  case relative
  /// The time since the previous event that is shown.
  case delta
  case none
}

/// The layout of events as text.
package struct EventTextStyle: Sendable {
  package var time: TimeStyle
  package var zone: ZoneRule
  /// Whether times are in UTC and end with `Z`.
  package var isUTC: Bool
  /// The width of the terminal in columns; `nil` means that lines are unlimited in width.
  package var columns: Int?
  package var hasColor: Bool
  /// Whether lines also show the writer and the fields that the message does not mention.
  package var isWide = false
  /// The shortest time without an event that is drawn as a line; `nil` draws none.
  package var silence: Duration?
  /// Whether a filter leaves out events, so that a silence is one of matching events only.
  package var isFiltered = false
  /// Whether a run of progress events is shown as one line.
  package var mergesProgress = false
  /// Whether the output is a terminal that can replace its last line.
  package var redraws = false

  package init(
    time: TimeStyle = .absolute, zone: ZoneRule = .utc, isUTC: Bool = true, columns: Int? = nil, hasColor: Bool = false
  ) {
    self.time = time
    self.zone = zone
    self.isUTC = isUTC
    self.columns = columns
    self.hasColor = hasColor
  }

  // The columns that a narrow terminal omits first.
  var showsSinceLast: Bool { time == .absolute && (columns ?? .max) >= 110 }
  var showsDate: Bool { (columns ?? .max) >= 96 }
}

/// The colors of a terminal. They only repeat what the text says.
enum Palette {
  static let faint: StaticString = "2"
  static let alarm: StaticString = "1;31"
  static let warning: StaticString = "33"

  /// Hues of the 256-color table without red and yellow, which mean errors and warnings.
  private static let hues: [UInt8] = [
    39, 75, 111, 147, 183, 177, 141, 105, 69, 33, 45, 51, 86, 121, 84, 78, 43, 37, 38, 74, 110, 146, 182, 176, 140, 134, 98, 62,
    68, 32,
  ]

  /// Returns the hue of a number. Equal numbers have equal hues.
  static func hue(_ number: UInt64) -> UInt8 { hues[Int((number ^ number >> 32) % UInt64(hues.count))] }

  /// Returns a hue from the FNV-1a hash of a name, which is the same in every run, unlike `Hasher`.
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
