internal import HTTPTypes

/// What a downloaded file may be called by what server and URL say: always the name of one file within one directory.
///
/// It has no slash, backslash, control, format or direction character, no dot, tilde or hyphen in front, no dot or blank at its end,
/// and at most `byteLimit` bytes of UTF-8. What is percent-encoded was decoded once. The name may be taken: see
/// `DownloadedFile.move(toFreeNameAt:)`.
package struct SuggestedFilename: Sendable, Equatable {
  package let text: String

  /// Leaves room for what others append, where file systems take 255.
  package static let byteLimit = 200
  /// Where neither says anything of use, as with other tools.
  package static let fallback = "index.html"

  /// - Parameter contentDisposition: the field's value; `nil` when the response has none.
  package init(contentDisposition: String?, urlText: String) {
    let suggested = contentDisposition.map { ContentDisposition($0).filenames } ?? []
    text = (suggested + [Self.lastPart(of: urlText)]).lazy.compactMap(Self.leaf).first ?? Self.fallback
  }

  private static func lastPart(of urlText: String) -> String {
    let bytes = urlText.utf8
    let afterScheme = bytes.firstRange(of: "://".utf8)?.upperBound ?? bytes.startIndex
    let path = bytes[afterScheme...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    let last = String(Substring(path[path.index(after: slash)...]))
    return PercentEncoding.bytes(last).flatMap { String(validating: $0, as: UTF8.self) } ?? last
  }

  /// - Returns: `nil` when nothing is left.
  private static func leaf(_ suggestion: String) -> String? {
    if isPlain(suggestion) { return suggestion }
    let scalars = suggestion.unicodeScalars
    // By scalars: a slash with a combining mark is one character, and a slash to the file system all the same.
    let last = scalars.lastIndex { $0 == "/" || $0 == "\\" }.map { scalars[scalars.index(after: $0)...] } ?? scalars[...]
    var name = last.map { isUsable($0) ? $0 : "_" }[...]
    trim(&name)
    guard let first = name.first else { return nil }
    if first == "." || first == "~" || first == "-" { name[name.startIndex] = "_" }
    let text = String(String.UnicodeScalarView(name))
    // A mark at the beginning would join the slash before it, and hide that from those who look for characters.
    return shortened("/\(text)".first == "/" ? text : "_\(text)")
  }

  /// Whether it is its own leaf, as most are: letters, digits and dots within.
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

  /// Blanks and dots at the end are not seen, and some file systems leave them out.
  private static func trim(_ name: inout ArraySlice<Unicode.Scalar>) {
    while let last = name.last, last == "." || last.properties.isWhitespace { name.removeLast() }
    name = name.drop { $0.properties.isWhitespace }
  }

  /// Cuts between characters, before the extension where it is one.
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
    // A single character may have any number of marks.
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
  /// What the file may be called by `Content-Disposition`, else by the URL's last part, else `index.html`.
  ///
  /// Fit to be appended to a directory's path, whatever the server sent: the name of one file that is not hidden, without control,
  /// format and direction characters, of at most 200 bytes. The name may be taken, which `DownloadedFile.move(to:)` refuses and
  /// `move(toFreeNameAt:)` goes round.
  public var suggestedFilename: String {
    // Joined, as fields are, two of them would be one wrong one.
    SuggestedFilename(contentDisposition: headerFields[values: .contentDisposition].first, urlText: urlText).text
  }
}
