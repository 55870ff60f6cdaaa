import CXferPlatform

/// A reader of the members of a JSON object that fills one line without spaces between its tokens, as `log` writes it. Anything else is
/// left to `JSONMembers`.
///
/// The quotation marks of 64 bytes are found at once.
struct QuickMembers {
  private let text: UnsafeRawBufferPointer
  /// The unescaped quotation marks of the current 64 bytes that were not passed yet.
  private var quotes: UInt64 = 0
  /// The offset of the current 64 bytes.
  private var block = -64
  /// Whether the byte before the next block is a backslash.
  private var endsEscaped = false
  /// Whether an escaped backslash was found, which is too rare to be read quickly.
  private var isUnusual = false
  /// The offset of the next token.
  private var place = 1

  /// - Returns: `nil` unless the text begins as an object.
  init?(_ text: UnsafeRawBufferPointer) {
    guard text.count >= 2, text[0] == 0x7B, text[text.count - 1] == 0x7D else { return nil }
    self.text = text
  }

  /// The end of the reading.
  enum End { case complete, unusual }

  /// Calls `take` with each member, in order.
  @inline(__always)
  mutating func read(_ take: (_ key: UnsafeRawBufferPointer, _ value: JSONMembers.Value) -> Void) -> End {
    if text[place] == 0x7D { return place == text.count - 1 ? .complete : .unusual }
    while true {
      guard let open = next(), open == place, let close = next(), close + 2 < text.count, text[close + 1] == 0x3A else {
        return .unusual
      }
      let key = UnsafeRawBufferPointer(rebasing: text[open + 1..<close])
      place = close + 2
      switch text[place] {
      case 0x22:
        guard let first = next(), first == place, let last = next() else { return .unusual }
        take(key, .string(UnsafeRawBufferPointer(rebasing: text[first + 1..<last])))
        place = last + 1
      case 0x7B, 0x5B:
        guard passNested() else { return .unusual }
        take(key, .other)
      case let byte:
        let start = place
        while place < text.count, text[place] != 0x2C, text[place] != 0x7D {
          if text[place] <= 0x20 || text[place] == 0x5D || text[place] == 0x22 { return .unusual }
          place += 1
        }
        guard place > start else { return .unusual }
        let word = UnsafeRawBufferPointer(rebasing: text[start..<place])
        take(key, byte.isDigit || byte == 0x2D ? .number(word) : .other)
      }
      guard place < text.count, !isUnusual else { return .unusual }
      if text[place] == 0x2C {
        place += 1
      } else {
        return text[place] == 0x7D && place == text.count - 1 ? .complete : .unusual
      }
    }
  }

  /// Passes an object or an array.
  ///
  /// - Returns: whether it has an end.
  private mutating func passNested() -> Bool {
    var depth = 0
    while true {
      let open = next()
      let end = open ?? text.count
      while place < end {
        let byte = text[place]
        place += 1
        if byte == 0x7B || byte == 0x5B { depth += 1 }
        if byte == 0x7D || byte == 0x5D { depth -= 1 }
        if depth == 0 {
          // The quotation mark belongs to what follows.
          if open != nil { putBack(end) }
          return true
        }
      }
      guard open != nil, let close = next() else { return false }
      place = close + 1
    }
  }

  /// Returns the offset of the next unescaped quotation mark; `nil` if there is none.
  @inline(__always)
  private mutating func next() -> Int? {
    while quotes == 0 {
      block += 64
      guard block < text.count else { return nil }
      load()
    }
    defer { quotes &= quotes &- 1 }
    return block + quotes.trailingZeroBitCount
  }

  /// Makes a quotation mark of the current block the next one again.
  private mutating func putBack(_ offset: Int) { quotes |= 1 << UInt64(truncatingIfNeeded: (offset - block) & 63) }

  private mutating func load() {
    var (found, backslashes): (UInt64, UInt64) = (0, 0)
    let rest = text.count - block
    guard let base = text.baseAddress else { return }
    if rest >= 64 {
      xp_compare_64(base + block, 0x22, 0x5C, &found, &backslashes)
    } else {
      withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { copy in
        _ = copy.initializeMemory(as: UInt8.self, repeating: 0)
        copy.copyMemory(from: UnsafeRawBufferPointer(start: base + block, count: rest))
        xp_compare_64(copy.baseAddress, 0x22, 0x5C, &found, &backslashes)
      }
    }
    let escaped = backslashes << 1 | (endsEscaped ? 1 : 0)
    if backslashes & escaped != 0 { isUnusual = true }
    endsEscaped = backslashes >> 63 == 1
    quotes = found & ~escaped
  }
}
