extension Duration {
  /// The duration with at most two units: `850ns`, `120µs`, `62ms`, `1.9s`, `2m 10s`, `3h 5m`, `2d 4h`.
  package var short: String {
    let (seconds, attoseconds) = components
    if seconds < 0 || attoseconds < 0 { return "-" + (.zero - self).short }
    let nanoseconds = attoseconds / 1_000_000_000
    switch seconds {
    case 0:
      if nanoseconds >= 1_000_000 { return "\(nanoseconds / 1_000_000)ms" }
      if nanoseconds >= 1000 { return "\(nanoseconds / 1000)µs" }
      return nanoseconds == 0 ? "0s" : "\(nanoseconds)ns"
    case ..<60:
      let tenths = nanoseconds / 100_000_000
      return tenths == 0 ? "\(seconds)s" : "\(seconds).\(tenths)s"
    case ..<3600: return Self.pair(seconds / 60, "m", seconds % 60, "s")
    case ..<86_400: return Self.pair(seconds / 3600, "h", seconds / 60 % 60, "m")
    default: return Self.pair(seconds / 86_400, "d", seconds / 3600 % 24, "h")
    }
  }

  private static func pair(_ large: Int64, _ largeUnit: String, _ small: Int64, _ smallUnit: String) -> String {
    small == 0 ? "\(large)\(largeUnit)" : "\(large)\(largeUnit) \(small)\(smallUnit)"
  }
}
