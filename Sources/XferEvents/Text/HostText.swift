/// The text of a host with its port.
package enum HostText {
  /// Returns the host, with `:` and the port unless that is the default one of the scheme. An IPv6 address is put in brackets, as in a URL.
  package static func text(_ host: String, port: Int?, scheme: String?) -> String {
    let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    guard let port else { return name }
    switch (scheme, port) {
    case ("http", 80), ("https", 443): return name
    default: return "\(name):\(port)"
    }
  }
}
