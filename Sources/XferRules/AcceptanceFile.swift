package import XferDiagnosis
import XferYAML

/// The contents of a baseline or of a file of suppressions.
package struct AcceptanceFile: Sendable {
  package let entries: [AcceptedEntry]

  /// The version of the format of these files.
  package static let version = 1

  /// - Parameters:
  ///   - name: the file's name as the user typed it.
  ///   - kind: the kind of the file. Each suppression must have a reason.
  package init(name: String, bytes: [UInt8], kind: AcceptedEntry.Kind) throws(RuleErrors) {
    var errors: [RuleError] = []
    var entries: [AcceptedEntry] = []
    do throws(RuleError) {
      let file = try Self.tree(bytes, name).fields(Self.title(of: kind), ["version", "findings"])
      let version = try file.required("version", "Write `version: \(Self.version)`.")
      guard version.scalar == "\(Self.version)" else {
        throw version.failure(
          "unknown version `\(version.scalar ?? "…")`", "This xferlog reads version \(Self.version). Use a newer xferlog.")
      }
      let findings = try file.required("findings", "Write `findings: []` for an empty list.")
      for node in findings.isNull ? [] : findings.members {
        // An error in one entry must not hide errors in other entries.
        do throws(RuleError) { entries.append(try Self.entry(node, kind)) } catch { errors.append(error) }
      }
    } catch {
      errors.append(error)
    }
    if !errors.isEmpty { throw RuleErrors(errors: errors) }
    self.entries = entries
  }

  private static func title(of kind: AcceptedEntry.Kind) -> String {
    switch kind {
    case .baseline: "a baseline"
    case .suppression: "a file of suppressions"
    }
  }

  private static func tree(_ bytes: [UInt8], _ name: String) throws(RuleError) -> YAMLNode {
    do {
      return try YAMLReader.read(bytes, file: name)
    } catch {
      throw RuleError(
        code: .syntax, place: error.place, problem: error.text,
        advice: error.advice ?? "Write `version: \(version)` and `findings: []`.")
    }
  }

  private static func entry(_ node: YAMLNode, _ kind: AcceptedEntry.Kind) throws(RuleError) -> AcceptedEntry {
    let fields = try node.fields("an entry", ["fingerprint", "rule", "summary", "reason", "owner", "expires"])
    func text(_ key: String) throws(RuleError) -> String? {
      guard let value = fields[key], !value.isNull else { return nil }
      return try value.text("the value of `\(key)`")
    }
    let written = try fields.required("fingerprint", "`xferlog replay -o json` shows the fingerprint of each finding.")
    let fingerprint = try written.text("a fingerprint")
    guard FingerprintVersion.number(of: fingerprint) != nil else {
      throw written.failure(
        "`\(fingerprint)` is not a fingerprint", "Write it as `xferlog replay -o json` shows it, such as \"1:0123456789abcdef\".")
    }
    let reason = try text("reason")
    if kind == .suppression, reason?.contains(where: { !$0.isWhitespace }) != true {
      throw node.failure(.missingKey, "the suppression of `\(fingerprint)` has no `reason`", "Write why the finding is accepted.")
    }
    return AcceptedEntry(
      kind: kind, fingerprint: fingerprint, rule: try text("rule"), summary: try text("summary"), reason: reason,
      owner: try text("owner"), expires: try text("expires"), place: "\(node.place.file):\(node.place.line)")
  }
}
