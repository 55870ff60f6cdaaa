internal import Foundation
internal import XferEvents

/// What a log may have of a URL. User, password and fragment are not in it.
struct URLFacts: Sendable, Hashable {
  /// Lower case.
  let scheme: String?
  /// Lower case.
  let host: String?
  /// `nil` for the scheme's own.
  let port: Int?
  /// Percent-encoded, at least `/`, and without what grants access.
  let path: String
  /// Without what grants access; `nil` when nothing else is in it.
  let query: String?
  /// When the access that a signed URL grants ends.
  let credentialExpires: WallTime?
  /// Whether the URL has a password in it.
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

  /// What tells one resource from another: the URL without what only grants access to it.
  var resource: String {
    let base = "\(scheme ?? "")://\(host ?? "")\(port.map { ":\($0)" } ?? "")\(path)"
    return query.map { "\(base)?\($0)" } ?? base
  }
}
