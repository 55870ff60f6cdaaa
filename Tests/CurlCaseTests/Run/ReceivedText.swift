/// Received or expected bytes, compared in one of several manners.
struct ReceivedText {
  enum Manner {
    case everyByte
    /// Response heads and trailers are ignored, because programs may or may not print them between the bodies.
    case bodies
    /// Only the cookies are compared, in any order. Expiry times may differ by two minutes, because some are relative to now.
    case cookieJar
  }

  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func agrees(with other: ReceivedText, _ manner: Manner) -> Bool {
    if bytes == other.bytes { return true }
    switch manner {
    case .everyByte: return false
    case .bodies: return bodies == other.bodies
    case .cookieJar:
      let (cookies, others) = (cookies, other.cookies)
      return cookies.count == others.count && zip(cookies, others).allSatisfy(Self.isSameCookie)
    }
  }

  /// Returns the compared bytes as printable text, truncated to one line.
  func shown(_ manner: Manner) -> String {
    let counted: [UInt8] =
      switch manner {
      case .everyByte: bytes
      case .bodies: bodies
      case .cookieJar: Array(cookies.map { $0.joined(separator: " ") }.joined(separator: "\n").utf8)
      }
    let start = counted.prefix(160).map { (32..<127).contains($0) ? String(Unicode.Scalar($0)) : $0 == 10 ? "\\n" : "." }
    return "\(counted.count) bytes \(start.joined())\(counted.count > 160 ? "…" : "")"
  }

  // MARK: Bodies

  /// The bytes without response heads, without announced trailers and without fields at the end of a chunked body.
  var bodies: [UInt8] {
    var result: [UInt8] = []
    var trailers: [String] = []
    var isChunked = false
    var rest = bytes[...]
    while let start = rest.firstRange(of: Array("HTTP/".utf8))?.lowerBound {
      result += rest[..<start]
      rest = rest[start...]
      guard let end = Self.endOfHead(rest) else {
        result.append(rest.removeFirst())
        continue
      }
      trailers += Self.values(of: "trailer", in: rest[..<end])
      isChunked = isChunked || Self.values(of: "transfer-encoding", in: rest[..<end]).contains("chunked")
      rest = rest[end...]
    }
    let bodies = Self.remove(trailers, from: result + rest)
    return isChunked ? Self.withoutLastFields(bodies) : bodies
  }

  /// Returns the index after a response head at the start of the bytes. `nil` when they do not start with one.
  private static func endOfHead(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard isStatusLine(bytes) else { return nil }
    var rest = bytes
    // A program that prints a head twice does so line by line.
    var isDouble: Bool?
    while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
      rest = rest[newline...].dropFirst()
      isDouble = isDouble ?? isStatusLine(rest)
      if let end = afterEmptyLine(rest) { return isDouble == true ? afterEmptyLine(bytes[end...]) ?? end : end }
    }
    return bytes.endIndex
  }

  private static func isStatusLine(_ bytes: ArraySlice<UInt8>) -> Bool {
    String(decoding: bytes.prefix(16), as: UTF8.self).prefixMatch(of: /HTTP\/[0-9.]+ ?[0-9]/) != nil
  }

  private static func afterEmptyLine(_ bytes: ArraySlice<UInt8>) -> Int? {
    if bytes.first == UInt8(ascii: "\n") { return bytes.startIndex + 1 }
    return bytes.starts(with: "\r\n".utf8) ? bytes.startIndex + 2 : nil
  }

  /// Returns the list elements of all fields with a given name.
  private static func values(of name: String, in head: ArraySlice<UInt8>) -> [String] {
    String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline).filter { $0.lowercased().hasPrefix(name + ":") }
      .flatMap { $0.dropFirst(name.count + 1).split { ",; ".contains($0) } }.map(String.init)
  }

  private static func withoutLastFields(_ bytes: [UInt8]) -> [UInt8] {
    var lines = bytes.lines[...]
    while let last = lines.last, String(decoding: last, as: UTF8.self).wholeMatch(of: /[A-Za-z0-9_-]+: [^\r\n]*\r\n/) != nil {
      lines.removeLast()
    }
    return Array(lines.joined())
  }

  private static func remove(_ trailers: [String], from bytes: [UInt8]) -> [UInt8] {
    trailers.reduce(bytes) { bytes, name in
      guard let start = bytes.firstRange(of: Array("\(name): ".utf8))?.lowerBound else { return bytes }
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.endIndex
      let after = bytes[end...]
      return bytes[..<start] + (after.elementsEqual("\r\n".utf8) ? [] : Array(after))
    }
  }

  // MARK: Cookies

  private var cookies: [[Substring]] {
    String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .filter { !$0.hasPrefix("#") || $0.hasPrefix("#HttpOnly_") }.sorted()
      .map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
  }

  private static func isSameCookie(_ one: [Substring], _ other: [Substring]) -> Bool {
    let (domain, expiry) = (0, 4)
    return one.count == other.count
      && one.indices.allSatisfy { index in
        if index == expiry, let one = Int(one[index]), let other = Int(other[index]), one > 0, other > 0 {
          return abs(one - other) <= 120
        }
        // Host names are case-insensitive.
        return index == domain ? one[index].lowercased() == other[index].lowercased() : one[index] == other[index]
      }
  }
}
