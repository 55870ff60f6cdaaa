/// Appends little-endian values to a byte array.
struct ByteSink {
  var bytes: [UInt8] = []

  mutating func put<Value: FixedWidthInteger>(_ value: Value) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Appends a 16-bit length followed by the UTF-8 bytes.
  mutating func put(_ text: String) {
    put(UInt16(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// Appends a variable-length integer: seven bits per byte, lowest bits first; the top bit marks that another byte
  /// follows.
  mutating func put(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Appends the count of the ascending numbers, then each number as its difference from the previous one.
  mutating func put(ascending numbers: [UInt32]) {
    put(varint: UInt64(numbers.count))
    var last: UInt32 = 0
    for number in numbers {
      put(varint: UInt64(number - last))
      last = number
    }
  }
}
