/// Clocks, counts and positions come from logs, which may say anything: what is worked out from them must not end the program.
extension FixedWidthInteger {
  /// The sum, or the nearest value that there is.
  @inlinable @inline(__always)
  package func addingClamped(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the nearest value that there is.
  @inlinable @inline(__always)
  package func subtractingClamped(_ other: Self) -> Self {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}
