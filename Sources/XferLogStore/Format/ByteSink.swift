/// Little-endian values put one behind the other into an array.
struct ByteSink {
  var bytes: [UInt8] = []

  mutating func put<Value: FixedWidthInteger>(_ value: Value) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// A 16-bit length and the bytes.
  mutating func put(_ text: String) {
    put(UInt16(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// Seven bits a byte, the lowest first; the top bit says that more follow.
  mutating func put(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// A count, and each number's distance from the one before.
  mutating func put(rising numbers: [UInt32]) {
    put(varint: UInt64(numbers.count))
    var last: UInt32 = 0
    for number in numbers {
      put(varint: UInt64(number - last))
      last = number
    }
  }
}
