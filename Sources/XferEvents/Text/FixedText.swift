/// ASCII text of a fixed length, which is written from left to right into a string's own memory.
struct FixedText {
  private let memory: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  fileprivate init(_ memory: UnsafeMutableBufferPointer<UInt8>) { self.memory = memory }

  mutating func append(_ character: Unicode.Scalar) {
    precondition(count < memory.count, "a fixed text has no place left")
    memory[count] = UInt8(ascii: character)
    count += 1
  }

  /// Appends the last `width` decimal digits of a number that is not negative.
  mutating func append(decimal value: Int64, width: Int) { append(UInt64(value), base: 10, width: width) }

  /// Appends the last `width` hexadecimal digits of a number, in lower case.
  mutating func append(hexadecimal value: UInt64, width: Int) { append(value, base: 16, width: width) }

  // Inlined, because a division by a constant is a multiplication.
  @inline(__always)
  private mutating func append(_ value: UInt64, base: UInt64, width: Int) {
    precondition(width <= memory.count - count, "a fixed text has no place left")
    var rest = value
    for place in (count..<count + width).reversed() {
      let digit = UInt8(truncatingIfNeeded: rest % base)
      memory[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
      rest /= base
    }
    count += width
  }
}

extension String {
  /// Creates a string of ASCII characters.
  ///
  /// - Parameter length: the number of characters that `write` may append.
  init(length: Int, _ write: (inout FixedText) -> Void) {
    self.init(unsafeUninitializedCapacity: length) { memory in
      var text = FixedText(UnsafeMutableBufferPointer(rebasing: memory[..<length]))
      write(&text)
      return text.count
    }
  }
}
