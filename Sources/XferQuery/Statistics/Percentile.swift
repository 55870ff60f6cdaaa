/// A percentile by nearest rank: the smallest value that at least the given percentage of all values do not exceed. The result is
/// always one of the values, so that SQL over the index computes the same result.
package struct Percentile: Hashable, Sendable {
  package let percent: Int

  package init(_ percent: Int) { self.percent = percent }

  package static let median = Percentile(50)
  package static let ninetieth = Percentile(90)

  /// - Parameter sorted: nanoseconds in ascending order.
  /// - Returns: the percentile; `nil` when there are no values.
  package func value(of sorted: [Int64]) -> Duration? {
    number(of: sorted).map { .nanoseconds($0) }
  }

  /// Returns the percentile of numbers in ascending order; `nil` if there are none.
  func number(of sorted: [Int64]) -> Int64? {
    sorted.isEmpty ? nil : sorted[max(1, (percent * sorted.count + 99) / 100) - 1]
  }
}
