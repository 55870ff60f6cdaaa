package import XferDiagnosis
import XferRules

/// A baseline or a file of suppressions whose bytes have been read.
package struct AcceptanceSource: Sendable {
  /// The name of the file for people.
  package let name: String
  package let bytes: [UInt8]
  package let kind: AcceptedEntry.Kind
  /// The day on which the entries are judged; `nil` means the current day.
  package let day: ExpiryDay?

  package init(name: String, bytes: [UInt8], kind: AcceptedEntry.Kind, day: ExpiryDay?) {
    (self.name, self.bytes, self.kind, self.day) = (name, bytes, kind, day)
  }

  /// Reads a file.
  package init(_ path: String, _ kind: AcceptedEntry.Kind) throws {
    let advice =
      switch kind {
      case .baseline: "Create the baseline with `xferlog baseline update --baseline \(path)`."
      case .suppression: "Name an existing, readable file of suppressions."
      }
    self.init(name: path, bytes: try RuleSources.bytes(path, advice: advice), kind: kind, day: nil)
  }

  package func entries() throws -> [AcceptedEntry] {
    do throws(RuleErrors) {
      let file = try AcceptanceFile(name: name, bytes: bytes, kind: kind)
      return file.entries.map { entry in
        var entry = entry
        entry.judgedOn = day
        return entry
      }
    } catch {
      throw CommandExit(.wrongUsage, error.message)
    }
  }

  /// Returns the files that are in force over bundles.
  ///
  /// Suppressions add to those of the bundles. A baseline replaces those of the bundles. Suppressions come first, because they have a
  /// reason.
  package static func inForce(
    suppressions: [AcceptanceSource], baseline: AcceptanceSource?, bundles: [BundleDecisions]
  ) -> [AcceptanceSource] {
    let bundled = bundles.flatMap(\.accepted)
    let baselines = baseline.map { [$0] } ?? bundled.filter { $0.kind == .baseline }
    return suppressions + bundled.filter { $0.kind == .suppression } + baselines
  }
}
