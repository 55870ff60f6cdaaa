package import XferEvents

/// The private values that were masked in a bundle, in the forms in which they must not occur in it.
package final class MaskedValues {
  private var values: Set<String> = []
  /// The texts that the log states publicly. A private value that equals one of them is not a secret.
  private var names: Set<String> = []
  /// Whether there were more values than are searched for.
  private(set) var isFull = false

  /// Shorter values are not searched for, because they occur by chance.
  package static let shortest = 8
  /// Parts of values, such as the segments of a path, are searched for from this length on.
  static let shortestPart = 16
  /// The scan searches for at most this many bytes of a value, from its beginning.
  private static let longest = 256
  private static let most = 500_000

  package init() {}

  /// The number of different values that are searched for.
  package var count: Int { searched.count }

  /// Notes a value that was masked.
  package func note(_ value: String) {
    guard value.utf8.count >= Self.shortest, !values.contains(value) else { return }
    guard values.count < Self.most else { return isFull = true }
    values.insert(value)
    for part in value.split(whereSeparator: Self.separates) where part.utf8.count >= Self.shortestPart {
      // Identifiers such as UUIDs are public.
      if !part.allSatisfy({ $0.isHexDigit || $0 == "-" }) { values.insert(String(part)) }
    }
  }

  private static func separates(_ character: Character) -> Bool { "/?&=;# \n\t\"'<>()[]{}|,".contains(character) }

  /// Notes the names and words that an event states publicly, such as its session and the name of an error.
  package func note(namesOf event: RecordedEvent) {
    let layout = event.layout
    for place in layout.readingOrder {
      switch (layout.fields[place].type, event.value(at: place)) {
      case (.task, .task(let task)?): names.formUnion([task.session, "\(task.uid)"])
      case (.symbol, .text(.plain(let text))?): names.insert(text)
      // A public field should not contain a URL, so a URL is masked.
      case (.text(.public), .text(.plain(let text))?): if !LoggedURL.isWithin(text) { names.insert(text) }
      case (.choice, .choice(let word)?): names.insert(word)
      default: break
      }
    }
  }

  private var searched: Set<String> { values.subtracting(names) }

  /// Returns the byte sequences to search for.
  func needles() -> [[UInt8]] {
    var needles: Set<[UInt8]> = []
    for value in searched {
      for form in Self.forms(of: Array(value.utf8.prefix(Self.longest))) where form.count >= Self.shortest {
        needles.insert(form)
      }
    }
    return Array(needles)
  }

  /// Returns a value in all forms in which a program may have written it.
  static func forms(of bytes: [UInt8]) -> [[UInt8]] {
    var forms = [bytes]
    for keepsSlashes in [true, false] {
      for isUpper in [true, false] { forms.append(percentEncoded(bytes, keepsSlashes, isUpper)) }
    }
    for keepsSlashes in [true, false] { forms.append(escaped(bytes, keepsSlashes)) }
    for shift in 0..<3 {
      let digits = base64(bytes, shift: shift)
      forms.append(digits)
      forms.append(digits.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 })
    }
    return forms
  }

  private static func percentEncoded(_ bytes: [UInt8], _ keepsSlashes: Bool, _ isUpper: Bool) -> [UInt8] {
    bytes.flatMap { byte -> [UInt8] in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
        return [byte]
      case UInt8(ascii: "/") where keepsSlashes: return [byte]
      default: return [UInt8(ascii: "%")] + hexadecimal(byte, isUpper)
      }
    }
  }

  /// Returns the text of a JSON string.
  private static func escaped(_ bytes: [UInt8], _ keepsSlashes: Bool) -> [UInt8] {
    var text: [UInt8] = []
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\"", "\\": text += [UInt8(ascii: "\\"), UInt8(ascii: scalar)]
      case "/" where !keepsSlashes: text += Array("\\/".utf8)
      case _ where scalar.isASCII && scalar.value >= 0x20: text.append(UInt8(ascii: scalar))
      default:
        for unit in String(scalar).utf16 {
          text += Array("\\u".utf8) + hexadecimal(UInt8(unit >> 8), false) + hexadecimal(UInt8(unit & 0xFF), false)
        }
      }
    }
    return text
  }

  private static func hexadecimal(_ byte: UInt8, _ isUpper: Bool) -> [UInt8] {
    let digits = Array((isUpper ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
    return [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  /// Returns the base64 digits of bytes that follow other bytes, without the digits that also encode neighbouring bytes.
  private static func base64(_ bytes: [UInt8], shift: Int) -> [UInt8] {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    let padded = [UInt8](repeating: 0, count: shift) + bytes
    var text: [UInt8] = []
    var (word, bits): (UInt32, Int) = (0, 0)
    for byte in padded {
      (word, bits) = (word << 8 | UInt32(byte), bits + 8)
      while bits >= 6 {
        bits -= 6
        text.append(digits[Int(word >> UInt32(bits) & 63)])
      }
    }
    return Array(text.dropFirst((8 * shift + 5) / 6))
  }
}
