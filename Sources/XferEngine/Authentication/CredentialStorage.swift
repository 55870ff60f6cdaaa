internal import Synchronization

extension TransferSession {
  /// A store of credentials that sessions use without asking the delegate. Several sessions may share it.
  ///
  /// Credentials are kept in memory only and never logged.
  public final class CredentialStorage: Sendable {
    private struct Server: Hashable {
      let scheme: String
      let host: String
      let port: Int
      let isProxy: Bool

      init(_ space: ProtectionSpace) {
        (scheme, host, port, isProxy) = (space.scheme, space.host.lowercased(), space.port, space.isProxy)
      }
    }

    private struct State {
      var spaces: [ProtectionSpace: Credential] = [:]
      var servers: [Server: Credential] = [:]
    }

    private let state = Mutex(State())

    public init() {}

    /// Sets the credential of a protection space.
    ///
    /// - Parameter credential: the credential; `nil` removes it.
    public func set(_ credential: Credential?, for space: ProtectionSpace) { state.withLock { $0.spaces[space] = credential } }

    /// Sets the credential of a server for all methods and realms. `nil` removes it.
    public func setDefaultCredential(_ credential: Credential?, scheme: String, host: String, port: Int, isProxy: Bool = false) {
      let space = ProtectionSpace(scheme: scheme, host: host, port: port, isProxy: isProxy, authenticationMethod: .httpBasic)
      state.withLock { $0.servers[Server(space)] = credential }
    }

    /// Returns the credential of a protection space. If there is none, returns the default credential of the space's server, or
    /// `nil` if there is none either.
    public func credential(for space: ProtectionSpace) -> Credential? {
      state.withLock { $0.spaces[space] ?? $0.servers[Server(space)] }
    }
  }
}
