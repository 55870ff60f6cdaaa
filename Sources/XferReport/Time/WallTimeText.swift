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
      prefix = CivilTime(second: second).prefix
    }
    text.append(prefix)
    text.append(UInt64(fraction), width: 9)
    text.append(UInt8(ascii: "Z"))
  }
}

extension CivilTime {
  fileprivate var prefix: [UInt8] {
    var text = TextBuffer(capacity: 64)
    appendDate(to: &text)
    text.append(UInt8(ascii: "T"))
    appendTime(to: &text)
    text.append(UInt8(ascii: "."))
    return Array(text.bytes)
  }
}

extension Int64 {
  /// Returns the quotient rounded towards negative infinity, and the non-negative remainder.
  package func dividedDown(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
