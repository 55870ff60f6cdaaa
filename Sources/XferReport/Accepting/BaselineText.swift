package import XferDiagnosis

/// The contents of a baseline as YAML.
package enum BaselineText {
  package static func append(_ entries: [AcceptedEntry], version: Int, to text: inout TextBuffer) {
    text.append(
      """
      # Known findings of xferlog: `xferlog replay --baseline` accepts them, so that only new ones fail a job.
      # `xferlog baseline update` rewrites this file and keeps `reason`, `owner` and `expires` (the last day, such as 2027-01-31).
      version: \(version)

      """)
    text.append(entries.isEmpty ? "findings: []\n" : "findings:\n" as StaticString)
    for entry in entries {
      var isFirst = true
      let values: [(key: StaticString, value: String?)] = [
        ("fingerprint", entry.fingerprint), ("rule", entry.rule), ("summary", entry.summary), ("reason", entry.reason),
        ("owner", entry.owner), ("expires", entry.expires),
      ]
      for (key, value) in values {
        guard let value else { continue }
        text.append(isFirst ? "  - " : "    " as StaticString)
        text.append(key)
        text.append(": " as StaticString)
        append(value, to: &text)
        text.append(UInt8(ascii: "\n"))
        isFirst = false
      }
    }
  }

  /// Appends a text as a double-quoted scalar of YAML. Characters that control a terminal, and those that YAML does not allow, are escaped.
  /// Unlike JSON, YAML has no escapes for the halves of a character of more than 16 bits.
  private static func append(_ value: String, to text: inout TextBuffer) {
    text.append(UInt8(ascii: "\""))
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text.append("\\\"" as StaticString)
      case "\\": text.append("\\\\" as StaticString)
      case _ where TerminalText.mustEscape(scalar) || scalar == "\u{FFFE}" || scalar == "\u{FFFF}":
        let (mark, width) = scalar.value <= 0xFFFF ? ("\\u", 4) : ("\\U", 8)
        let digits = String(scalar.value, radix: 16)
        text.append(mark + String(repeating: "0", count: width - digits.count) + digits)
      default: text.append(scalar)
      }
    }
    text.append(UInt8(ascii: "\""))
  }
}
