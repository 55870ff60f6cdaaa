import XferEvents

/// The secret that a browser must present: 128 random bits as 32 hexadecimal digits.
package struct AccessToken: Sendable, Equatable {
  package let text: String

  /// The number of digits.
  package static let length = 32

  /// Creates a token with random bits of the system.
  package init() {
    var random = SystemRandomNumberGenerator()
    let (high, low): (UInt64, UInt64) = (random.next(), random.next())
    text = high.hexadecimal + low.hexadecimal
  }

  /// - Parameter text: 32 lowercase hexadecimal digits; anything else gives `nil`.
  package init?(_ text: String) {
    guard text.utf8.count == Self.length, text.utf8.allSatisfy(Self.isDigit) else { return nil }
    self.text = text
  }

  /// Whether a text is this token. The time that the comparison takes depends only on the text's length.
  package func matches(_ candidate: some StringProtocol) -> Bool {
    let (own, other) = (Array(text.utf8), Array(candidate.utf8))
    guard own.count == other.count else { return false }
    var difference: UInt8 = 0
    for (one, another) in zip(own, other) { difference |= one ^ another }
    return difference == 0
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    default: false
    }
  }
}
