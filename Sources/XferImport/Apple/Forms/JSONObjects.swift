/// Finds the JSON objects in a log, whether there is one on each line, they are elements of one array, or they are printed over
/// several lines.
struct JSONObjects {
  struct Found {
    let bytes: [UInt8]
    let lines: ClosedRange<UInt64>
    let offset: UInt64
    /// The number of bytes of the object in its first line.
    let count: Int
  }

  /// The complete objects of the last line.
  private(set) var found: [Found] = []
  /// The line of an object that was cut off; `nil` if there was none.
  private var broken: UInt64?
  private var bytes: [UInt8] = []
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var first: UInt64 = 0
  private var offset: UInt64 = 0
  private var count = 0
  private var hasSeenObjects = false

  /// The maximum size of an object.
  private static let limit = 4 << 20

  var isOpen: Bool { depth > 0 }

  /// Returns the line of an object that was cut off since the last call; `nil` if there was none.
  mutating func takeBroken() -> UInt64? {
    defer { broken = nil }
    return broken
  }

  /// Notes that a whole object was read elsewhere.
  mutating func noteObject() { hasSeenObjects = true }

  /// Drops an object that has no end.
  mutating func drop() {
    if depth > 0 { broken = first }
    (depth, isInString, isEscaped) = (0, false, false)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Takes a line.
  ///
  /// - Returns: whether the line is part of JSON.
  mutating func take(_ line: TextLine, _ text: UnsafeRawBufferPointer) -> Bool {
    found.removeAll(keepingCapacity: true)
    // A line that begins another object, or that has a header, shows that the open object was cut off.
    if depth > 0, text.hasPrefix("{\"") || RecordHeader.of(text) != nil { drop() }
    var place = 0
    if depth == 0 {
      place = Self.skip(text, from: 0)
      if place == text.count { return hasSeenObjects && !text.isBlank || text.trimmed.equals("[") }
      guard Self.beginsObject(text, at: place) else { return false }
    }
    while true {
      place = take(line, text, from: place)
      if place >= text.count { break }
      place = Self.skip(text, from: place)
      // Text behind an object is not JSON. It is passed over.
      guard place < text.count, Self.beginsObject(text, at: place) else { break }
    }
    if depth > 0 {
      bytes.append(0x0A)
      if bytes.count > Self.limit { drop() }
    }
    return true
  }

  private static func skip(_ text: UnsafeRawBufferPointer, from start: Int) -> Int {
    var place = start
    while place < text.count {
      switch text[place] {
      case 0x20, 0x09, 0x5B, 0x5D, 0x2C: place += 1
      default: return place
      }
    }
    return place
  }

  private static func beginsObject(_ text: UnsafeRawBufferPointer, at place: Int) -> Bool {
    guard text[place] == 0x7B else { return false }
    var next = place + 1
    while next < text.count, text[next] == 0x20 { next += 1 }
    return next >= text.count || text[next] == 0x22 || text[next] == 0x7D
  }

  /// Takes bytes up to the end of an object or of the line.
  private mutating func take(_ line: TextLine, _ text: UnsafeRawBufferPointer, from start: Int) -> Int {
    if depth == 0 {
      (first, offset, count) = (line.number, line.offset + UInt64(start), text.count - start)
      bytes.removeAll(keepingCapacity: true)
    }
    var place = start
    while place < text.count {
      let byte = text[place]
      place += 1
      if isInString {
        if isEscaped { isEscaped = false } else if byte == 0x5C { isEscaped = true } else if byte == 0x22 { isInString = false }
        continue
      }
      switch byte {
      case 0x22: isInString = true
      case 0x7B, 0x5B: depth += 1
      case 0x7D, 0x5D:
        depth -= 1
        if depth <= 0 {
          depth = 0
          bytes.append(contentsOf: text.slice(start, place))
          if first == line.number { count = place - start }
          found.append(Found(bytes: bytes, lines: first...line.number, offset: offset, count: count))
          hasSeenObjects = true
          return place
        }
      default: break
      }
    }
    bytes.append(contentsOf: text.slice(start, text.count))
    return place
  }
}

/// A reader of the members of one JSON object.
struct JSONMembers {
  private var scanner: ByteScanner

  /// A value of a member. The raw bytes of a string are between its quotes, with their escapes.
  enum Value {
    case string(UnsafeRawBufferPointer)
    case number(UnsafeRawBufferPointer)
    /// An object, an array, `true`, `false` or `null`.
    case other
  }

  init(_ bytes: UnsafeRawBufferPointer) {
    scanner = ByteScanner(bytes)
    skip()
    _ = scanner.take(0x7B)
  }

  /// Returns the next member; `nil` at the end of the object or at a mistake.
  mutating func next() -> (key: UnsafeRawBufferPointer, value: Value)? {
    skip()
    if scanner.take(0x2C) { skip() }
    guard let key = string() else { return nil }
    skip()
    guard scanner.take(0x3A) else { return nil }
    skip()
    guard let value = value() else { return nil }
    return (key, value)
  }

  private mutating func skip() {
    while let byte = scanner.peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      scanner.move(to: scanner.place + 1)
    }
  }

  private mutating func string() -> UnsafeRawBufferPointer? {
    guard scanner.take(0x22) else { return nil }
    let start = scanner.place
    var from = start
    while let quote = scanner.bytes.first(0x22, from: from) {
      var escapes = quote
      while escapes > start, scanner.bytes[escapes - 1] == 0x5C { escapes -= 1 }
      if (quote - escapes) % 2 == 0 {
        scanner.move(to: quote + 1)
        return scanner.bytes.slice(start, quote)
      }
      from = quote + 1
    }
    return nil
  }

  /// Takes the end of the object and of the text.
  mutating func takeEnd() -> Bool {
    skip()
    guard scanner.take(0x7D) else { return false }
    skip()
    return scanner.isAtEnd
  }

  private mutating func value() -> Value? {
    switch scanner.peek {
    case 0x22: return string().map(Value.string)
    case 0x7B, 0x5B:
      var depth = 0
      while let byte = scanner.peek {
        if byte == 0x22 {
          if string() == nil { return nil }
          continue
        }
        scanner.move(to: scanner.place + 1)
        if byte == 0x7B || byte == 0x5B { depth += 1 }
        if byte == 0x7D || byte == 0x5D {
          depth -= 1
          if depth == 0 { return .other }
        }
      }
      return nil
    case nil: return nil
    default:
      let start = scanner.place
      word: while let byte = scanner.peek {
        switch byte {
        case 0x2C, 0x7D, 0x5D, 0x20, 0x09, 0x0A, 0x0D: break word
        default: scanner.move(to: scanner.place + 1)
        }
      }
      let word = scanner.bytes.slice(start, scanner.place)
      guard let first = word.first else { return nil }
      return first.isDigit || first == 0x2D ? .number(word) : .other
    }
  }

  /// Returns the bytes of a string with its escapes replaced.
  static func unescaped(_ raw: UnsafeRawBufferPointer) -> [UInt8] {
    guard raw.first(0x5C, from: 0) != nil else { return Array(raw) }
    return withUnescaped(raw) { Array($0) }
  }

  /// Calls a function with the bytes of a string with its escapes replaced.
  static func withUnescaped<Result>(_ raw: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Result) -> Result {
    // An escape of two bytes may become a replacement character of three.
    withUnsafeTemporaryAllocation(byteCount: raw.count * 2, alignment: 1) { room in
      take(UnsafeRawBufferPointer(rebasing: room[..<unescape(raw, into: room)]))
    }
  }

  /// - Returns: the number of bytes written.
  private static func unescape(_ raw: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> Int {
    var (scanner, count) = (ByteScanner(raw), 0)
    func put(_ byte: UInt8) {
      room[count] = byte
      count += 1
    }
    while !scanner.isAtEnd {
      let plain = scanner.bytes.slice(scanner.place, scanner.bytes.first(0x5C, from: scanner.place) ?? raw.count)
      UnsafeMutableRawBufferPointer(rebasing: room[count...]).copyMemory(from: plain)
      count += plain.count
      scanner.move(to: scanner.place + plain.count)
      guard scanner.take(0x5C) else { break }
      guard let escape = scanner.peek else {
        put(0x5C)
        break
      }
      scanner.move(to: scanner.place + 1)
      switch escape {
      case UInt8(ascii: "n"): put(0x0A)
      case UInt8(ascii: "t"): put(0x09)
      case UInt8(ascii: "r"): put(0x0D)
      case UInt8(ascii: "b"): put(0x08)
      case UInt8(ascii: "f"): put(0x0C)
      case UInt8(ascii: "u"): for byte in unit(&scanner).utf8 { put(byte) }
      default: put(escape)
      }
    }
    return count
  }

  /// Takes the digits of `\uXXXX`, and those of a second unit that belongs to the same character.
  private static func unit(_ scanner: inout ByteScanner) -> String {
    func digits(_ scanner: inout ByteScanner) -> UInt32? {
      var value: UInt32 = 0
      let start = scanner.place
      for _ in 0..<4 {
        guard let digit = scanner.peek?.hexadecimalValue else {
          scanner.move(to: start)
          return nil
        }
        value = value << 4 | UInt32(digit)
        scanner.move(to: scanner.place + 1)
      }
      return value
    }
    guard let first = digits(&scanner) else { return "\u{FFFD}" }
    let start = scanner.place
    if (0xD800..<0xDC00).contains(first), scanner.take("\\u"), let second = digits(&scanner), (0xDC00..<0xE000).contains(second) {
      let scalar = 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
      return Unicode.Scalar(scalar).map { String(Character($0)) } ?? "\u{FFFD}"
    }
    scanner.move(to: start)
    return Unicode.Scalar(first).map { String(Character($0)) } ?? "\u{FFFD}"
  }
}
