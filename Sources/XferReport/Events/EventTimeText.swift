import XferEvents

/// The time column of an event's line.
struct EventTimeText {
  private let style: EventTextStyle
  private var origin: WallTime?
  private var previous: WallTime?
  // A zone's offset can change only at multiples of 15 minutes, so the offset is computed once per quarter of an hour.
  private var quarter = Int64.min
  private var offset: Int64 = 0

  init(_ style: EventTextStyle) { self.style = style }

  /// - Parameter digits: the decimals of a second: 0, 3 or 9.
  mutating func append(_ time: WallTime?, digits: Int, withDate: Bool, to text: inout TextBuffer) {
    defer {
      if origin == nil { origin = time }
      previous = time ?? previous
    }
    switch style.time {
    case .none: return
    case .absolute: appendAbsolute(time, digits: digits, withDate: withDate, to: &text)
    case .relative: appendSpan(from: origin, to: time, in: &text)
    case .delta: appendSpan(from: previous, to: time, in: &text)
    }
    text.append(UInt8(ascii: " "))
  }

  private mutating func appendAbsolute(_ time: WallTime?, digits: Int, withDate: Bool, to text: inout TextBuffer) {
    guard let time else {
      text.append(
        repeating: UInt8(ascii: " "), count: (withDate ? 11 : 0) + 8 + (digits > 0 ? 1 + digits : 0) + (style.isUTC ? 1 : 0))
      return
    }
    let (second, fraction) = time.nanoseconds.dividedDown(by: 1_000_000_000)
    let quarter = second.dividedDown(by: 900).quotient
    if quarter != self.quarter {
      self.quarter = quarter
      offset = Int64(style.zone.offset(second))
    }
    let civil = CivilTime(second: second + offset)
    if withDate {
      civil.appendDate(to: &text)
      text.append(UInt8(ascii: " "))
    }
    civil.appendTime(to: &text)
    if digits > 0 {
      text.append(UInt8(ascii: "."))
      text.append(UInt64(digits == 3 ? fraction / 1_000_000 : fraction), width: digits)
    }
    if style.isUTC { text.append(UInt8(ascii: "Z")) }
  }

  /// Appends the signed time between two moments, in seconds with three decimals, right-aligned in ten columns. The column stays
  /// empty if `end` is `nil`. If `start` is `nil`, the time is 0.
  private func appendSpan(from start: WallTime?, to end: WallTime?, in text: inout TextBuffer) {
    var span = TextBuffer(capacity: 32)
    if let end {
      let (difference, overflow) = end.nanoseconds.subtractingReportingOverflow((start ?? end).nanoseconds)
      let milliseconds = overflow ? 0 : difference / 1_000_000
      span.append(milliseconds < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
      span.append(decimal: milliseconds.magnitude / 1000)
      span.append(UInt8(ascii: "."))
      span.append(milliseconds.magnitude % 1000, width: 3)
    }
    text.append(repeating: UInt8(ascii: " "), count: 10 - span.count)
    text.append(span.bytes)
  }
}
