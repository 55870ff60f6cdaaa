/// A message's text without its arguments, while it is put together: `{}` stands for each, and braces of its own are
/// doubled.
struct MessageFormat {
  private let buffer: UnsafeMutableRawBufferPointer
  private var count = 0

  /// Longer ones are cut; the dictionary does so with all names, and says so by an ellipsis.
  static let room = 1280

  init(_ buffer: UnsafeMutableRawBufferPointer) { self.buffer = buffer }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[..<count]) }

  @inline(__always)
  mutating func append(_ literal: UnsafeRawBufferPointer) {
    guard let base = literal.baseAddress, buffer.count - count >= 2 * literal.count else { return appendSlowly(literal) }
    let target = buffer.baseAddress! + count
    var offset = 0
    while offset + 8 <= literal.count {
      let word = base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if Self.hasBrace(word) { return appendSlowly(UnsafeRawBufferPointer(rebasing: literal[offset...]), after: offset) }
      target.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
      offset += 8
    }
    appendSlowly(UnsafeRawBufferPointer(rebasing: literal[offset...]), after: offset)
  }

  @inline(__always)
  private mutating func appendSlowly(_ rest: UnsafeRawBufferPointer, after done: Int = 0) {
    count += done
    for byte in rest {
      guard count + 2 <= buffer.count else { return }
      buffer[count] = byte
      count += 1
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") {
        buffer[count] = byte
        count += 1
      }
    }
  }

  @inline(__always)
  mutating func appendMarker() {
    guard count + 2 <= buffer.count else { return }
    buffer[count] = UInt8(ascii: "{")
    buffer[count + 1] = UInt8(ascii: "}")
    count += 2
  }

  /// Whether one of eight bytes is `{` or `}`: a byte is zero once the brace is taken out by exclusive-or.
  @inline(__always)
  private static func hasBrace(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let opening = word ^ ones &* 0x7B
    let closing = word ^ ones &* 0x7D
    let found = (opening &- ones) & ~opening | (closing &- ones) & ~closing
    return found & ones &* 0x80 != 0
  }
}
