extension UnsatisfiedReason {
  /// The reason in a path's description, which Foundation adds to errors as `_NSURLErrorNWPathKey`.
  ///
  /// - Parameter text: for example `unsatisfied (Local network prohibited), interface: en0[802.11], ipv4, dns`.
  /// - Returns: `nil` if the path is satisfied, and for an unknown reason.
  package init?(pathDescription text: some StringProtocol) {
    let prefix = "unsatisfied ("
    guard text.hasPrefix(prefix), let end = text.firstIndex(of: ")") else { return nil }
    switch text[..<end].dropFirst(prefix.count).lowercased() {
    case "local network prohibited": self = .localNetworkDenied
    case "no network route": self = .notAvailable
    case "denied over cellular interface": self = .cellularDenied
    case "denied over wi-fi interface", "denied over wifi interface": self = .wifiDenied
    default: return nil
    }
  }
}
