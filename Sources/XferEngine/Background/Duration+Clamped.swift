extension Duration {
  /// A time limit that came in a message. Zero for negative numbers and NaN; at most 1,000,000,000 seconds (31 years).
  init(clampingSeconds seconds: Double) { self = .seconds(seconds > 0 ? min(seconds, 1e9) : 0) }
}
