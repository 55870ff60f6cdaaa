/// Rates of transfers.
package enum ByteRate {
  /// Returns the rate in bytes per second, or 0 when no time has passed.
  package static func perSecond(_ bytes: Int64, in time: Duration) -> Int64 {
    time > .zero ? Int64(max(-9e18, min(9e18, Double(bytes) / (time / .seconds(1))))) : 0
  }
}
