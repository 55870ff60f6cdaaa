import Foundation

/// Searches bytes for canaries in every encoding in which they may have been written.
struct CanaryScan {
  private struct Needle {
    let canary: Canary
    let form: String
    let bytes: [UInt8]
  }

  /// The search texts by their first eight bytes, so that many texts are searched for at once.
  private var needles: [UInt64: [Needle]] = [:]
  /// Whether a search text begins with a word that has this digest.
  private var begins = [Bool](repeating: false, count: 1 << 16)

  init() {
    for canary in Canary.allCases {
      for (form, bytes) in Self.forms(of: canary.text) {
        let word = bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
        needles[word, default: []].append(Needle(canary: canary, form: form, bytes: bytes))
        begins[Self.digest(word)] = true
      }
    }
  }

  private static func digest(_ word: UInt64) -> Int { Int((word &* 0x9e37_79b9_7f4a_7c15) >> 48) }

  /// - Returns: The canaries found, each with its encoding.
  func hits(in bytes: [UInt8]) -> [Canary: String] {
    var hits: [Canary: String] = [:]
    bytes.withUnsafeBytes { bytes in
      var place = 0
      while place + 8 <= bytes.count {
        let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        if begins[Self.digest(word)] {
          for needle in needles[word] ?? [] where bytes[place...].starts(with: needle.bytes) { hits[needle.canary] = needle.form }
        }
        place += 1
      }
    }
    return hits
  }

  static func forms(of text: String) -> [String: [UInt8]] {
    let bytes = Array(text.utf8)
    func each(_ form: (UInt8) -> String) -> [UInt8] { Array(bytes.map(form).joined().utf8) }
    func hex(_ byte: UInt8, _ digits: Int = 2, _ upper: Bool = false) -> String {
      let text = String(byte, radix: 16, uppercase: upper)
      return String(repeating: "0", count: digits - text.count) + text
    }
    var forms = [
      "raw": bytes,
      "upper case": Array(text.uppercased().utf8),
      "percent-encoded": each { "%" + hex($0) },
      "percent-encoded, upper case": each { "%" + hex($0, 2, true) },
      "hex": each { hex($0) },
      "hex, upper case": each { hex($0, 2, true) },
      "escaped": each { "\\x" + hex($0) },
      "JSON": each { "\\u" + hex($0, 4) },
      "JSON, upper case": each { "\\u" + hex($0, 4, true) },
      "UTF-16, little-endian": bytes.flatMap { [$0, 0] },
      "UTF-16, big-endian": bytes.flatMap { [0, $0] },
    ]
    // The encoding depends on the position in a group of three bytes. Digits that also encode neighbouring bytes are left out.
    for shift in 0..<3 {
      let coded = Array(Data([UInt8](repeating: 0, count: shift) + bytes).base64EncodedString().utf8)
      forms["base64, shifted by \(shift)"] = Array(coded[(8 * shift + 5) / 6..<8 * (shift + bytes.count) / 6])
    }
    return forms
  }
}
