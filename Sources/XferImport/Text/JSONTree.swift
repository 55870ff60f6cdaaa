/// The values of one JSON text, as places in its bytes.
///
/// A tree is used for one text after the other and keeps its memory, so that reading a line of a log allocates nothing. It accepts the
/// same texts as `JSONReader`, which says what is wrong with the others.
package final class JSONTree {
  @exclusivity(unchecked) private var nodes: UnsafeMutablePointer<JSONNode.Stored>
  @exclusivity(unchecked) private var capacity: Int
  @exclusivity(unchecked) private var count = 0
  @exclusivity(unchecked) private var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  @exclusivity(unchecked) private var place = 0

  package init() {
    capacity = 64
    nodes = .allocate(capacity: capacity)
  }

  deinit { nodes.deallocate() }

  /// Parses a text that is one JSON value.
  ///
  /// - Parameter bytes: the text, which must stay unchanged while its nodes are used.
  /// - Returns: the value, which is valid until the next call; `nil` if the text is something else.
  package func read(_ bytes: UnsafeRawBufferPointer) -> JSONNode? {
    // Places are stored in 32 bits.
    guard let base = bytes.baseAddress, bytes.count < Int(Int32.max) else { return nil }
    (self.bytes, count, place) = (bytes, 0, 0)
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { place = 3 }
    guard value(key: 0..<0, depth: 0) else { return nil }
    skipSpace()
    return place == bytes.count ? JSONNode(stored: UnsafePointer(nodes), base: base) : nil
  }

  // MARK: Parsing

  @inline(__always)
  private func peek() -> UInt8? { place < bytes.count ? bytes[place] : nil }

  @inline(__always)
  private func skipSpace() {
    while let byte = peek(), byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D { place += 1 }
  }

  /// Adds a node.
  ///
  /// - Returns: its index.
  @inline(__always)
  private func add(_ kind: JSONNode.Kind, key: Range<Int>, _ range: Range<Int>) -> Int {
    if count == capacity { grow() }
    (nodes + count).initialize(to: JSONNode.Stored(kind, key: key, range))
    count += 1
    return count - 1
  }

  @inline(never)
  private func grow() {
    let larger = UnsafeMutablePointer<JSONNode.Stored>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: nodes, count: count)
    nodes.deallocate()
    (nodes, capacity) = (larger, capacity * 2)
  }

  private func value(key: Range<Int>, depth: Int) -> Bool {
    guard depth < JSONReader.deepest, count < JSONReader.mostValues - 1 else { return false }
    skipSpace()
    switch peek() {
    case 0x22:
      guard let (range, isEscaped) = string() else { return false }
      _ = add(isEscaped ? .escapedString : .string, key: key, range)
      return true
    case 0x7B: return members(key: key, depth: depth)
    case 0x5B: return elements(key: key, depth: depth)
    default: return scalar(key: key)
    }
  }

  private func members(key: Range<Int>, depth: Int) -> Bool {
    let node = add(.object, key: key, place..<place)
    place += 1
    while !isAtEnd(0x7D) {
      guard let (key, isEscaped) = string() else { return false }
      skipSpace()
      guard peek() == 0x3A else { return false }
      place += 1
      let member = count
      guard value(key: key, depth: depth + 1) else { return false }
      if isEscaped { nodes[member].hasEscapedKey = true }
    }
    return end(node)
  }

  private func elements(key: Range<Int>, depth: Int) -> Bool {
    let node = add(.array, key: key, place..<place)
    place += 1
    while !isAtEnd(0x5D) {
      guard value(key: 0..<0, depth: depth + 1) else { return false }
    }
    return end(node)
  }

  /// Takes the comma before the next member or element, if there is one.
  ///
  /// - Returns: whether the byte that ends the object or array follows instead.
  @inline(__always)
  private func isAtEnd(_ end: UInt8) -> Bool {
    skipSpace()
    if peek() == 0x2C {
      place += 1
      skipSpace()
    }
    return peek() == end
  }

  private func end(_ node: Int) -> Bool {
    place += 1
    nodes[node].end = UInt32(truncatingIfNeeded: place)
    nodes[node].size = UInt32(truncatingIfNeeded: count - node)
    return true
  }

  /// Takes a string.
  ///
  /// - Returns: the range between its quotes, and whether it has escapes; `nil` if another value follows.
  @inline(__always)
  private func string() -> (range: Range<Int>, isEscaped: Bool)? {
    guard peek() == 0x22 else { return nil }
    place += 1
    let start = place
    var isEscaped = false
    while place < bytes.count {
      let byte = bytes[place]
      if byte == 0x22 {
        place += 1
        return (start..<place - 1, isEscaped)
      }
      if byte == 0x5C {
        isEscaped = true
        place += 1
      }
      place += 1
    }
    return nil
  }

  private func scalar(key: Range<Int>) -> Bool {
    let start = place
    var areDigits = true
    word: while let byte = peek(), byte > 0x20 {
      switch byte {
      case 0x2C, 0x3A, 0x5B, 0x5D, 0x7B, 0x7D, 0x22: break word
      default:
        if !byte.isDigit { areDigits = false }
        place += 1
      }
    }
    let word = bytes.slice(start, place)
    // A number of this length fits in 64 bits.
    if areDigits, 1...18 ~= word.count {
      _ = add(.integer, key: key, start..<place)
      return true
    }
    let kind: JSONNode.Kind
    if word.equals("true") {
      kind = .true
    } else if word.equals("false") {
      kind = .false
    } else if word.equals("null") {
      kind = .null
    } else {
      guard let number = JSONReader.number(word) else { return false }
      kind = if case .integer = number { .integer } else { .real }
    }
    _ = add(kind, key: key, start..<place)
    return true
  }
}

/// A value of a `JSONTree`. It is valid until the tree reads another text.
///
/// Its properties answer as those of `JSONValue` do.
package struct JSONNode {
  enum Kind: UInt8 { case null, `true`, `false`, integer, real, string, escapedString, array, object }

  struct Stored {
    /// The range of the value in the text; of a string, the range between its quotes.
    let start: UInt32
    var end: UInt32
    /// The range of the key between its quotes; empty for an element of an array.
    let keyStart: UInt32
    let keyEnd: UInt32
    /// The number of nodes of the value, which follow one another.
    var size: UInt32
    let kind: Kind
    var hasEscapedKey = false

    // Places fit in 32 bits; see `JSONTree.read`.
    @inline(__always)
    init(_ kind: Kind, key: Range<Int>, _ range: Range<Int>) {
      (start, end) = (UInt32(truncatingIfNeeded: range.lowerBound), UInt32(truncatingIfNeeded: range.upperBound))
      (keyStart, keyEnd) = (UInt32(truncatingIfNeeded: key.lowerBound), UInt32(truncatingIfNeeded: key.upperBound))
      (size, self.kind) = (1, kind)
    }
  }

  fileprivate let stored: UnsafePointer<Stored>
  fileprivate let base: UnsafeRawPointer

  @inline(__always)
  fileprivate init(stored: UnsafePointer<Stored>, base: UnsafeRawPointer) { (self.stored, self.base) = (stored, base) }

  package var isObject: Bool { stored.pointee.kind == .object }
  package var isArray: Bool { stored.pointee.kind == .array }
  package var isNull: Bool { stored.pointee.kind == .null }

  /// The bytes of the value in the text; of a string, those between its quotes, with their escapes.
  package var raw: UnsafeRawBufferPointer { bytes(stored.pointee.start, stored.pointee.end) }

  @inline(__always)
  private func bytes(_ start: UInt32, _ end: UInt32) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + Int(start), count: Int(end) - Int(start))
  }

  // MARK: Members

  /// The values of an object or an array, in their order.
  package var children: Children {
    let count = stored.pointee.kind == .object || stored.pointee.kind == .array ? Int(stored.pointee.size) : 1
    return Children(place: stored + 1, end: stored + count, base: base)
  }

  package struct Children: Sequence, IteratorProtocol {
    fileprivate var place: UnsafePointer<Stored>
    fileprivate let end: UnsafePointer<Stored>
    fileprivate let base: UnsafeRawPointer

    @inline(__always)
    package mutating func next() -> JSONNode? {
      guard place < end else { return nil }
      defer { place += Int(place.pointee.size) }
      return JSONNode(stored: place, base: base)
    }
  }

  /// The key of a member between its quotes; `nil` if it has escapes.
  package var plainKey: UnsafeRawBufferPointer? {
    stored.pointee.hasEscapedKey ? nil : bytes(stored.pointee.keyStart, stored.pointee.keyEnd)
  }

  package var key: String {
    let raw = bytes(stored.pointee.keyStart, stored.pointee.keyEnd)
    return Self.text(raw, isEscaped: stored.pointee.hasEscapedKey)
  }

  /// Whether the member has a key.
  @inline(__always)
  private func has(_ key: StaticString) -> Bool {
    guard let plain = plainKey else { return self.key == key.description }
    return plain.equals(key)
  }

  /// The value of a member; `nil` if this is no object, or if the member is missing or null.
  package subscript(key: StaticString) -> JSONNode? {
    guard isObject else { return nil }
    for member in children where member.has(key) { return member.isNull ? nil : member }
    return nil
  }

  // MARK: Values

  /// The text of a string, which may be empty; `nil` for another value.
  package var string: String? {
    switch stored.pointee.kind {
    case .string: Self.text(raw, isEscaped: false)
    case .escapedString: Self.text(raw, isEscaped: true)
    default: nil
    }
  }

  /// The text; `nil` if the value is no string, or empty.
  package var text: String? { raw.isEmpty ? nil : string.flatMap { $0.isEmpty ? nil : $0 } }

  /// Whether the value is a certain text.
  package func equals(_ literal: StaticString) -> Bool { plainString?.equals(literal) ?? (text == literal.description) }

  /// The bytes of a string without escapes; `nil` for another value.
  package var plainString: UnsafeRawBufferPointer? { stored.pointee.kind == .string ? raw : nil }

  private static func text(_ raw: UnsafeRawBufferPointer, isEscaped: Bool) -> String {
    if raw.count > JSONReader.longestString { return longText(raw) }
    return isEscaped ? String(decoding: JSONMembers.unescaped(raw), as: UTF8.self) : raw.text
  }

  /// Returns the part of a long text that `JSONReader` keeps.
  @inline(never)
  private static func longText(_ raw: UnsafeRawBufferPointer) -> String {
    // The quotes are in the text, too.
    let quoted = UnsafeRawBufferPointer(start: raw.baseAddress.map { $0 - 1 }, count: raw.count + 2)
    return JSONValue(quoted)?.text ?? ""
  }

  package var flag: Bool? {
    switch stored.pointee.kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// The integer. A string of digits counts, because several formats write large numbers as strings.
  package var integer: Int64? {
    switch stored.pointee.kind {
    case .integer, .string:
      // More digits, or other signs, are read as `JSONValue` reads them.
      if raw.count <= 18, let number = Self.digits(raw) { return number }
      return value.integer
    case .real, .escapedString: return value.integer
    case .null, .true, .false, .array, .object: return nil
    }
  }

  @inline(__always)
  private static func digits(_ raw: UnsafeRawBufferPointer) -> Int64? {
    var number: Int64 = 0
    for byte in raw {
      guard byte.isDigit else { return nil }
      number = number * 10 + Int64(byte - 0x30)
    }
    return raw.isEmpty ? nil : number
  }

  package var int: Int? { integer.map { Int(clamping: $0) } }

  /// The number of a string of digits, which may exceed that of `integer`.
  package var unsigned: UInt64? {
    if let plain = plainString, plain.count <= 18, let number = Self.digits(plain) { return UInt64(number) }
    return text.flatMap { UInt64($0) }
  }

  /// The number of a string of hexadecimal digits.
  package var hexadecimal: UInt64? { text.flatMap { UInt64($0, radix: 16) } }

  /// The halves of a string that is a UUID.
  package var uuid: (high: UInt64, low: UInt64)? {
    guard let plain = plainString, plain.count == 36 else { return nil }
    var scanner = ByteScanner(plain)
    return scanner.takeUUID()
  }

  /// The value as one that outlives the text.
  package var value: JSONValue {
    switch stored.pointee.kind {
    case .null: .null
    case .true: .bool(true)
    case .false: .bool(false)
    case .integer, .real: JSONReader.number(raw) ?? .null
    case .string, .escapedString: .string(string ?? "")
    case .array: .array(children.map(\.value))
    case .object: .object(children.map { .init(key: $0.key, value: $0.value) })
    }
  }
}
