import XferEngine

/// The name that a file from a URL gets when nobody gives one, as curl has it.
enum RemoteName {
  /// For a URL that has no name at all.
  static let fallback = "curl_response"

  /// The last part of the URL's path that is not empty, percent-decoded; it never leaves its directory, whatever the URL says.
  static func asCurl(_ url: String) -> String {
    let end = url.firstIndex { $0 == "?" || $0 == "#" } ?? url.endIndex
    var path = url[..<end]
    while path.last == "/" { path.removeLast() }
    guard let mark = path.firstRange(of: "://"), path[mark.upperBound...].contains("/") else { return fallback }
    return SuggestedFilename(contentDisposition: nil, urlText: String(path)).text
  }
}
