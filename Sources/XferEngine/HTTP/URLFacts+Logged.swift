internal import XferEvents

// The parts of a URL that may be logged.
extension URLFacts {
  /// The query without secret parameters. `nil` when nothing remains.
  var loggedQuery: String? { query.flatMap(LoggedURL.query) }

  /// The path without secrets.
  var loggedPath: String { LoggedURL.path(path) }

  /// The text that identifies the resource: the URL without access tokens and signatures.
  var resource: String {
    let base = "\(scheme)://\(authority)\(loggedPath)"
    return loggedQuery.map { "\(base)?\($0)" } ?? base
  }
}
