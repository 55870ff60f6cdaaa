/// Cases whose outcome differs, with the reason for each; whatever else differs fails.
enum KnownDisagreements {
  static let xfer: [Int: String] = [:]

  /// Of the curl that Debian 12 has, which is three years older than the cases.
  static let curl7_88: [Int: String] = [:]
}
