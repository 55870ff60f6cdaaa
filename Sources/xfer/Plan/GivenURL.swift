import Foundation
import XferEngine

/// A URL as somebody typed it: the scheme may be missing, and user and password may stand in it.
struct GivenURL: Equatable {
  /// With its scheme and without user and password.
  private(set) var text: String
  /// `nil` when none was in it.
  let credential: TransferSession.Credential?

  /// - Parameter typed: without choices.
  init(_ typed: String) {
    // As curl has it: without a scheme it is http.
    // By bytes: a slash with a combining mark is another character.
    let whole = typed.utf8.firstRange(of: "://".utf8) == nil ? "http://\(typed)" : typed
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

  private static func decoded(_ text: Substring) -> String { text.removingPercentEncoding ?? String(text) }

  /// Whether the path ends with a slash, or there is none: a file that is sent gets its own name there.
  var isDirectory: Bool { path.isEmpty || path.hasSuffix("/") }

  private var path: Substring {
    guard let mark = text.range(of: "://") else { return "" }
    return text[mark.upperBound...].prefix { $0 != "?" && $0 != "#" }.drop { $0 != "/" }
  }

  /// Puts a file's name at the end of the path.
  mutating func append(fileName: String) {
    let allowed = CharacterSet.urlPathAllowed.subtracting(["/"])
    let name = fileName.addingPercentEncoding(withAllowedCharacters: allowed) ?? fileName
    let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
    text.insert(contentsOf: path.isEmpty ? "/\(name)" : name, at: end)
  }

  /// Adds to the query.
  mutating func append(query: String) {
    let end = text.firstIndex(of: "#") ?? text.endIndex
    text.insert(contentsOf: "\(text[..<end].contains("?") ? "&" : "?")\(query)", at: end)
  }
}
