import XferDiagnosis
package import XferRules

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The rules, limits and accepted findings that a bundle contains: together with its logs, they decide its verdict.
package struct BundleDecisions: Sendable {
  /// The name of the bundle for people.
  package let bundle: String
  package let rules: [RuleSources.File]
  package let limits: [RuleFile.WrittenLimit]
  /// The limits as typed.
  package let limitTexts: [String]
  package let accepted: [AcceptanceSource]

  /// - Parameters:
  ///   - directory: the directory with the unpacked bundle.
  ///   - bundle: the name of the bundle for people.
  init(_ manifest: BundleManifest, in directory: String, of bundle: String) throws {
    self.bundle = bundle
    func bytes(_ name: String) throws -> [UInt8] {
      // Anything but a file may never end.
      var status = stat()
      guard lstat("\(directory)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        throw CommandExit(
          .failed,
          "\(bundle)/\(name): the bundle names this file, but does not have it, so its verdict cannot be repeated.\n"
            + "Collect the bundle again, or unpack it and name the logs in it.")
      }
      return try RuleSources.bytes("\(directory)/\(name)", shownAs: "\(bundle)/\(name)", advice: "Collect the bundle again.")
    }
    rules = try manifest.rules.map { name in
      RuleSources.File(name: "\(bundle)/\(name)", bytes: try bytes(name), isConfiguration: false)
    }
    limitTexts = manifest.limits
    limits = try manifest.limits.map { text in
      guard let limit = RuleFile.WrittenLimit(text) else {
        throw CommandExit(.wrongUsage, "\(bundle)/\(BundleManifest.name): '\(text)' is not a limit.\nCollect the bundle again.")
      }
      return limit
    }
    accepted = try manifest.accepted.map { name in
      AcceptanceSource(
        name: "\(bundle)/\(name)", bytes: try bytes(name), kind: name.hasPrefix("baseline") ? .baseline : .suppression,
        day: manifest.days[name].flatMap(ExpiryDay.init))
    }
  }

  /// Whether the bundle was made without rules, limits and accepted findings.
  package var isEmpty: Bool { rules.isEmpty && limits.isEmpty && accepted.isEmpty }

  /// A clause with the names of what the bundle contains, for people.
  package var summary: String {
    func name(_ file: String) -> String { String(file.dropFirst(bundle.count + 1)) }
    let parts = rules.map { name($0.name) } + accepted.map { name($0.name) } + limitTexts.map { "--limit \($0)" }
    return parts.joined(separator: ", ")
  }
}
