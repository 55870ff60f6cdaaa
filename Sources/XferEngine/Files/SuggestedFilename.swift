internal import HTTPTypes

/// A safe name for a downloaded file, derived from the server's suggestion and the URL.
///
/// The name contains no slash, backslash, control, format or direction character. It does not start with a dot, tilde or
/// hyphen, does not end with a dot or space, and has at most `byteLimit` bytes of UTF-8. Percent-encoding was decoded once. A
/// file with this name may already exist: see `DownloadedFile.move(toFreeNameAt:)`.
package struct SuggestedFilename: Sendable, Equatable {
  package let text: String

  /// The maximum size of a name, in bytes. Leaves room for suffixes within the 255-byte limit of file systems.
  package static let byteLimit = 200
  /// The name when neither the response nor the URL contains a usable one, as in other download tools.
  package static let fallback = "index.html"

  /// - Parameters:
  ///   - contentDisposition: The value of the response's `Content-Disposition` field. `nil` if there is none.
  ///   - urlText: The URL.
  package init(contentDisposition: String?, urlText: String) {
    let suggested = contentDisposition.map { ContentDisposition($0).filenames } ?? []
    text = (suggested + [Self.lastPart(of: urlText)]).lazy.compactMap(Self.leaf).first ?? Self.fallback
  }

  private static func lastPart(of urlText: String) -> String {
    let bytes = urlText.utf8
    let afterScheme = urlText.schemeMark?.upperBound ?? bytes.startIndex
    let path = bytes[afterScheme...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    let last = String(Substring(path[path.index(after: slash)...]))
    return PercentEncoding.bytes(last).flatMap { String(validating: $0, as: UTF8.self) } ?? last
  }

  /// Returns the last path component of a suggestion as a safe file name, or `nil` if no characters remain.
  private static func leaf(_ suggestion: String) -> String? {
    if isPlain(suggestion) { return suggestion }
    let scalars = suggestion.unicodeScalars
    // Searches scalars: Swift sees a slash with a combining mark as one character, but the file system sees the slash.
    let last = scalars.lastIndex { $0 == "/" || $0 == "\\" }.map { scalars[scalars.index(after: $0)...] } ?? scalars[...]
    var name = last.map { isUsable($0) ? $0 : "_" }[...]
    trim(&name)
    guard let first = name.first else { return nil }
    if first == "." || first == "~" || first == "-" { name[name.startIndex] = "_" }
    let text = String(String.UnicodeScalarView(name))
    // A leading combining mark would merge with the preceding slash of a path, and hide it from code that searches characters.
    return shortened("/\(text)".first == "/" ? text : "_\(text)")
  }

  /// Returns whether a name needs no change because it has only letters, digits and inner dots. This is a fast path for most
  /// names.
  private static func isPlain(_ name: String) -> Bool {
    let bytes = name.utf8
    guard bytes.count <= byteLimit, let first = bytes.first, first != UInt8(ascii: "."), bytes.last != UInt8(ascii: ".") else {
      return false
    }
    return bytes.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "."):
        true
      default: false
      }
    }
  }

  private static func isUsable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
    default: true
    }
  }

  /// Removes leading white space, and trailing white space and dots, which are invisible and which some file systems drop.
  private static func trim(_ name: inout ArraySlice<Unicode.Scalar>) {
    while let last = name.last, last == "." || last.properties.isWhitespace { name.removeLast() }
    name = name.drop { $0.properties.isWhitespace }
  }

  /// Truncates a name at a character boundary to at most `byteLimit` bytes. Keeps an extension of at most 16 bytes.
  private static func shortened(_ name: String) -> String {
    guard name.utf8.count > byteLimit else { return name }
    let type = name.lastIndex(of: ".").map { name[$0...] }.flatMap { $0.utf8.count <= 16 ? $0 : nil } ?? ""
    var stem = Array(start(of: name.dropLast(type.count), within: byteLimit - type.utf8.count).unicodeScalars)[...]
    trim(&stem)
    return String(String.UnicodeScalarView(stem)) + type
  }

  private static func start(of name: Substring, within limit: Int) -> Substring {
    var (end, count) = (name.startIndex, 0)
    for character in name {
      count += character.utf8.count
      guard count <= limit else { break }
      end = name.index(after: end)
    }
    if end > name.startIndex { return name[..<end] }
    // The first character alone is too long, because a character may have any number of combining marks.
    var scalars = name.unicodeScalars[..<name.startIndex]
    for index in name.unicodeScalars.indices {
      let longer = name.unicodeScalars[...index]
      guard longer.reduce(0, { $0 + UTF8.width($1) }) <= limit else { break }
      scalars = longer
    }
    return Substring(scalars)
  }
}

extension TransferResponse {
  /// The suggested file name: from `Content-Disposition`, or else from the URL's last path component, or else `index.html`.
  ///
  /// The name is safe to append to a directory's path, whatever the server sent: it names one file that is not hidden, contains
  /// no control, format or direction characters, and has at most 200 bytes. If a file with this name exists,
  /// `DownloadedFile.move(to:)` fails and `move(toFreeNameAt:)` chooses another name.
  public var suggestedFilename: String {
    // Only the first field counts: joining two `Content-Disposition` values with a comma would produce a malformed one.
    SuggestedFilename(contentDisposition: headerFields[values: .contentDisposition].first, urlText: urlText).text
  }
}
