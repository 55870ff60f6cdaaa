/// A message's text without its arguments, while it is put together: `{}` stands for each, and braces of its own are
/// doubled. What is longer than a name may be is cut and ends in an ellipsis.
struct MessageFormat {
  private let buffer: UnsafeMutableRawBufferPointer
  private var count = 0
  private var isCut = false

  /// As long as the dictionary stores names; more would not be on the stack either.
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

  /// One byte, or two that belong together.
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

  /// Nothing is appended any more. A brace that loses its other half is shown as it is.
  @inline(never)
  private mutating func cut() {
    isCut = true
    let ellipsis = UnsafeRawBufferPointer(start: Self.ellipsis.utf8Start, count: Self.ellipsis.utf8CodeUnitCount)
    let written = UnsafeRawBufferPointer(rebasing: buffer[..<count]).bindMemory(to: UInt8.self)
    count = TextForm.cut(written, to: buffer.count - ellipsis.count).count
    UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyBytes(from: ellipsis)
    count += ellipsis.count
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
