extension TransferSession {
  /// Who asks for a credential: URLSession's protection space.
  public struct ProtectionSpace: Sendable, Hashable {
    /// `http` or `https`.
    public var scheme: String
    public var host: String
    public var port: Int
    /// Whether it is the proxy that asks.
    public var isProxy: Bool
    /// As the server names it; `nil` for a method without realms.
    public var realm: String?
    public var authenticationMethod: AuthenticationMethod
    /// What the server has shown, where that is the question (`serverTrust`).
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

  public enum AuthenticationMethod: Sendable, Hashable, CaseIterable {
    /// User and password as they are (RFC 7617).
    case httpBasic
    /// User and password, hashed with what the server sends (RFC 7616).
    case httpDigest
    /// Whether the server is to be believed; asked where the session's configuration says so.
    case serverTrust
    /// The server wants to know its client by a certificate.
    case clientCertificate
  }

  /// User and password, or what TLS has in their place.
  public struct Credential: Sendable, Equatable {
    public var user = ""
    public var password = ""
    /// The server that is believed.
    public private(set) var serverTrust: PeerTrust?
    public private(set) var clientCertificate: ClientCertificate?

    public init(user: String, password: String) {
      self.user = user
      self.password = password
    }

    /// Believes the server that has shown this, as long as it has the same key, whatever is wrong with its certificate.
    ///
    /// - Parameter trust: the challenge's `protectionSpace.serverTrust`.
    public init(trust: PeerTrust) { serverTrust = trust }

    public init(clientCertificate: ClientCertificate) { self.clientCertificate = clientCertificate }
  }

  /// What a delegate is asked when a server or a proxy wants a credential.
  public struct AuthenticationChallenge: Sendable {
    public let protectionSpace: ProtectionSpace
    /// How many credentials were refused before.
    public let previousFailureCount: Int
    /// What the session has for this space; `nil` when it has none, or when that was refused.
    public let proposedCredential: Credential?
    /// The response that asks; `nil` where TLS does.
    public let failureResponse: TransferResponse?
    /// What the connection failed with, where TLS asks because of that; a challenge that is left to default handling ends the task with it.
    public var error: TransferError?
  }

  /// URLSession's answers.
  public enum AuthChallengeDisposition: Sendable {
    /// With the credential that is given; without one the request goes on as it is.
    case useCredential
    /// As if there were no delegate: with the session's own credential, else the response is the result. A server is believed if its
    /// certificate is valid.
    case performDefaultHandling
    /// The task fails.
    case cancelAuthenticationChallenge
    /// The next method that the server offers is tried; without one the response is the result. A server is not believed.
    case rejectProtectionSpace
  }
}

extension TransferSession.Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Never the values.
  public var description: String { "Credential" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
