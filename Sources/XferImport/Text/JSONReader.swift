package import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A JSON document read from left to right.
///
/// Memory is bounded by the largest value that is read as a whole, and long strings are cut. A document that ends too early, or that
/// contains a mistake, is read up to this place, and `flaw` says what is wrong there.
package final class JSONReader {
  package struct Flaw: Sendable {
    package let problem: String
    package let line: UInt64
    package let column: UInt64
    /// Whether the document ends too early.
    package let isCut: Bool

    /// The cause of the gap that begins at the flaw.
    package var cause: LogGap.Cause {
      isCut ? .truncated : .damaged(problem: "\(problem) (line \(line), column \(column))")
    }
  }

  package private(set) var flaw: Flaw?
  package private(set) var line: UInt64 = 1
  /// The number of strings of which only the beginning was kept.
  package private(set) var cutStrings = 0

  /// The maximum number of bytes of a string that are kept.
  package static let longestString = 1 << 16
  /// The maximum depth of nested values.
  static let deepest = 200
  /// The maximum number of values within one value that is read as a whole.
  static let mostValues = 1 << 18

  private let descriptor: Int32
  private var buffer: [UInt8]
  private var place = 0
  private var end = 0
  private var isAtEnd = false
  private var origin: UInt64 = 0
  private var lineStart: UInt64 = 0
  private var values = 0

  /// - Returns: `nil` if the file cannot be opened.
  package init?(path: String, from offset: UInt64 = 0) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    buffer = [UInt8](repeating: 0, count: 1 << 16)
    if offset > 0 { lseek(descriptor, off_t(clamping: offset), SEEK_SET) }
    origin = offset
    lineStart = offset
    skipByteOrderMark()
  }

  package init(_ bytes: [UInt8]) {
    descriptor = -1
    buffer = bytes
    end = bytes.count
    isAtEnd = true
    skipByteOrderMark()
  }

  package convenience init(_ bytes: UnsafeRawBufferPointer) { self.init(Array(bytes)) }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The offset of the next byte in the file.
  package var offset: UInt64 { origin + UInt64(place) }

  private func skipByteOrderMark() {
    if peek() == 0xEF, end - place >= 3, buffer[place + 1] == 0xBB, buffer[place + 2] == 0xBF { place += 3 }
  }

  // MARK: Bytes

  private func fill() -> Bool {
    if isAtEnd { return false }
    while true {
      let got = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if got < 0, errno == EINTR { continue }
      origin += UInt64(end)
      (place, end) = (0, max(0, got))
      if got <= 0 { isAtEnd = true }
      return got > 0
    }
  }

  @inline(__always)
  private func peek() -> UInt8? {
    if place >= end, !fill() { return nil }
    return buffer[place]
  }

  private func skipSpace() {
    while let byte = peek() {
      if byte == 0x0A {
        line += 1
        lineStart = offset + 1
      } else if byte != 0x20, byte != 0x09, byte != 0x0D {
        return
      }
      place += 1
    }
  }

  private func fail(_ problem: String, isCut: Bool = false) {
    if flaw != nil { return }
    flaw = Flaw(problem: problem, line: line, column: offset &- lineStart &+ 1, isCut: isCut)
  }

  /// Reports what stands in the place of something else.
  private func fail(expected what: String) {
    guard let byte = peek() else { return fail("the document ends where \(what) should be", isCut: true) }
    let found = byte >= 0x20 && byte < 0x7F ? "'\(Character(Unicode.Scalar(byte)))'" : "byte \(byte)"
    fail("\(found) stands where \(what) should be")
  }

  private func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    place += 1
    return true
  }

  // MARK: Navigation

  package enum Kind { case object, array, string, other, none }

  /// The kind of the next value.
  package var kind: Kind {
    skipSpace()
    switch peek() {
    case 0x7B: return .object
    case 0x5B: return .array
    case 0x22: return .string
    case nil: return .none
    default: return .other
    }
  }

  /// Whether only white space follows.
  package var isFinished: Bool {
    skipSpace()
    return peek() == nil
  }

  /// Moves past a record separator, a comma or another byte between documents of a sequence.
  package func takeSeparator() {
    while let byte = peek(), byte == 0x1E || byte == 0x2C || byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      if byte == 0x0A {
        line += 1
        lineStart = offset + 1
      }
      place += 1
    }
  }

  /// Moves behind text that precedes a document.
  ///
  /// - Returns: `false` if other text follows. The part of it that agrees is passed then.
  package func takePrefix(_ prefix: StaticString) -> Bool {
    for index in 0..<prefix.utf8CodeUnitCount {
      guard peek() == prefix.utf8Start[index] else { return false }
      place += 1
    }
    return true
  }

  /// Moves to the byte behind the next newline, and forgets the flaw.
  package func recover() {
    while let byte = peek() {
      place += 1
      if byte == 0x0A {
        line += 1
        lineStart = offset
        break
      }
    }
    flaw = nil
  }

  package func beginObject() -> Bool { begin(0x7B, "an object") }
  package func beginArray() -> Bool { begin(0x5B, "an array") }

  private func begin(_ byte: UInt8, _ what: String) -> Bool {
    if flaw != nil { return false }
    skipSpace()
    if take(byte) { return true }
    fail(expected: what)
    return false
  }

  /// Returns the key of the next member of an object; `nil` behind the object, or if there is a flaw.
  package func nextKey() -> String? {
    if flaw != nil { return nil }
    skipSpace()
    if take(0x2C) { skipSpace() }
    if take(0x7D) { return nil }
    guard peek() == 0x22, let key = string() else {
      fail(expected: "the name of a member")
      return nil
    }
    skipSpace()
    guard take(0x3A) else {
      fail(expected: "a colon")
      return nil
    }
    return key
  }

  /// Moves to the next element of an array.
  ///
  /// - Returns: `false` behind the array, or if there is a flaw.
  package func nextElement() -> Bool {
    if flaw != nil { return false }
    skipSpace()
    if take(0x2C) { skipSpace() }
    if take(0x5D) { return false }
    if peek() == nil { fail(expected: "an element") }
    return flaw == nil
  }

  // MARK: Values

  /// Returns the next value; `nil` if there is a flaw.
  package func value() -> JSONValue? {
    values = 0
    return value(depth: 0)
  }

  /// Moves behind the next value.
  package func skip() {
    if flaw != nil { return }
    var depth = 0
    repeat {
      skipSpace()
      switch peek() {
      case nil: return fail(expected: "a value")
      case 0x22: _ = string(limit: 0)
      case 0x7B, 0x5B:
        depth += 1
        place += 1
      case 0x7D, 0x5D:
        depth -= 1
        place += 1
      case 0x2C, 0x3A: place += 1
      default: if word().isEmpty { return fail(expected: "a value") }
      }
    } while depth > 0 && flaw == nil
  }

  private func value(depth: Int) -> JSONValue? {
    if flaw != nil { return nil }
    values += 1
    guard depth < Self.deepest, values < Self.mostValues else {
      fail("the value is nested too deeply or too large")
      return nil
    }
    skipSpace()
    switch peek() {
    case 0x22: return string().map(JSONValue.string)
    case 0x7B:
      place += 1
      var members: [JSONValue.Member] = []
      while let key = nextKey() {
        guard let value = value(depth: depth + 1) else { return nil }
        members.append(.init(key: key, value: value))
      }
      return flaw == nil ? .object(members) : nil
    case 0x5B:
      place += 1
      var elements: [JSONValue] = []
      while nextElement() {
        guard let value = value(depth: depth + 1) else { return nil }
        elements.append(value)
      }
      return flaw == nil ? .array(elements) : nil
    default: return scalar()
    }
  }

  private func scalar() -> JSONValue? {
    let word = word()
    switch word {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    default:
      if let number = Self.number(word) { return number }
      if peek() == nil {
        fail("the document ends within a value", isCut: true)
      } else if word.isEmpty {
        fail(expected: "a value")
      } else {
        fail("'\(word.prefix(40))' is no JSON value")
      }
      return nil
    }
  }

  /// Returns the number that a word is; `nil` if it is none. Of a longer word, the first `longestWord` bytes count.
  static func number(_ word: UnsafeRawBufferPointer) -> JSONValue? { number(word.slice(0, longestWord).text) }

  private static func number(_ word: String) -> JSONValue? {
    guard let first = word.utf8.first, first.isDigit || first == 0x2D else { return nil }
    return Int64(word).map(JSONValue.integer) ?? Double(word).map(JSONValue.real)
  }

  private static let longestWord = 64

  private func word() -> String {
    var bytes: [UInt8] = []
    while let byte = peek(), byte > 0x20, ![0x2C, 0x3A, 0x5B, 0x5D, 0x7B, 0x7D, 0x22].contains(byte) {
      if bytes.count < Self.longestWord { bytes.append(byte) }
      place += 1
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func string(limit: Int = JSONReader.longestString) -> String? {
    guard take(0x22) else { return nil }
    var (bytes, hasEscapes, isCut): ([UInt8], Bool, Bool) = ([], false, false)
    while peek() != nil {
      // The bytes up to the next quotation mark or escape are taken together.
      let start = place
      while place < end, buffer[place] != 0x22, buffer[place] != 0x5C { place += 1 }
      let room = limit - bytes.count
      if place - start > room { isCut = true }
      if room > 0, place > start { bytes.append(contentsOf: buffer[start..<min(place, start + room)]) }
      if place >= end { continue }
      if buffer[place] == 0x22 {
        place += 1
        if isCut, limit > 0 { cutStrings += 1 }
        return hasEscapes ? Self.unescaped(bytes) : String(decoding: bytes, as: UTF8.self)
      }
      place += 1
      hasEscapes = true
      guard let escaped = peek() else { break }
      if bytes.count + 2 <= limit { bytes += [0x5C, escaped] }
      place += 1
    }
    fail("the document ends within a string", isCut: true)
    return nil
  }

  private static func unescaped(_ bytes: [UInt8]) -> String {
    bytes.withUnsafeBytes { String(decoding: JSONMembers.unescaped($0), as: UTF8.self) }
  }
}

extension JSONValue {
  /// Parses a complete text; `nil` if it is not JSON.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    let reader = JSONReader(bytes)
    guard let value = reader.value() else { return nil }
    self = value
  }
}
