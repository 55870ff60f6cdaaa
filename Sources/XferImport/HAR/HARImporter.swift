package import XferEvents

/// Reads HTTP Archives (HAR 1.1 and 1.2), as browsers, proxies and test tools export them.
package struct HARImporter: EventImporter {
  package let format = "har"

  package init() {}

  package func recognises(_ candidate: ImportCandidate) -> Bool {
    guard candidate.kind == .file else { return false }
    return candidate.head.withUnsafeBytes { bytes in
      var scanner = ByteScanner(bytes)
      guard scanner.takeFirstMember("\"log\"") else { return false }
      // A log of another tool may have this member, too. An archive begins its log with one of the members of the format.
      guard scanner.take(0x7B) else { return false }
      scanner.takeWhiteSpace()
      return ["\"version\"", "\"creator\"", "\"browser\"", "\"pages\"", "\"entries\"", "\"comment\"", "\"_"].contains {
        bytes.first(Array($0.utf8), from: scanner.place) == scanner.place
      }
    }
  }

  package func open(_ inputs: [ImportedInput], firstIndex: Int) throws(SourceError) -> any EventSource {
    try ForeignSource(inputs, firstIndex: firstIndex, order: .overlapping) { HARReader($0) }
  }
}

extension ByteScanner {
  /// Takes the beginning of a JSON document up to the value of its first member.
  ///
  /// - Parameter key: the key in quotation marks.
  /// - Returns: whether the document is an object whose first member has this key.
  mutating func takeFirstMember(_ key: StaticString) -> Bool {
    _ = take("\u{FEFF}")
    takeWhiteSpace()
    guard take(0x7B) else { return false }
    takeWhiteSpace()
    guard take(key) else { return false }
    takeWhiteSpace()
    guard take(0x3A) else { return false }
    takeWhiteSpace()
    return true
  }

  /// Moves behind spaces, tabs and the ends of lines.
  package mutating func takeWhiteSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { move(to: place + 1) }
  }
}
