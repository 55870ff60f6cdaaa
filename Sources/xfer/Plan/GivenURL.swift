import Foundation
import XferEngine

/// A URL as typed by the user, possibly without a scheme and with user and password.
struct GivenURL: Equatable {
  /// The URL with its scheme but without user and password.
  private(set) var text: String
  /// The user and password in the URL. `nil` when the URL has none.
  let credential: TransferSession.Credential?

  /// - Parameter typed: The typed URL, after `{}` and `[]` have been expanded.
  init(_ typed: String) {
    let whole = Self.withScheme(typed)
    // Compare bytes, because a slash with a combining mark is a different `Character`.
    guard let mark = whole.utf8.firstRange(of: "://".utf8) else {
      (text, credential) = (whole, nil)
      return
    }
    let authority = whole[mark.upperBound...].prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@") else {
      (text, credential) = (whole, nil)
      return
    }
    let parts = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    text = "\(whole[..<mark.upperBound])\(authority[authority.index(after: at)...])\(whole[authority.endIndex...])"
    credential = TransferSession.Credential(
      user: Self.decoded(parts[0]), password: parts.count > 1 ? Self.decoded(parts[1]) : "")
  }

  /// Adds what is missing from the URL's beginning. As in curl, the default scheme is http, and `http:/host` means `http://host`.
  private static func withScheme(_ typed: String) -> String {
    for scheme in ["http:/", "https:/"] where typed.prefix(scheme.count).lowercased() == scheme {
      let rest = typed.dropFirst(scheme.count)
      return rest.first == "/" ? typed : "\(typed.prefix(scheme.count))/\(rest)"
    }
    // The query may contain another URL, so only the part before it can be a scheme.
    let mark = typed.utf8.firstRange(of: "://".utf8)
    let hasScheme = mark.map { typed[..<$0.lowerBound].utf8.allSatisfy { !"/?#".utf8.contains($0) } } ?? false
    return hasScheme ? typed : "http://\(typed)"
  }

  private static func decoded(_ text: Substring) -> String { text.removingPercentEncoding ?? String(text) }

  /// Whether the URL has no path or its path ends in a slash, so that an uploaded file's name is appended.
  var isDirectory: Bool { path.isEmpty || path.hasSuffix("/") }

  private var path: Substring {
    guard let mark = text.range(of: "://") else { return "" }
    return text[mark.upperBound...].prefix { $0 != "?" && $0 != "#" }.drop { $0 != "/" }
  }

  /// Appends a file name to the path.
  mutating func append(fileName: String) {
    let allowed = CharacterSet.urlPathAllowed.subtracting(["/"])
    let name = fileName.addingPercentEncoding(withAllowedCharacters: allowed) ?? fileName
    let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
    text.insert(contentsOf: path.isEmpty ? "/\(name)" : name, at: end)
  }

  /// Appends text to the query.
  mutating func append(query: String) {
    let end = text.firstIndex(of: "#") ?? text.endIndex
    text.insert(contentsOf: "\(text[..<end].contains("?") ? "&" : "?")\(query)", at: end)
  }
}
