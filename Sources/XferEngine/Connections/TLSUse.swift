/// The TLS settings of one connection.
struct TLSUse: Sendable, Equatable {
  /// Whether the connection only fetches the server's certificates and is closed before a request is sent.
  var isProbe = false
  /// Whether the certificate chain, the host name and the validity dates are verified.
  var verifies = true
  /// The public key that the server must have (`sha256//…`). `nil` for any key.
  var pin: String?
  var certificate: TransferSession.ClientCertificate?
  /// Whether HTTP/2 is offered in the handshake.
  var offersHTTP2 = true
}

/// The app's decisions about servers and client certificates. They apply until the session ends.
struct PeerDecisions {
  struct Trust: Equatable {
    /// The trusted public key (`sha256//…`). `nil` when only verification decides.
    var pin: String?
    var verifies: Bool
  }

  var trust: [URLFacts.Origin: Trust] = [:]
  /// The client certificate for each origin. A `nil` value means the app has none for this server.
  var certificates: [URLFacts.Origin: TransferSession.ClientCertificate?] = [:]
  /// The servers that answered with an HTTP/2 status line on a connection that had not agreed on HTTP/2.
  var falseHTTP2: Set<URLFacts.Origin> = []
}
