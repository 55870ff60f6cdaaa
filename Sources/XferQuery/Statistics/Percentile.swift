/// A percentile by nearest rank: the smallest value that so many per cent of all values do not exceed. Always one of the
/// values, never something in between, so that SQL over the index can give the same.
package struct Percentile: Hashable, Sendable {
  package let percent: Int

  package init(_ percent: Int) { self.percent = percent }

  package static let median = Percentile(50)
  package static let ninetieth = Percentile(90)

  /// - Parameter sorted: nanoseconds in rising order.
  /// - Returns: `nil` when there are no values.
  package func value(of sorted: [Int64]) -> Duration? {
    if sorted.isEmpty { return nil }
    return .nanoseconds(sorted[max(1, (percent * sorted.count + 99) / 100) - 1])
  }
}
