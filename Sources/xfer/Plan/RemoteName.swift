import XferEngine

/// The default name of a file downloaded from a URL, as in curl.
enum RemoteName {
  /// The file name for a URL whose path has no name.
  static let fallback = "curl_response"

  /// Returns the last non-empty component of the URL's path, percent-decoded. The name never points outside its directory.
  static func asCurl(_ url: String) -> String {
    let end = url.firstIndex { $0 == "?" || $0 == "#" } ?? url.endIndex
    var path = url[..<end]
    while path.last == "/" { path.removeLast() }
    guard let mark = path.firstRange(of: "://"), path[mark.upperBound...].contains("/") else { return fallback }
    return SuggestedFilename(contentDisposition: nil, urlText: String(path)).text
  }
}
