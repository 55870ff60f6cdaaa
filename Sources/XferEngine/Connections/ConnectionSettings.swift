extension TransferSession {
  /// Which way connections take.
  public struct Proxy: Sendable, Equatable {
    /// `http://host:port`, `https://…`, `socks4a://…` or `socks5h://…`, without user and password.
    public var urlText: String
    public var credential: Credential?
    /// Hosts and domains that are reached without it; `*` is all of them.
    public var exceptions: [String] = []
    /// Whether http, too, goes through a tunnel; https always does.
    public var tunnelsEverything = false

    public init(_ urlText: String, credential: Credential? = nil) {
      self.urlText = urlText
      self.credential = credential
    }
  }

  /// URLSession's `tls_protocol_version_t`.
  public enum TLSProtocolVersion: Sendable, CaseIterable, Comparable {
    case tlsV10, tlsV11, tlsV12, tlsV13
  }

  /// Which servers are believed to be who they say.
  public struct ServerTrust: Sendable, Equatable {
    /// Certificates in PEM of the authorities that count, and no others; `nil` for the system's.
    public var authoritiesFile: String?
    /// `sha256//…`, the digests of public keys of which the server must have one, on top of a valid certificate.
    public var pinnedPublicKeys: [String] = []
    /// Believes everybody: whoever sits in between reads and changes everything. The log has it as a fault.
    public var allowsAnyServer = false

    public init() {}
  }

  /// The certificate by which a server knows the client; both in PEM.
  public struct ClientCertificate: Sendable, Equatable {
    public var certificateFile: String
    /// `nil` when it is in the certificate's file.
    public var keyFile: String?
    public var keyPassword: String?

    public init(certificateFile: String, keyFile: String? = nil, keyPassword: String? = nil) {
      self.certificateFile = certificateFile
      self.keyFile = keyFile
      self.keyPassword = keyPassword
    }
  }

  /// The versions of HTTP that are spoken.
  public enum HTTPVersions: String, Sendable, CaseIterable {
    /// HTTP/2 where TLS agrees on it, else HTTP/1.1.
    case automatic
    case http10
    case http1
    /// HTTP/2 without being asked whether the server speaks it, also without TLS.
    case http2PriorKnowledge
  }
}
