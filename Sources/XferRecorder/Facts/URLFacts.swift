internal import Foundation
internal import XferEvents

/// The loggable parts of a URL, without user, password and fragment.
struct URLFacts: Sendable, Hashable {
  /// The scheme in lowercase. `nil` when the URL has none.
  let scheme: String?
  /// The host in lowercase. `nil` when the URL has none.
  let host: String?
  /// The port. `nil` for the scheme's default port.
  let port: Int?
  /// The percent-encoded path, at least `/`, without parts that grant access.
  let path: String
  /// The query without parameters that grant access. `nil` when no other parameters exist.
  let query: String?
  /// The expiry time of a signed URL. `nil` when the URL states none.
  let credentialExpires: WallTime?
  /// Whether the URL contains a password.
  let hasPassword: Bool

  init(_ url: URL) {
    let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    let scheme = parts?.scheme?.lowercased()
    self.scheme = scheme
    host = parts?.host.map { LoggedText.bounded($0.lowercased(), 256) }
    port = parts?.port.flatMap { $0 == (scheme == "https" ? 443 : 80) ? nil : $0 }
    let path = parts?.percentEncodedPath ?? ""
    self.path = LoggedURL.path(path.isEmpty ? "/" : path)
    query = parts?.percentEncodedQuery.flatMap(LoggedURL.query)
    credentialExpires = parts?.percentEncodedQuery.flatMap(SignedParameters.expiry)
    hasPassword = parts?.password != nil
  }

  /// The URL without parts that only grant access, as the identity of the resource.
  var resource: String {
    let base = "\(scheme ?? "")://\(host ?? "")\(port.map { ":\($0)" } ?? "")\(path)"
    return query.map { "\(base)?\($0)" } ?? base
  }
}
