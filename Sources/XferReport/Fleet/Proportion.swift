#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A number of cases among a total, with the confidence interval of the rate.
package struct Proportion: Hashable, Sendable {
  package var count: Int
  package var total: Int

  package init(_ count: Int, of total: Int) { (self.count, self.total) = (count, total) }

  /// The share of the cases; `nil` without a total.
  var rate: Double? { total > 0 ? Double(count) / Double(total) : nil }

  /// Wilson's score interval with 95 % confidence; `nil` without a total.
  ///
  /// Unlike the interval from the normal distribution, it holds for few cases, and for none.
  var interval: ClosedRange<Double>? {
    guard let rate else { return nil }
    let (total, z) = (Double(total), 1.959963984540054)
    let scale = 1 + z * z / total
    let center = (rate + z * z / (2 * total)) / scale
    let reach = z / scale * (rate * (1 - rate) / total + z * z / (4 * total * total)).squareRoot()
    return max(0, center - reach)...min(1, center + reach)
  }

  /// The rate with its interval, such as `1.3 % (0.9–1.8 %)`.
  var text: String {
    guard let rate, let interval else { return "–" }
    return "\(Self.percent(rate)) % (\(Self.percent(interval.lowerBound))–\(Self.percent(interval.upperBound)) %)"
  }

  /// Returns a share in percent with one decimal, or with two significant digits if it is less than 1 %.
  static func percent(_ share: Double) -> String {
    let percent = share * 100
    if percent == 0 { return "0" }
    let scale = percent >= 1 ? 10.0 : percent >= 0.1 ? 100 : 1000
    let rounded = (percent * scale).rounded() / scale
    return rounded == rounded.rounded() ? "\(Int64(rounded))" : "\(rounded)"
  }
}
