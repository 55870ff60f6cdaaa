extension TransferSession {
  /// The server or proxy that requires a credential, and its realm. Corresponds to `URLProtectionSpace`.
  public struct ProtectionSpace: Sendable, Hashable {
    /// The scheme, `http` or `https`.
    public var scheme: String
    public var host: String
    public var port: Int
    /// Whether a proxy requires the credential.
    public var isProxy: Bool
    /// The server's name for the realm. `nil` for a method without realms.
    public var realm: String?
    public var authenticationMethod: AuthenticationMethod
    /// The server's certificates. `nil` unless the method is `serverTrust`.
    public var serverTrust: PeerTrust?

    public init(
      scheme: String, host: String, port: Int, isProxy: Bool = false, realm: String? = nil,
      authenticationMethod: AuthenticationMethod, serverTrust: PeerTrust? = nil
    ) {
      self.serverTrust = serverTrust
      self.scheme = scheme
      self.host = host
      self.port = port
      self.isProxy = isProxy
      self.realm = realm
      self.authenticationMethod = authenticationMethod
    }
  }

  /// The method by which a server or client authenticates.
  public enum AuthenticationMethod: Sendable, Hashable, CaseIterable {
    /// User and password in clear text (RFC 7617).
    case httpBasic
    /// User and password, hashed with the server's nonce (RFC 7616).
    case httpDigest
    /// The app decides whether to trust the server. The delegate receives this challenge only if the session's configuration
    /// enables it.
    case serverTrust
    /// A client certificate in TLS.
    case clientCertificate
  }

  /// A user and password, a trusted server or a client certificate.
  public struct Credential: Sendable, Equatable {
    public var user = ""
    public var password = ""
    /// The certificates of the trusted server. `nil` for other credentials.
    public private(set) var serverTrust: PeerTrust?
    public private(set) var clientCertificate: ClientCertificate?

    public init(user: String, password: String) {
      self.user = user
      self.password = password
    }

    /// Makes a credential that trusts a server as long as its public key is unchanged, even if its certificate is invalid.
    ///
    /// - Parameter trust: the challenge's `protectionSpace.serverTrust`.
    public init(trust: PeerTrust) { serverTrust = trust }

    public init(clientCertificate: ClientCertificate) { self.clientCertificate = clientCertificate }
  }

  /// A request to the delegate for a credential.
  public struct AuthenticationChallenge: Sendable {
    public let protectionSpace: ProtectionSpace
    /// The number of credentials that the server has already rejected for this task.
    public let previousFailureCount: Int
    /// The session's credential for the protection space. `nil` when it has none or when the server rejected it.
    public let proposedCredential: Credential?
    /// The response that contains the challenge. `nil` for a TLS challenge.
    public let failureResponse: TransferResponse?
    /// The error of a failed TLS handshake, with which default handling fails the task. `nil` if no handshake failed.
    public var error: TransferError?
  }

  /// The delegate's answer to a challenge, as in URLSession.
  public enum AuthChallengeDisposition: Sendable {
    /// The given credential is used. If it is `nil`, the 401 response is the task's result, or TLS continues without a client
    /// certificate.
    case useCredential
    /// The challenge is handled as in a session without a delegate. The session's credential is used; if there is none, the
    /// response is the task's result. A server is trusted if its certificate is valid.
    case performDefaultHandling
    /// The task fails.
    case cancelAuthenticationChallenge
    /// The next method that the server offers is tried; if there is none, the response is the task's result. For `serverTrust`,
    /// the task fails.
    case rejectProtectionSpace
  }
}

extension TransferSession.Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A constant text, so that credentials are never printed.
  public var description: String { "Credential" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
