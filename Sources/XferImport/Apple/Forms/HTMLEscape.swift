/// The escapes of HTML, for lines that were copied from the source of a web page or from an answer of its API.
enum HTMLEscape {
  /// Whether a line has escapes where a record has brackets or quotation marks. Apps may log other HTML.
  static func isUsed(in line: UnsafeRawBufferPointer) -> Bool {
    if line.first("Task &lt;") != nil || line.first("Session &lt;") != nil { return true }
    guard let error = line.first("Error Domain=") else { return false }
    return line.first("&quot;", from: error) != nil || line.first("&#34;", from: error) != nil
  }

  /// Returns a line without escapes. Unknown ones stay as they are.
  static func decode(_ line: UnsafeRawBufferPointer) -> [UInt8] {
    var (result, scanner) = ([UInt8](), ByteScanner(line))
    result.reserveCapacity(line.count)
    while !scanner.isAtEnd {
      let plain = line.slice(scanner.place, line.first(0x26, from: scanner.place) ?? line.count)
      result += plain
      scanner.move(to: scanner.place + plain.count)
      if scanner.isAtEnd { break }
      if let (_, character) = escapes.first(where: { scanner.take($0.escape) }) {
        result.append(character)
      } else {
        result.append(0x26)
        scanner.move(to: scanner.place + 1)
      }
    }
    return result
  }

  private static let escapes: [(escape: StaticString, character: UInt8)] = [
    ("&lt;", 0x3C), ("&gt;", 0x3E), ("&quot;", 0x22), ("&#34;", 0x22), ("&#39;", 0x27), ("&#x27;", 0x27), ("&apos;", 0x27),
    ("&nbsp;", 0x20), ("&amp;", 0x26),
  ]
}
