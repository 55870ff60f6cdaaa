/// Removes percent-encoding so that names can be compared.
package enum PercentEncoding {
  /// Returns the decoded text. A text that was encoded several times is decoded up to three times, so that a secret's name
  /// cannot be hidden by encoding.
  package static func decoded(_ text: some StringProtocol) -> String {
    var text = String(text)
    for _ in 0..<3 where text.utf8.contains(UInt8(ascii: "%")) { text = decodedOnce(text) }
    return text
  }

  private static func decodedOnce(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
