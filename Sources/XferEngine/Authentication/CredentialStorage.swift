internal import Synchronization

extension TransferSession {
  /// The credentials that sessions use without asking anybody; may be shared by several.
  ///
  /// In memory only. Nothing of it gets into a log.
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

    /// - Parameter credential: `nil` to forget it.
    public func set(_ credential: Credential?, for space: ProtectionSpace) { state.withLock { $0.spaces[space] = credential } }

    /// For whatever this server asks for, by any method and in any realm.
    public func setDefaultCredential(_ credential: Credential?, scheme: String, host: String, port: Int, isProxy: Bool = false) {
      let space = ProtectionSpace(scheme: scheme, host: host, port: port, isProxy: isProxy, authenticationMethod: .httpBasic)
      state.withLock { $0.servers[Server(space)] = credential }
    }

    /// That of the space itself, else its server's.
    public func credential(for space: ProtectionSpace) -> Credential? {
      state.withLock { $0.spaces[space] ?? $0.servers[Server(space)] }
    }
  }
}
