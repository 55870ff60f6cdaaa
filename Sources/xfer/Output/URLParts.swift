import Foundation

/// The parts of a URL, by curl's names.
struct URLParts {
  private let components: URLComponents?

  init(_ text: String) { components = URLComponents(string: text) }

  var scheme: String? { components?.scheme?.lowercased() }

  /// Returns the part with the given name. The outer optional is `nil` for an unknown name, the inner one for a missing part.
  subscript(name: Substring) -> String?? {
    switch name {
    case "scheme": scheme
    case "host": components?.percentEncodedHost
    case "port": components?.port.map(String.init) ?? (scheme == "https" ? "443" : "80")
    case "path": components?.percentEncodedPath
    case "query": components?.percentEncodedQuery
    case "fragment": components?.percentEncodedFragment
    case "user": components?.percentEncodedUser
    case "password": components?.percentEncodedPassword
    default: .none
    }
  }
}
