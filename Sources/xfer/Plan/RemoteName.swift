import Foundation

/// The name that a file from a URL gets when nobody gives one.
enum RemoteName {
  /// What a URL whose path ends with a slash gets, as with other tools.
  static let index = "index.html"

  /// The last part of the URL's path, percent-decoded; it never leaves its directory, whatever the URL says.
  static func name(of urlText: String) -> String {
    let rest = urlText.range(of: "://").map { urlText[$0.upperBound...] } ?? urlText[...]
    let path = rest.prefix { $0 != "?" && $0 != "#" }.drop { $0 != "/" }
    let last = String(path.split(separator: "/", omittingEmptySubsequences: false).last ?? "")
    let name = last.removingPercentEncoding ?? last
    if name.isEmpty { return index }
    if name == "." || name == ".." { return String(name.map { _ in "_" }) }
    return String(String.UnicodeScalarView(name.unicodeScalars.map { isUsable($0) ? $0 : "_" }))
  }

  private static func isUsable(_ scalar: Unicode.Scalar) -> Bool { scalar != "/" && scalar.value >= 0x20 && scalar.value != 0x7F }
}
