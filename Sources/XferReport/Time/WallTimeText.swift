package import XferEvents

/// A formatter for RFC 3339 times in UTC with nine fractional digits. The date is computed once per second, which is fast for
/// ordered times.
package struct WallTimeText: Sendable {
  private var second = Int64.min
  /// The text up to the fraction, such as `2026-11-20T14:02:07.`.
  private var prefix: [UInt8] = []

  package init() {}

  package mutating func append(_ time: WallTime, to text: inout TextBuffer) {
    let (second, fraction) = time.nanoseconds.dividedDown(by: 1_000_000_000)
    if second != self.second {
      self.second = second
      var beginning = TextBuffer(capacity: 64)
      beginning.append(prefixOf: second)
      prefix = Array(beginning.bytes)
    }
    text.append(prefix)
    text.append(fraction: fraction)
  }
}

extension TextBuffer {
  /// Appends a time in the form of RFC 3339, in UTC with nine digits of the second.
  package mutating func append(_ time: WallTime) {
    let (second, fraction) = time.nanoseconds.dividedDown(by: 1_000_000_000)
    append(prefixOf: second)
    append(fraction: fraction)
  }

  /// Appends the text up to the fraction, such as `2026-11-20T14:02:07.`.
  fileprivate mutating func append(prefixOf second: Int64) {
    let time = CivilTime(second: second)
    time.appendDate(to: &self)
    append(UInt8(ascii: "T"))
    time.appendTime(to: &self)
    append(UInt8(ascii: "."))
  }

  fileprivate mutating func append(fraction: Int64) {
    append(UInt64(fraction), width: 9)
    append(UInt8(ascii: "Z"))
  }
}

extension WallTime {
  /// Returns the time in the form of RFC 3339 with nine digits of the second: in UTC without a zone, otherwise with the zone's offset.
  package func description(in zone: ZoneRule?) -> String {
    guard let zone else { return description }
    let (second, fraction) = nanoseconds.dividedDown(by: 1_000_000_000)
    let offset = zone.offset(second)
    var text = TextBuffer(capacity: 64)
    text.append(prefixOf: second + Int64(offset))
    text.append(UInt64(fraction), width: 9)
    text.append(offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
    text.append(UInt64(offset.magnitude / 3600), width: 2)
    text.append(UInt8(ascii: ":"))
    text.append(UInt64(offset.magnitude / 60 % 60), width: 2)
    return text.string
  }
}

extension Int64 {
  /// Returns the quotient rounded towards negative infinity, and the non-negative remainder.
  package func dividedDown(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
