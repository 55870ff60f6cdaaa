/// A parsed JSON value. Members keep their order; of equal keys, the last one counts.
package enum JSONValue: Equatable, Sendable {
  case null
  case boolean(Bool)
  /// The number's text, which the caller converts.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([Member])

  package struct Member: Equatable, Sendable {
    package let key: String
    package let value: JSONValue
  }

  /// Why a text is not valid JSON, with the offset of the error.
  package struct Problem: Error, Equatable {
    package let problem: String
    package let offset: Int
  }

  /// The value's kind in error messages.
  package var kind: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// Parses a text with exactly one value. Invalid UTF-8 becomes U+FFFD.
  package init(_ bytes: UnsafeRawBufferPointer) throws(Problem) {
    var reader = JSONReader(bytes)
    self = try reader.value(depth: 0)
    try reader.end()
  }
}

/// A JSON parser (RFC 8259) with bounded recursion.
private struct JSONReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  private static let deepest = 64

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  private func failure(_ problem: String) -> JSONValue.Problem { .init(problem: problem, offset: offset) }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { offset += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    offset += 1
    return true
  }

  mutating func end() throws(JSONValue.Problem) {
    skipSpace()
    if next != nil { throw failure("unexpected text after the value") }
  }

  mutating func value(depth: Int) throws(JSONValue.Problem) -> JSONValue {
    guard depth < Self.deepest else { throw failure("nested more than \(Self.deepest) levels deep") }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object(depth)
    case UInt8(ascii: "["): return try array(depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case nil: throw failure("unexpected end of the text")
    default: return try number()
    }
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(JSONValue.Problem) -> JSONValue {
    guard bytes[offset...].starts(with: word.utf8) else { throw failure("not a JSON value") }
    offset += word.utf8.count
    return value
  }

  private mutating func object(_ depth: Int) throws(JSONValue.Problem) -> JSONValue {
    offset += 1
    var members: [JSONValue.Member] = []
    skipSpace()
    if take(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw failure("a key is missing") }
      let key = try string()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw failure("a colon is missing") }
      members.removeAll { $0.key == key }
      members.append(.init(key: key, value: try value(depth: depth + 1)))
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw failure("a comma or } is missing") }
    return .object(members)
  }

  private mutating func array(_ depth: Int) throws(JSONValue.Problem) -> JSONValue {
    offset += 1
    var elements: [JSONValue] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return .array(elements) }
    repeat {
      elements.append(try value(depth: depth + 1))
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw failure("a comma or ] is missing") }
    return .array(elements)
  }

  private mutating func number() throws(JSONValue.Problem) -> JSONValue {
    let start = offset
    func digits(_ reader: inout JSONReader) -> Bool {
      let first = reader.offset
      while let byte = reader.next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { reader.offset += 1 }
      return reader.offset > first
    }
    _ = take(UInt8(ascii: "-"))
    let isZero = next == UInt8(ascii: "0")
    let whole = offset
    guard digits(&self), !isZero || offset == whole + 1 else { throw failure("not a JSON value") }
    if take(UInt8(ascii: ".")), !digits(&self) { throw failure("a digit is missing") }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      if !digits(&self) { throw failure("a digit is missing") }
    }
    return .number(String(decoding: bytes[start..<offset], as: UTF8.self))
  }

  private mutating func string() throws(JSONValue.Problem) -> String {
    offset += 1
    var text: [UInt8] = []
    while let byte = next {
      offset += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text += try escape()
      case 0..<0x20: throw failure("unescaped control character in a string")
      default: text.append(byte)
      }
    }
    throw failure("unterminated string")
  }

  private mutating func escape() throws(JSONValue.Problem) -> [UInt8] {
    guard let byte = next else { throw failure("unterminated string") }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): return try unicodeEscape()
    default: throw failure("invalid escape sequence")
    }
  }

  private mutating func unicodeEscape() throws(JSONValue.Problem) -> [UInt8] {
    let unit = try hexadecimal()
    var scalar = Unicode.Scalar(UInt32(unit))
    if unit & 0xFC00 == 0xD800, bytes[offset...].starts(with: "\\u".utf8) {
      let start = offset
      offset += 2
      let low = try hexadecimal()
      if low & 0xFC00 == 0xDC00 {
        scalar = Unicode.Scalar(0x1_0000 + (UInt32(unit & 0x3FF) << 10 | UInt32(low & 0x3FF)))
      } else {
        offset = start
      }
    }
    // An unpaired surrogate becomes U+FFFD.
    return Array(String(scalar ?? "\u{FFFD}").utf8)
  }

  private mutating func hexadecimal() throws(JSONValue.Problem) -> UInt16 {
    guard offset + 4 <= bytes.count,
      bytes[offset..<offset + 4].allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
      let unit = UInt16(String(decoding: bytes[offset..<offset + 4], as: UTF8.self), radix: 16)
    else { throw failure("four hexadecimal digits are missing") }
    offset += 4
    return unit
  }
}
