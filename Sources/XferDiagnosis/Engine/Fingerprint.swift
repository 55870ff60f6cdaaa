import XferEvents

/// The properties of a finding that stay the same from run to run. Fingerprints are computed from these properties.
package struct FingerprintBasis: Sendable, Hashable {
  package let rule: String
  package let variant: String?
  /// The session's identifier, or the subject's name if it has no session.
  package let name: String?
  package let method: String?
  package let host: String?

  package init(rule: String, variant: String?, name: String?, method: String?, host: String?) {
    (self.rule, self.variant, self.name, self.method, self.host) = (rule, variant, name, method, host)
  }

  /// The properties with their names, as version 1 uses them: without the numbers that differ between runs.
  package var properties: [(name: String, value: String)] {
    [
      ("rule", rule), ("variant", variant ?? ""), ("session or name", Fingerprint.template(name ?? "")), ("method", method ?? ""),
      ("host", Fingerprint.template(host ?? "")),
    ]
  }
}

/// The fingerprints of recent findings. Many findings of a log have the same basis, and computing its fingerprint takes longer than
/// everything else about a finding.
struct FingerprintCache: Sendable {
  private var known: [FingerprintBasis: String] = [:]

  /// The maximum number of fingerprints. A log may have a session for each of its findings.
  private static let limit = 256

  mutating func fingerprint(of basis: FingerprintBasis) -> String {
    if let fingerprint = known[basis] { return fingerprint }
    if known.count == Self.limit { known.removeAll(keepingCapacity: true) }
    let fingerprint = FingerprintVersion.current.fingerprint(of: basis)
    known[basis] = fingerprint
    return fingerprint
  }
}

/// A version of the computation of fingerprints. A fingerprint begins with the number of its version.
package struct FingerprintVersion: Sendable {
  package let number: Int
  /// Computes the part of the fingerprint after the version and the colon.
  package let digits: @Sendable (FingerprintBasis) -> String

  package init(number: Int, digits: @escaping @Sendable (FingerprintBasis) -> String) {
    (self.number, self.digits) = (number, digits)
  }

  package func fingerprint(of basis: FingerprintBasis) -> String { "\(number):\(digits(basis))" }

  /// The compatibility table: every version that was ever written, the newest last. An entry of a baseline keeps matching its finding
  /// after a new version was added, because the finding has a fingerprint of each version.
  package static let all = [FingerprintVersion(number: 1, digits: Fingerprint.digits)]

  /// The version of new fingerprints.
  package static let current = FingerprintVersion(number: 1, digits: Fingerprint.digits)

  /// Returns the version number of a fingerprint; `nil` for a text that is not a fingerprint.
  package static func number(of fingerprint: String) -> Int? {
    let parts = fingerprint.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty, parts[1].allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
    return parts[0].allSatisfy { $0.isASCII && $0.isNumber } ? Int(parts[0]) : nil
  }
}

/// An identifier of a finding that does not depend on IDs, times, paths or order.
enum Fingerprint {
  /// Returns "1:" and 16 hexadecimal digits: the FNV-1a hash of the properties that stay the same from run to run.
  ///
  /// - Parameter name: the session's identifier, or the subject's name if it has no session.
  static func make(rule: String, variant: String?, name: String?, method: String?, host: String?) -> String {
    "1:" + digits(FingerprintBasis(rule: rule, variant: variant, name: name, method: method, host: host))
  }

  /// Returns the 16 hexadecimal digits of version 1.
  static func digits(_ basis: FingerprintBasis) -> String {
    let text = basis.properties.map(\.value).joined(separator: "\u{1F}")
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 {
      hash ^= UInt64(byte)
      hash = hash &* 0x0000_0100_0000_01b3
    }
    return hash.hexadecimal
  }

  /// Returns a name with each run of digits replaced by `#`, because numbers and their lengths differ between runs.
  static func template(_ name: String) -> String {
    GeneratedName(name).template.reduce(into: "") { template, character in
      if !character.isDigit { template.append(character) } else if template.last != "#" { template.append("#") }
    }
  }
}

extension Character {
  /// Whether the character is a number. The properties of Unicode are looked up only for characters outside of ASCII.
  var isDigit: Bool { isASCII ? ("0"..."9").contains(self) : isNumber }
}
