/// The wire format of Protocol Buffers, as far as the exports need it.
extension TextBuffer {
  /// Appends a varint without its tag.
  mutating func append(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends a field of a whole number.
  mutating func append(field number: UInt64, _ value: UInt64) {
    append(varint: number << 3)
    append(varint: value)
  }

  /// Appends a field of a string.
  mutating func append(field number: UInt64, _ text: String) {
    append(varint: number << 3 | 2)
    append(varint: UInt64(text.utf8.count))
    append(text)
  }

  /// Appends a field of a message, whose length precedes it.
  mutating func append(field number: UInt64, message write: (inout TextBuffer) -> Void) {
    var message = TextBuffer(capacity: 256)
    write(&message)
    append(varint: number << 3 | 2)
    append(varint: UInt64(message.count))
    append(message.bytes)
  }
}
