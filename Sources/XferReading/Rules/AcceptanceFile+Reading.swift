package import XferDiagnosis
package import XferRules

extension AcceptanceFile {
  /// Reads the entries of a file.
  package static func entries(in file: String, _ kind: AcceptedEntry.Kind) throws -> [AcceptedEntry] {
    try AcceptanceSource(file, kind).entries()
  }
}
