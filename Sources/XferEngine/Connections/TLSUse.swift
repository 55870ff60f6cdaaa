/// How one connection is made where it is made with TLS.
struct TLSUse: Sendable, Equatable {
  /// Only to see who is there: it is given up before a request is sent.
  var isProbe = false
  /// Whether authorities, name and dates have to be in order.
  var verifies = true
  /// `sha256//…`: the key that the server must have.
  var pin: String?
  var certificate: TransferSession.ClientCertificate?
  /// Whether HTTP/2 is offered in the handshake.
  var offersHTTP2 = true
}

/// What the app has said of servers and their certificates, for as long as the session lives.
struct PeerDecisions {
  struct Trust: Equatable {
    /// The key that was trusted; `nil` where verification alone decides.
    var pin: String?
    var verifies: Bool
  }

  var trust: [URLFacts.Origin: Trust] = [:]
  /// `nil` within: the app has none for this server.
  var certificates: [URLFacts.Origin: TransferSession.ClientCertificate?] = [:]
  /// The servers that answered with an HTTP/2 status line on a connection that had not agreed on HTTP/2.
  var falseHTTP2: Set<URLFacts.Origin> = []
}
