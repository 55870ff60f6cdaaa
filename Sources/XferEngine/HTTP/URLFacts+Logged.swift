internal import XferEvents

// What of a URL a log may have.
extension URLFacts {
  /// The query as a log may have it; `nil` when there is none, or nothing else in it.
  var loggedQuery: String? { query.flatMap(LoggedURL.query) }

  /// The path as a log may have it.
  var loggedPath: String { LoggedURL.path(path) }

  /// What tells one resource from another: the URL without what only grants access to it.
  var resource: String {
    let base = "\(scheme)://\(authority)\(loggedPath)"
    return loggedQuery.map { "\(base)?\($0)" } ?? base
  }
}
