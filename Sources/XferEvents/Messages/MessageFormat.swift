/// The text of a message without its arguments, while it is being built.
///
/// `{}` stands for each argument, and the literals' own braces are doubled. A text that is too long is truncated and ends in an
/// ellipsis.
struct MessageFormat {
  private let buffer: UnsafeMutableRawBufferPointer
  private var count = 0
  private var isCut = false

  /// The maximum length of the text in bytes, which is also the maximum length of a string in the dictionary.
  static let room = 1024
  private static let ellipsis: StaticString = "…"

  init(_ buffer: UnsafeMutableRawBufferPointer) { self.buffer = buffer }

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[..<count]) }

  @inline(__always)
  mutating func append(_ literal: UnsafeRawBufferPointer) {
    guard let base = literal.baseAddress, buffer.count - count >= 2 * literal.count, !isCut else {
      return appendSlowly(literal)
    }
    let target = buffer.baseAddress! + count
    var offset = 0
    while offset + 8 <= literal.count {
      let word = base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if Self.hasBrace(word) { break }
      target.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
      offset += 8
    }
    count += offset
    appendSlowly(UnsafeRawBufferPointer(rebasing: literal[offset...]))
  }

  @inline(__always)
  mutating func appendMarker() {
    append(UInt8(ascii: "{"), UInt8(ascii: "}"))
  }

  @inline(__always)
  private mutating func appendSlowly(_ rest: UnsafeRawBufferPointer) {
    for byte in rest {
      let isBrace = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}")
      append(byte, isBrace ? byte : nil)
    }
  }

  /// Appends one or two bytes. A `nil` second byte is not appended. If the buffer has no room for both, it stays as it is and is marked as cut.
  @inline(__always)
  private mutating func append(_ first: UInt8, _ second: UInt8?) {
    if isCut { return }
    guard count + (second == nil ? 1 : 2) <= buffer.count else { return cut() }
    buffer[count] = first
    count += 1
    guard let second else { return }
    buffer[count] = second
    count += 1
  }

  /// Truncates the text, after which nothing more is appended. If truncation splits a doubled brace, readers show the remaining
  /// half as a brace.
  @inline(never)
  private mutating func cut() {
    isCut = true
    let ellipsis = UnsafeRawBufferPointer(start: Self.ellipsis.utf8Start, count: Self.ellipsis.utf8CodeUnitCount)
    let written = UnsafeRawBufferPointer(rebasing: buffer[..<count]).bindMemory(to: UInt8.self)
    count = TextForm.cut(written, to: buffer.count - ellipsis.count).count
    UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyBytes(from: ellipsis)
    count += ellipsis.count
  }

  /// Whether one of eight bytes is `{` or `}`. The exclusive-or of a byte with the brace is zero if the two are equal.
  @inline(__always)
  private static func hasBrace(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let opening = word ^ ones &* 0x7B
    let closing = word ^ ones &* 0x7D
    let found = (opening &- ones) & ~opening | (closing &- ones) & ~closing
    return found & ones &* 0x80 != 0
  }
}
