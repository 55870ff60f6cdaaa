import XferImport

/// The file in a bundle that says what the bundle has.
package struct BundleManifest {
  package static let name = "xferlog-bundle.json"
  package static let schema = "xferlog.bundle/1"

  /// The reasons why the logs in the bundle are incomplete that do not follow from the logs themselves.
  let reasons: [String]
  /// The files that are not logs.
  let otherFiles: [String]

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
    reasons = texts("incompleteBecause")
    otherFiles = [Self.name] + texts("rules") + texts("accepted")
  }

  /// Whether a file, named by its path in the bundle, is not a log.
  func isOther(_ file: String) -> Bool { otherFiles.contains(file) }
}
