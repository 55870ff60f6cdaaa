/// A key that the user pressed.
package enum StepKey: Equatable, Sendable {
  case text(Character)
  case left, right, up, down, home, end, pageUp, pageDown, enter, backspace, escape

  /// Returns the keys for bytes from a terminal. Unknown escape sequences are ignored.
  package static func decode(_ bytes: [UInt8]) -> [StepKey] {
    var keys: [StepKey] = []
    var rest = bytes[...]
    while let byte = rest.first {
      switch byte {
      case 0x1B:
        let (key, length) = sequence(rest.dropFirst())
        if let key { keys.append(key) }
        rest = rest.dropFirst(1 + length)
      case 0x0A, 0x0D:
        keys.append(.enter)
        rest = rest.dropFirst()
      case 0x08, 0x7F:
        keys.append(.backspace)
        rest = rest.dropFirst()
      case ..<0x20: rest = rest.dropFirst()
      default:
        let text = rest.prefix { $0 >= 0x20 && $0 != 0x7F }
        keys += String(decoding: text, as: UTF8.self).map(StepKey.text)
        rest = rest.dropFirst(text.count)
      }
    }
    return keys
  }

  /// Returns the key of an escape sequence, and the number of bytes after the escape character.
  private static func sequence(_ bytes: ArraySlice<UInt8>) -> (StepKey?, Int) {
    guard let first = bytes.first, first == UInt8(ascii: "[") || first == UInt8(ascii: "O") else { return (.escape, 0) }
    let parameters = bytes.dropFirst().prefix { !(0x40...0x7E ~= $0) }
    guard let last = bytes.dropFirst(1 + parameters.count).first else { return (nil, bytes.count) }
    let key: StepKey? =
      switch (last, parameters.first) {
      case (UInt8(ascii: "A"), _): .up
      case (UInt8(ascii: "B"), _): .down
      case (UInt8(ascii: "C"), _): .right
      case (UInt8(ascii: "D"), _): .left
      case (UInt8(ascii: "H"), _), (UInt8(ascii: "~"), UInt8(ascii: "1")): .home
      case (UInt8(ascii: "F"), _), (UInt8(ascii: "~"), UInt8(ascii: "4")): .end
      case (UInt8(ascii: "~"), UInt8(ascii: "5")): .pageUp
      case (UInt8(ascii: "~"), UInt8(ascii: "6")): .pageDown
      default: nil
      }
    return (key, 2 + parameters.count)
  }
}
