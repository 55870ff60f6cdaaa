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
    guard let mark = whole.schemeMark else {
      (text, credential) = (whole, nil)
      return
    }
    // Compare bytes, because a slash with a combining mark is a different `Character`.
    let authority = Substring(whole.utf8[mark.upperBound...].prefix { !Self.endsAuthority($0) })
    guard let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) else {
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
    for scheme in ["http:/", "https:/"] where begins(typed, with: scheme) {
      let rest = typed.utf8.dropFirst(scheme.utf8.count)
      return rest.first == UInt8(ascii: "/") ? typed : "\(typed[..<rest.startIndex])/\(typed[rest.startIndex...])"
    }
    // The query may contain another URL, so only the part before it can be a scheme.
    let hasScheme = typed.schemeMark.map { !typed.utf8[..<$0.lowerBound].contains(where: endsAuthority) } ?? false
    return hasScheme ? typed : "http://\(typed)"
  }

  private static func endsAuthority(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }

  /// Whether a URL begins with a text in lower case, in any case.
  private static func begins(_ typed: String, with scheme: String) -> Bool {
    let bytes = typed.utf8.prefix(scheme.utf8.count)
    return bytes.count == scheme.utf8.count
      && zip(bytes, scheme.utf8).allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 + 32 == $1 : $0 == $1 }
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
