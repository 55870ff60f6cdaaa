extension String {
  /// The place of the first `://`, which separates a URL's scheme from the rest. `nil` if there is none.
  ///
  /// Searches bytes, as libcurl does: a slash with a combining mark is a different `Character`.
  package var schemeMark: Range<Index>? {
    let bytes = utf8
    var from = bytes.startIndex
    while let colon = bytes[from...].firstIndex(of: UInt8(ascii: ":")) {
      from = bytes.index(after: colon)
      if bytes[from...].starts(with: "//".utf8) { return colon..<bytes.index(from, offsetBy: 2) }
    }
    return nil
  }
}
