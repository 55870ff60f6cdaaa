/// The text of a host with its port.
package enum HostText {
  /// Returns `:` and the port; empty for the default port of the scheme.
  package static func suffix(port: Int?, scheme: String?) -> String {
    guard let port else { return "" }
    switch (scheme, port) {
    case ("http", 80), ("https", 443): return ""
    default: return ":\(port)"
    }
  }
}
