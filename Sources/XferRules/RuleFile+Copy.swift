import XferDiagnosis
import XferYAML

extension RuleFile {
  /// Returns the rules and limits of a configuration file as a rule file.
  ///
  /// The lines of queries and settings and of the names of other files become empty, so that the rules keep their places.
  ///
  /// - Returns: `nil` if the rules share lines with anything else.
  package static func rulesAlone(of bytes: [UInt8], name: String) throws(RuleErrors) -> [UInt8]? {
    let original = try RuleFile(name: name, bytes: bytes, namesFiles: true)
    let others = ["queries"] + SettingName.allCases.map(\.rawValue)
    var isKept = true
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    let kept = lines.enumerated().map { place, line in
      if let first = line.first, first.isLetter { isKept = !others.contains { line.hasPrefix("\($0):") } }
      let isName = original.files.contains { file in
        file.place.line == place + 1
          && ["- \(file.name)", "- '\(file.name)'", "- \"\(file.name)\""].contains(trimmed(line))
      }
      return isKept && !isName ? line : ""
    }
    let copy = Array(kept.joined(separator: "\n").utf8)
    let rules = try? RuleFile(name: name, bytes: copy)
    return rules?.rules.map(\.rule.description.id) == original.rules.map(\.rule.description.id) ? copy : nil
  }

  private static func trimmed(_ line: Substring) -> String {
    String(String(line.drop { $0 == " " }).reversed().drop { $0 == " " || $0 == "\r" }.reversed())
  }
}
