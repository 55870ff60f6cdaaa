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
        // A JSON string is a double-quoted scalar of YAML.
        text.appendJSON { $0.string(value) }
        text.append(UInt8(ascii: "\n"))
        isFirst = false
      }
    }
  }
}
