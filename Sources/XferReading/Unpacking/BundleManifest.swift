import XferImport

/// The file in a bundle that says what the bundle has.
package struct BundleManifest {
  package static let name = "xferlog-bundle.json"
  package static let schema = "xferlog.bundle/1"

  /// The reasons why the logs in the bundle are incomplete that do not follow from the logs themselves.
  let reasons: [String]
  /// The rule files of the run that made the bundle, in the order of their precedence.
  let rules: [String]
  /// The limits of that run as typed, such as `lost-completion.patience=30s`, in the order in which they were set.
  let limits: [String]
  /// The baselines and the files of suppressions of that run.
  let accepted: [String]
  /// The day on which the entries of an accepted file were judged, such as `2026-11-26`, by the file's name. Without a day, an entry
  /// expires on the current day.
  let days: [String: String]
  /// The files that are not logs.
  var otherFiles: [String] { [Self.name] + rules + accepted }

  private static let largest = 16 << 20

  /// Reads the manifest of an unpacked bundle.
  ///
  /// - Returns: `nil` if the directory has none.
  init?(in directory: String) {
    let reader = PieceReader("\(directory)/\(Self.name)")
    var bytes: [UInt8] = []
    do {
      try reader.each { piece in
        bytes += piece
        if bytes.count > Self.largest { throw CommandExit(.failed, "too large") }
      }
    } catch {
      return nil
    }
    guard let manifest = bytes.withUnsafeBytes({ XferImport.JSONValue($0) }), manifest["schema"]?.text == Self.schema else {
      return nil
    }
    func texts(_ key: String) -> [String] { manifest[key]?.elements.compactMap(\.text) ?? [] }
    // A manifest must not name files outside of its bundle.
    func names(_ key: String) -> [String] { texts(key).filter { !$0.contains("/") && !$0.contains("\0") && !$0.hasPrefix(".") } }
    reasons = texts("incompleteBecause")
    (rules, limits, accepted) = (names("rules"), texts("limits"), names("accepted"))
    var days: [String: String] = [:]
    if case .object(let members)? = manifest["judgedOn"] {
      for member in members { days[member.key] = member.value.text }
    }
    self.days = days
  }

  /// Whether a file, named by its path in the bundle, is not a log.
  func isOther(_ file: String) -> Bool { otherFiles.contains(file) }
}
