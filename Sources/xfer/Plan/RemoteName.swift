import XferEngine

/// The name that a file from a URL gets when nobody gives one.
enum RemoteName {
  /// What a URL without a name gets, as with other tools.
  static let index = "index.html"
  /// The same, from curl.
  static let curlResponse = "curl_response"

  /// The last part of the URL's path, percent-decoded; it never leaves its directory, whatever the URL says.
  ///
  /// - Parameter otherwise: for a URL that has none.
  static func name(of url: String, otherwise: String) -> String {
    let end = url.firstIndex { $0 == "?" || $0 == "#" } ?? url.endIndex
    var path = url[..<end]
    while path.last == "/" { path.removeLast() }
    guard let mark = path.firstRange(of: "://"), path[mark.upperBound...].contains("/") else { return otherwise }
    return SuggestedFilename(contentDisposition: nil, urlText: String(path)).text
  }
}
