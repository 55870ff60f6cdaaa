// Clocks, counts and positions come from logs and may have any value, so computing with them must not overflow.
extension FixedWidthInteger {
  /// Returns the sum, clamped to the range of the type.
  @inlinable @inline(__always)
  package func addingClamped(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// Returns the difference, clamped to the range of the type.
  @inlinable @inline(__always)
  package func subtractingClamped(_ other: Self) -> Self {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}
