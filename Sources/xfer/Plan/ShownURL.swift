import Foundation
import XferEvents

/// A URL in the form shown in messages, without user, password, access tokens and fragment, because messages may be stored
/// in files.
enum ShownURL {
  static func text(_ url: String) -> String {
    let whole = url.prefix { $0 != "#" }
    guard let mark = whole.range(of: "://") else { return String(whole) }
    let authority = whole[mark.upperBound...].prefix { !"/?".contains($0) }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    let rest = whole[authority.endIndex...]
    let path = rest.prefix { $0 != "?" }
    let query = rest.endIndex > path.endIndex ? LoggedURL.query(String(rest[rest.index(after: path.endIndex)...])) : nil
    return "\(whole[..<mark.upperBound])\(host)\(LoggedURL.path(String(path)))\(query.map { "?\($0)" } ?? "")"
  }
}
