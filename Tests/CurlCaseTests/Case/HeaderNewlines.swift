/// Conversion of newlines in heads to the line endings of HTTP.
enum HeaderNewlines {
  /// Converts the line endings of header lines, and of an empty line that follows them, to CR LF.
  static func apply(to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var isInHead = false
    for line in bytes.lines {
      let isEmpty = line.count == 1
      let isField = !isEmpty && isFieldOrStart(line)
      result += isField || isEmpty && isInHead ? enforced(line) : Array(line)
      isInHead = isField
    }
    return result
  }

  static func enforced(_ line: ArraySlice<UInt8>) -> [UInt8] {
    guard line.last == UInt8(ascii: "\n"), line.dropLast().last != UInt8(ascii: "\r") else { return Array(line) }
    return line.dropLast() + [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
  }

  private static func isFieldOrStart(_ line: ArraySlice<UInt8>) -> Bool {
    // Only the start of the line is decoded, because a case may contain a line of a megabyte.
    let start = String(decoding: line.prefix(200), as: UTF8.self)
    return start.prefixMatch(of: /HTTP\/[0-9.]+ [1-5]/) != nil || start.prefixMatch(of: #/[A-Za-z0-9_-]+: /#) != nil
      || start.prefixMatch(of: /(GET|HEAD|POST|PUT|DELETE) \S+ HTTP\//) != nil
  }
}
