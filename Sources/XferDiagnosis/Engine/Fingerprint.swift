/// A finding's name that outlives ids, times, paths and order.
enum Fingerprint {
  /// "1:" and 16 digits of FNV-1a over what stays the same from run to run.
  ///
  /// - Parameter name: of the session, or of what the finding is about where that has none.
  static func make(rule: String, variant: String?, name: String?, method: String?, host: String?) -> String {
    let text = [rule, variant ?? "", template(name ?? ""), method ?? "", template(host ?? "")].joined(separator: "\u{1F}")
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 {
      hash ^= UInt64(byte)
      hash = hash &* 0x0000_0100_0000_01b3
    }
    let digits = String(hash, radix: 16)
    return "1:" + String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Numbers change from run to run, and how many digits they have does.
  private static func template(_ name: String) -> String {
    GeneratedName(name).template.reduce(into: "") { template, character in
      if !character.isNumber { template.append(character) } else if template.last != "#" { template.append("#") }
    }
  }
}
