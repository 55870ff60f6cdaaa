import XferEvents

/// An identifier of a finding that does not depend on IDs, times, paths or order.
enum Fingerprint {
  /// Returns "1:" and 16 hexadecimal digits: the FNV-1a hash of the properties that stay the same from run to run.
  ///
  /// - Parameter name: the session's identifier, or the subject's name if it has no session.
  static func make(rule: String, variant: String?, name: String?, method: String?, host: String?) -> String {
    let text = [rule, variant ?? "", template(name ?? ""), method ?? "", template(host ?? "")].joined(separator: "\u{1F}")
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 {
      hash ^= UInt64(byte)
      hash = hash &* 0x0000_0100_0000_01b3
    }
    return "1:" + hash.hexadecimal
  }

  /// Returns a name with each run of digits replaced by `#`, because numbers and their lengths differ between runs.
  private static func template(_ name: String) -> String {
    GeneratedName(name).template.reduce(into: "") { template, character in
      if !character.isNumber { template.append(character) } else if template.last != "#" { template.append("#") }
    }
  }
}
