/// The parts of a URL that a log may contain as private values. Parts that grant access are removed and not even hashed.
package enum LoggedURL {
  /// Whether the text contains a URL.
  package static func isWithin(_ text: String) -> Bool {
    var slashes: Int?
    for byte in text.utf8 {
      switch (byte, slashes) {
      case (UInt8(ascii: ":"), _): slashes = 0
      case (UInt8(ascii: "/"), 0?): slashes = 1
      case (UInt8(ascii: "/"), 1?): return true
      default: slashes = nil
      }
    }
    return false
  }

  /// Returns the query without parameters that grant access; `nil` if nothing remains.
  package static func query(_ query: String) -> String? {
    let isShared = isAzureSignature(query)
    let kept = query.split(separator: "&").compactMap { piece -> String? in
      // Some servers also separate parameters by semicolons, so each part between semicolons is checked.
      let pairs = piece.split(separator: ";").filter { pair in
        let name = pair.prefix { $0 != "=" }
        return !SecretName.matches(parameter: name) && !(isShared && azureNames.contains(name.lowercased()))
      }
      return pairs.isEmpty ? nil : pairs.joined(separator: ";")
    }
    return kept.isEmpty ? nil : kept.joined(separator: "&")
  }

  /// Returns the path without parameters that grant access, such as `;jsessionid=…`.
  package static func path(_ path: String) -> String {
    guard path.contains(";") else { return path }
    return path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
      let pieces = segment.split(separator: ";", omittingEmptySubsequences: false)
      return pieces.enumerated().filter { place, piece in
        place == 0 || !SecretName.matches(parameter: piece.prefix { $0 != "=" })
      }.map { String($0.element) }.joined(separator: ";")
    }.joined(separator: "/")
  }

  /// The parameters of an Azure shared access signature, apart from the signature itself. They are removed only from a query with
  /// such a signature, because other queries use the same short names for other purposes.
  private static let azureNames: Set<String> = [
    "rscc", "rscd", "rsce", "rscl", "rsct", "saoid", "scid", "sdd", "se", "ses", "si", "sip", "ske", "skoid", "sks", "skt",
    "sktid", "skv", "sp", "spr", "sr", "srt", "ss", "st", "suoid", "sv", "tn",
  ]

  private static func isAzureSignature(_ query: String) -> Bool {
    let names = Set(query.split(separator: "&").map { PercentEncoding.decoded($0.prefix { $0 != "=" }).lowercased() })
    return names.isSuperset(of: ["sig", "sv"])
  }
}
