/// The position of a piece of work in a distributed trace (W3C Trace Context, level 1), as the header field `traceparent` carries it.
package struct TraceContext: Hashable, Sendable {
  /// The identifier of the trace, never all zeros.
  package let traceHigh: UInt64
  package let traceLow: UInt64
  /// The identifier of the span, never 0.
  package let span: UInt64
  /// Bit 0: whether the caller may have recorded the trace.
  package let flags: UInt8

  /// - Returns: `nil` for an identifier of all zeros, which is invalid.
  package init?(traceHigh: UInt64, traceLow: UInt64, span: UInt64, flags: UInt8 = 1) {
    guard traceHigh != 0 || traceLow != 0, span != 0 else { return nil }
    (self.traceHigh, self.traceLow, self.span, self.flags) = (traceHigh, traceLow, span, flags)
  }

  /// Parses a value such as `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`.
  ///
  /// A value of a later version may have more parts, which are ignored.
  ///
  /// - Returns: `nil` if the value is malformed.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 4, let version = Self.number(parts[0], digits: 2), version != 0xFF, parts.count == 4 || version > 0,
      parts[1].utf8.count == 32, let high = Self.number(parts[1].prefix(16), digits: 16),
      let low = Self.number(parts[1].dropFirst(16), digits: 16), let span = Self.number(parts[2], digits: 16),
      let flags = Self.number(parts[3], digits: 2)
    else { return nil }
    // Version 0 knows only the flag "sampled".
    self.init(traceHigh: high, traceLow: low, span: span, flags: UInt8(flags & 1))
  }

  /// The value of the header field.
  package var text: String {
    "00-\(trace)-\(span.hexadecimal)-\(flags & 1 == 1 ? "01" : "00")"
  }

  /// The identifier of the trace, as 32 digits.
  package var trace: String { traceHigh.hexadecimal + traceLow.hexadecimal }

  /// Returns the position of another span of the same trace; `nil` for the span 0.
  package func child(_ span: UInt64) -> TraceContext? {
    TraceContext(traceHigh: traceHigh, traceLow: traceLow, span: span, flags: flags)
  }

  /// Only lowercase digits are valid.
  private static func number(_ text: some StringProtocol, digits: Int) -> UInt64? {
    guard text.utf8.count == digits,
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    else { return nil }
    return UInt64(text, radix: 16)
  }
}
