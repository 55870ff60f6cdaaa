extension Duration {
  /// Creates a duration from seconds received in a message. Negative numbers and NaN become zero; the maximum is 1,000,000,000
  /// seconds (31 years).
  init(clampingSeconds seconds: Double) { self = .seconds(seconds > 0 ? min(seconds, 1e9) : 0) }
}
