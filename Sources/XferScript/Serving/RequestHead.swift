/// The request line and header fields of a request.
struct RequestHead: Sendable, Equatable {
  enum Framing: Sendable, Equatable {
    case length(Int)
    case chunked
  }

  var method: String
  var target: String
  /// The minor version of HTTP/1: 0 or 1.
  var minorVersion: Int
  var headers: ScriptHeaders
  var framing: Framing = .length(0)

  /// The request target without its query, and without scheme and authority if it is absolute.
  var path: Substring {
    var path = target[...]
    if let scheme = path.firstRange(of: "://") {
      path = path[scheme.upperBound...].drop { $0 != "/" }
      if path.isEmpty { path = "/" }
    }
    return path.prefix { $0 != "?" && $0 != "#" }
  }

  /// Whether the client asks to keep the connection open.
  var keepsAlive: Bool {
    let options = headers.values("Connection").joined(separator: ",").lowercased()
    return minorVersion == 0 ? options.contains("keep-alive") : !options.contains("close")
  }

  /// Whether the client sends the body only after an interim response.
  var awaitsContinue: Bool {
    headers["Expect"]?.lowercased() == "100-continue" && framing != .length(0)
  }

  static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}

/// An error response to a request that cannot be served by the script.
struct RequestRefusal: Error, Equatable {
  var status: Int
  var problem: String
}

extension RequestHead {
  /// Parses the lines of a head, excluding the empty line that ends it.
  init(lines: [Substring]) throws(RequestRefusal) {
    let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, !words[0].isEmpty, words[0].utf8.allSatisfy(Self.isTokenByte), !words[1].isEmpty,
      words[2].hasPrefix("HTTP/")
    else { throw RequestRefusal(status: 400, problem: "the request line is not `METHOD target HTTP/1.1`") }
    guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else {
      throw RequestRefusal(status: 505, problem: "the version \(words[2]) is not supported")
    }
    self.init(method: String(words[0]), target: String(words[1]), minorVersion: words[2].last == "0" ? 0 : 1, headers: [:])
    for line in lines.dropFirst() { try appendField(line) }
    framing = try Self.framing(of: headers)
  }

  private mutating func appendField(_ line: Substring) throws(RequestRefusal) {
    guard let colon = line.firstIndex(of: ":"), colon != line.startIndex,
      line[..<colon].utf8.allSatisfy(Self.isTokenByte), !line.utf8.contains(where: { $0 == 13 || $0 == 10 || $0 == 0 })
    else { throw RequestRefusal(status: 400, problem: "a header line is not `Name: value`") }
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    var value = line[line.index(after: colon)...].drop(while: isSpace)
    while let last = value.last, isSpace(last) { value.removeLast() }
    headers.append(String(line[..<colon]), String(value))
  }

  private static func framing(of headers: ScriptHeaders) throws(RequestRefusal) -> Framing {
    let lengths = headers.values("Content-Length")
    guard let coding = headers["Transfer-Encoding"] else {
      guard let first = lengths.first else { return .length(0) }
      guard lengths.allSatisfy({ $0 == first }), first.utf8.allSatisfy({ (48...57).contains($0) }), let length = Int(first)
      else { throw RequestRefusal(status: 400, problem: "Content-Length is not a single number") }
      return .length(length)
    }
    guard lengths.isEmpty else {
      throw RequestRefusal(status: 400, problem: "Content-Length and Transfer-Encoding are both present")
    }
    guard coding.lowercased() == "chunked" else {
      throw RequestRefusal(status: 501, problem: "the transfer coding `\(coding)` is not supported")
    }
    return .chunked
  }
}
