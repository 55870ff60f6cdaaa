package import XferDiagnosis
package import XferRules

extension AcceptanceFile {
  /// Reads the entries of a file.
  package static func entries(in file: String, _ kind: AcceptedEntry.Kind) throws -> [AcceptedEntry] {
    let advice =
      switch kind {
      case .baseline: "Create the baseline with `xferlog baseline update --baseline \(file)`."
      case .suppression: "Name an existing, readable file of suppressions."
      }
    do {
      return try AcceptanceFile(name: file, bytes: RuleSources.bytes(file, advice: advice), kind: kind).entries
    } catch let errors as RuleErrors {
      throw CommandExit(.wrongUsage, errors.description)
    }
  }
}
