/// A growing buffer of UTF-8 text whose memory is reused.
package struct TextBuffer: ~Copyable {
  private var memory: UnsafeMutableRawBufferPointer
  package private(set) var count = 0

  package init(capacity: Int = 1 << 12) {
    memory = .allocate(byteCount: max(64, capacity), alignment: 16)
  }

  deinit { memory.deallocate() }

  package var isEmpty: Bool { count == 0 }
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

  package mutating func removeAll() { count = 0 }

  /// Removes the first `length` bytes.
  package mutating func removeFirst(_ length: Int) {
    let length = min(max(0, length), count)
    if length == 0 { return }
    let rest = UnsafeRawBufferPointer(rebasing: memory[length..<count])
    memory.copyMemory(from: rest)
    count -= length
  }

  /// Removes all but the first `length` bytes.
  package mutating func cut(to length: Int) { count = min(count, length) }

  @inline(__always)
  private mutating func reserve(_ more: Int) {
    if memory.count - count < more { grow(more) }
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: max(memory.count * 2, count + more), alignment: 16)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<count]))
    memory.deallocate()
    memory = larger
  }

  // MARK: Unchanged bytes

  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    reserve(1)
    memory[count] = byte
    count += 1
  }

  @inline(__always)
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
    reserve(bytes.count)
    (memory.baseAddress! + count).copyMemory(from: base, byteCount: bytes.count)
    count += bytes.count
  }

  @inline(__always)
  package mutating func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @inline(__always)
  package mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

  package mutating func append(_ text: some StringProtocol) {
    let appended: Void? = text.utf8.withContiguousStorageIfAvailable { append(UnsafeRawBufferPointer($0)) }
    if appended == nil { for byte in text.utf8 { append(byte) } }
  }

  package mutating func append(_ scalar: Unicode.Scalar) {
    for byte in UTF8.encode(scalar)! { append(byte) }
  }

  package mutating func append(repeating byte: UInt8, count times: Int) {
    for _ in 0..<max(0, times) { append(byte) }
  }

  // MARK: Numbers

  @inline(__always)
  package mutating func append(decimal value: some BinaryInteger) {
    if value < 0 { append(UInt8(ascii: "-")) }
    append(digits: UInt64(value.magnitude))
  }

  @inline(__always)
  private mutating func append(digits value: UInt64) {
    reserve(20)
    var length = 1
    var bound: UInt64 = 10
    while value >= bound, length < 20 {
      length += 1
      let (next, overflow) = bound.multipliedReportingOverflow(by: 10)
      if overflow { break }
      bound = next
    }
    append(value, width: length)
  }

  /// Appends the last `width` digits of a number, with leading zeros.
  @inline(__always)
  package mutating func append(_ value: UInt64, width: Int) {
    reserve(width)
    var rest = value
    var place = count + width
    while place > count {
      place -= 1
      memory[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += width
  }

  /// Appends a number as `width` hexadecimal digits, sixteen by default.
  package mutating func append(hexadecimal value: UInt64, width: Int = 16) {
    reserve(width)
    var rest = value
    var place = count + width
    while place > count {
      place -= 1
      let digit = UInt8(truncatingIfNeeded: rest & 15)
      memory[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
      rest >>= 4
    }
    count += width
  }

  /// Appends 128 bits in the form of a UUID.
  package mutating func append(uuid high: UInt64, _ low: UInt64) {
    append(hexadecimal: high >> 32, width: 8)
    append(UInt8(ascii: "-"))
    append(hexadecimal: high >> 16 & 0xFFFF, width: 4)
    append(UInt8(ascii: "-"))
    append(hexadecimal: high & 0xFFFF, width: 4)
    append(UInt8(ascii: "-"))
    append(hexadecimal: low >> 48, width: 4)
    append(UInt8(ascii: "-"))
    append(hexadecimal: low & 0xFFFF_FFFF_FFFF, width: 12)
  }
}

extension TextBuffer {
  /// The contents as a string, for tests and for texts that are not streamed.
  package var string: String { String(decoding: bytes, as: UTF8.self) }
}
