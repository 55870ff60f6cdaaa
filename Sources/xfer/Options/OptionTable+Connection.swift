import XferEngine

// MARK: Connection and trust options
extension OptionTable {
  private static let version: OptionSpec.Path<SessionSettings.HTTPVersionChoice?> = \.current.session.httpVersion

  static let connection: [OptionSpec] = [
    .text("proxy", "x", "URL", \.current.session.proxy, "Use this proxy (http://, https://, socks4a://, socks5h://).")
      .exposing(.url),
    .text("proxy-user", "U", "USER:PASSWORD", \.current.session.proxyUser, "Credentials for the proxy.").exposing(.secret),
    .text(
      "noproxy", nil, "HOSTS", \.current.session.noProxy, "Hosts to reach without the proxy, separated by commas (* for all)."),
    .flag("proxytunnel", "p", \.current.session.tunnels, "Tunnel through the proxy for http:// URLs too."),
    .choice("http1.0", "0", version, .http10, otherwise: nil, "Use HTTP/1.0."),
    .choice("http1.1", nil, version, .http11, otherwise: nil, "Use HTTP/1.1."),
    .choice("http2", nil, version, .http2, otherwise: nil, "Use HTTP/2 if the server supports it."),
    .choice("http2-prior-knowledge", nil, version, .http2PriorKnowledge, otherwise: nil, "Use HTTP/2 without negotiation."),
    .choice("ipv4", "4", \.current.session.addressFamily, .ipv4, otherwise: .any, "Use IPv4 addresses only."),
    .choice("ipv6", "6", \.current.session.addressFamily, .ipv6, otherwise: .any, "Use IPv6 addresses only."),
    .list(
      "resolve", nil, "HOST:PORT:ADDRESS", \.current.session.resolve,
      "Connect to ADDRESS for this host and port (* for every host)."),
    .bytes("limit-rate", \.current.session.rate, "Maximum speed of each transfer, in bytes per second."),
    .read(
      "rate", nil, "COUNT/UNIT", \.run.interval,
      "Maximum number of transfers to start per second (s), minute (m), hour (h) or day (d)."
    ) { text throws(OptionProblem) in try OptionValue.interval(text) },
  ]

  static let trust: [OptionSpec] = [
    .flag(
      "insecure", "k", \.current.session.isInsecure,
      "Accept any server certificate without verification (recorded in the log as a message at the level fault)."),
    .text(
      "cacert", nil, "FILE", \.current.session.authorities,
      "Trust the certificate authorities in this PEM file instead of the system's."),
    .text(
      "pinnedpubkey", nil, "sha256//KEY", \.current.session.pins,
      "Accept only servers with one of these hashes of the public key, separated by semicolons."),
    .text(
      "cert", "E", "FILE[:PASSWORD]", \.current.session.certificate, "Client certificate in PEM."
    ).exposing(.secret),
    .text("key", nil, "FILE", \.current.session.key, "Private key of the client certificate, if stored in a separate file."),
    .text("pass", nil, "PASSWORD", \.current.session.keyPassword, "Password of the private key.").exposing(.secret),
    .choice(
      "tlsv1.2", nil, \.current.session.tlsMinimum, .tlsV12, otherwise: nil, "Require TLS 1.2 or later."),
    .choice("tlsv1.3", nil, \.current.session.tlsMinimum, .tlsV13, otherwise: nil, "Require TLS 1.3 or later."),
    .choice("tlsv1.0", nil, \.current.session.tlsMinimum, .tlsV10, otherwise: nil, "Require TLS 1.0 or later."),
    .choice("tlsv1.1", nil, \.current.session.tlsMinimum, .tlsV11, otherwise: nil, "Require TLS 1.1 or later."),
    .read("tls-max", nil, "VERSION", \.current.session.tlsMaximum, "Highest TLS version (1.0, 1.1, 1.2 or 1.3).") {
      text throws(OptionProblem) in try OptionValue.tlsVersion(text)
    },
  ]
}

extension OptionValue {
  /// Returns the time between two starts for a rate written as `2/s`, `30/m` or `5`. The default unit is a second.
  fileprivate static func interval(_ text: String) throws(OptionProblem) -> Duration? {
    let units: [Substring: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let count = Int(parts[0])
    let unit = parts.count == 1 ? 1 : units[parts[1]]
    guard let count, let unit, count > 0 else { throw OptionProblem("a count and a unit, such as 2/s or 30/m") }
    return .seconds(unit / Double(count))
  }

  fileprivate static func tlsVersion(_ text: String) throws(OptionProblem) -> TransferSession.TLSProtocolVersion? {
    switch text {
    case "default": return nil
    case "1.0": return .tlsV10
    case "1.1": return .tlsV11
    case "1.2": return .tlsV12
    case "1.3": return .tlsV13
    default: throw OptionProblem("1.0, 1.1, 1.2, 1.3 or default")
    }
  }
}
