extension UInt64 {
  /// The number as 16 lowercase hexadecimal digits.
  package var hexadecimal: String { String(length: 16) { $0.append(hexadecimal: self, width: 16) } }
}
