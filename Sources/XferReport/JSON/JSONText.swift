package import XferEvents

/// A JSON writer that adds commas and escapes. Members are written in the order of the calls.
///
/// Strings keep every character. Characters that a terminal or a script may interpret are escaped: control characters, formatting
/// and bidirectional marks, U+2028 and U+2029.
package struct JSONText: ~Copyable {
  package var text: TextBuffer
  private var needsComma = false

  package init(capacity: Int = 1 << 12) { text = TextBuffer(capacity: capacity) }

  /// Creates a writer that appends to a text.
  package init(_ text: consuming TextBuffer) { self.text = text }

  package consuming func finished() -> TextBuffer { text }

  // MARK: Structure

  @inline(__always)
  package mutating func beginObject() { open(UInt8(ascii: "{")) }
  @inline(__always)
  package mutating func endObject() { close(UInt8(ascii: "}")) }
  @inline(__always)
  package mutating func beginArray() { open(UInt8(ascii: "[")) }
  @inline(__always)
  package mutating func endArray() { close(UInt8(ascii: "]")) }

  @inline(__always)
  private mutating func open(_ bracket: UInt8) {
    separate()
    text.append(bracket)
    needsComma = false
  }

  @inline(__always)
  private mutating func close(_ bracket: UInt8) {
    text.append(bracket)
    needsComma = true
  }

  @inline(__always)
  private mutating func separate() {
    if needsComma { text.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  // MARK: Keys

  package mutating func key(_ name: StaticString) {
    separate()
    text.append(UInt8(ascii: "\""))
    text.append(name)
    text.append("\":" as StaticString)
    needsComma = false
  }

  package mutating func key(_ name: String) {
    string(name)
    text.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Appends a prepared key with its quotes, escapes and colon.
  @inline(__always)
  package mutating func key(prepared bytes: [UInt8]) {
    separate()
    text.append(bytes)
    needsComma = false
  }

  package static func preparedKey(_ name: String) -> [UInt8] {
    var json = JSONText(capacity: 64)
    json.key(name)
    return Array(json.text.bytes)
  }

  // MARK: Values

  @inline(__always)
  package mutating func integer(_ value: some BinaryInteger) {
    separate()
    text.append(decimal: value)
  }

  /// Appends an integer as a string, because many JSON parsers keep only 53 bits of a number.
  @inline(__always)
  package mutating func integerString(_ value: some BinaryInteger) {
    separate()
    text.append(UInt8(ascii: "\""))
    text.append(decimal: value)
    text.append(UInt8(ascii: "\""))
  }

  /// Appends a number, or `null` for infinities and NaN.
  package mutating func number(_ value: Double) {
    guard value.isFinite else { return null() }
    separate()
    text.append(value.description)
  }

  @inline(__always)
  package mutating func boolean(_ value: Bool) {
    separate()
    if value { text.append("true" as StaticString) } else { text.append("false" as StaticString) }
  }

  package mutating func null() {
    separate()
    text.append("null" as StaticString)
  }

  package mutating func uuid(_ high: UInt64, _ low: UInt64) {
    separate()
    text.append(UInt8(ascii: "\""))
    text.append(uuid: high, low)
    text.append(UInt8(ascii: "\""))
  }

  package mutating func time(_ value: WallTime) {
    beginString()
    text.append(value)
    endString()
  }

  package mutating func hexadecimal(_ value: UInt64) {
    separate()
    text.append(UInt8(ascii: "\""))
    text.append(hexadecimal: value)
    text.append(UInt8(ascii: "\""))
  }

  /// Appends a string whose characters need no escape.
  package mutating func string(_ value: StaticString) {
    separate()
    text.append(UInt8(ascii: "\""))
    text.append(value)
    text.append(UInt8(ascii: "\""))
  }

  /// Begins a string that the caller appends to `text`. Its characters must not need escapes.
  @inline(__always)
  package mutating func beginString() {
    separate()
    text.append(UInt8(ascii: "\""))
  }

  @inline(__always)
  package mutating func endString() { text.append(UInt8(ascii: "\"")) }

  /// Appends prepared values or members. An empty array appends nothing.
  @inline(__always)
  package mutating func prepared(_ bytes: [UInt8]) {
    if bytes.isEmpty { return }
    separate()
    text.append(bytes)
  }

  package mutating func string(_ value: String) {
    separate()
    text.append(UInt8(ascii: "\""))
    let done: Void? = value.utf8.withContiguousStorageIfAvailable { appendEscaped(UnsafeRawBufferPointer($0)) }
    if done == nil { Array(value.utf8).withUnsafeBytes { appendEscaped($0) } }
    text.append(UInt8(ascii: "\""))
  }

  /// - Parameter utf8: the bytes of a `String`, which are valid UTF-8.
  private mutating func appendEscaped(_ utf8: UnsafeRawBufferPointer) {
    var start = 0
    var index = 0
    while index < utf8.count {
      while index + 8 <= utf8.count, Self.isPlain(utf8.loadUnaligned(fromByteOffset: index, as: UInt64.self)) { index += 8 }
      if index == utf8.count { break }
      let byte = utf8[index]
      if byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
        index += 1
        continue
      }
      let (scalar, length) = Self.scalar(in: utf8, at: index)
      if byte >= 0x80, !TerminalText.mustEscape(scalar) {
        index += length
        continue
      }
      text.append(UnsafeRawBufferPointer(rebasing: utf8[start..<index]))
      appendEscape(scalar)
      index += length
      start = index
    }
    text.append(UnsafeRawBufferPointer(rebasing: utf8[start..<index]))
  }

  /// Whether each of eight bytes is ASCII and needs no escape.
  @inline(__always)
  private static func isPlain(_ word: UInt64) -> Bool {
    let (ones, tops) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
    // The top bit of a byte is set if the byte is less than a small one, or if it equals one. Bytes above such a byte may have it set, too.
    func has(lessThan byte: UInt64) -> UInt64 { (word &- ones &* byte) & ~word }
    func has(_ byte: UInt64) -> UInt64 {
      let difference = word ^ (ones &* byte)
      return (difference &- ones) & ~difference
    }
    return (word | has(lessThan: 0x20) | has(0x22) | has(0x5C) | has(0x7F)) & tops == 0
  }

  private static func scalar(in utf8: UnsafeRawBufferPointer, at index: Int) -> (Unicode.Scalar, length: Int) {
    let lead = utf8[index]
    let length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    guard length > 1, index + length <= utf8.count else { return (Unicode.Scalar(lead), 1) }
    var value = UInt32(lead) & (0x7F >> UInt32(length))
    for byte in utf8[index + 1..<index + length] { value = value << 6 | UInt32(byte & 0x3F) }
    return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
  }

  private mutating func appendEscape(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": text.append("\\\"" as StaticString)
    case "\\": text.append("\\\\" as StaticString)
    case "\n": text.append("\\n" as StaticString)
    case "\r": text.append("\\r" as StaticString)
    case "\t": text.append("\\t" as StaticString)
    default:
      for unit in UTF16.encode(scalar)! {
        text.append("\\u" as StaticString)
        text.append(hexadecimal: UInt64(unit), width: 4)
      }
    }
  }
}

extension TextBuffer {
  /// Appends a JSON value or a piece of a document.
  @inline(__always)
  package mutating func appendJSON(_ body: (inout JSONText) -> Void) {
    var json = JSONText(consume self)
    body(&json)
    self = json.finished()
  }
}

// MARK: Members: a key and its value

extension JSONText {
  package mutating func member(_ name: StaticString, _ value: String) {
    key(name)
    string(value)
  }

  package mutating func member(_ name: StaticString, _ value: some BinaryInteger) {
    key(name)
    integer(value)
  }

  /// Appends a member; `nil` becomes `null`.
  package mutating func member(_ name: StaticString, _ value: String?) {
    key(name)
    if let value { string(value) } else { null() }
  }

  /// Appends a member; `nil` becomes `null`.
  package mutating func member(_ name: StaticString, _ value: (some BinaryInteger)?) {
    key(name)
    if let value { integer(value) } else { null() }
  }

  package mutating func member(_ name: StaticString, _ value: Bool) {
    key(name)
    boolean(value)
  }

  /// Appends a member whose value is an object.
  package mutating func object(_ name: StaticString, _ members: (inout JSONText) -> Void) {
    key(name)
    beginObject()
    members(&self)
    endObject()
  }

  /// Appends a member whose value is an array.
  package mutating func array<Elements: Sequence>(
    _ name: StaticString, _ elements: Elements, _ each: (Elements.Element, inout JSONText) -> Void
  ) {
    key(name)
    array(of: elements, each)
  }

  /// Appends an array.
  ///
  /// - Parameter each: writes one element.
  @inline(__always)
  package mutating func array<Elements: Sequence>(of elements: Elements, _ each: (Elements.Element, inout JSONText) -> Void) {
    beginArray()
    for element in elements { each(element, &self) }
    endArray()
  }
}
