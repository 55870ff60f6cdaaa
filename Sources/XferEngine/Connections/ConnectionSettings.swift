extension TransferSession {
  /// A proxy server for connections.
  public struct Proxy: Sendable, Equatable {
    /// The proxy's URL without user and password: `http://host:port`, `https://…`, `socks4a://…` or `socks5h://…`.
    public var urlText: String
    public var credential: Credential?
    /// Hosts and domains that are reached without the proxy. `*` matches all.
    public var exceptions: [String] = []
    /// Whether http requests are tunnelled through the proxy too. https requests always are.
    public var tunnelsEverything = false

    public init(_ urlText: String, credential: Credential? = nil) {
      self.urlText = urlText
      self.credential = credential
    }
  }

  /// A TLS version. Corresponds to `tls_protocol_version_t`.
  public enum TLSProtocolVersion: Sendable, CaseIterable, Comparable {
    case tlsV10, tlsV11, tlsV12, tlsV13
  }

  /// The rules for verifying servers.
  public struct ServerTrust: Sendable, Equatable {
    /// A PEM file with the only trusted certificate authorities. `nil` means the system's authorities.
    public var authoritiesFile: String?
    /// Pinned public keys, as `sha256//` and a base64 digest. The server must have one of them and a valid certificate.
    public var pinnedPublicKeys: [String] = []
    /// Whether server certificates are not verified. Exposes all traffic to interception; the log records a fault.
    public var allowsAnyServer = false

    public init() {}
  }

  /// A client certificate and its private key, in PEM files.
  public struct ClientCertificate: Sendable, Equatable {
    public var certificateFile: String
    /// The file with the private key. `nil` when the certificate's file contains the key.
    public var keyFile: String?
    public var keyPassword: String?

    public init(certificateFile: String, keyFile: String? = nil, keyPassword: String? = nil) {
      self.certificateFile = certificateFile
      self.keyFile = keyFile
      self.keyPassword = keyPassword
    }
  }

  /// The HTTP versions that a session uses.
  public enum HTTPVersions: String, Sendable, CaseIterable {
    /// HTTP/2 if it is negotiated in TLS, otherwise HTTP/1.1.
    case automatic
    case http10
    case http1
    /// HTTP/2 without negotiation, with and without TLS.
    case http2PriorKnowledge
  }
}
