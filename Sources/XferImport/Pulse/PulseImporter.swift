package import XferEvents
import XferSQLite

/// Reads stores of Pulse, a logger of URLSession: the database `logs.sqlite`, or the package that contains it.
package struct PulseImporter: EventImporter {
  package let format = "pulse"

  package init() {}

  package func recognises(_ candidate: ImportCandidate) -> Bool {
    if candidate.kind == .directory { return PulseStore(package: candidate.path) != nil }
    guard candidate.head.starts(with: "SQLite format 3\0".utf8) else { return false }
    // Standard input cannot be opened as a database yet.
    return candidate.path == "-" || PulseStore(file: candidate.path) != nil
  }

  package func open(_ inputs: [ImportedInput], firstIndex: Int) throws(SourceError) -> any EventSource {
    try ForeignSource(inputs, firstIndex: firstIndex, order: .overlapping) { input throws(SourceError) in
      guard let store = PulseStore(file: input.path) ?? PulseStore(package: input.path) else {
        throw SourceError(
          .unreadable, place: input.name, problem: "the database is not a store of Pulse", advice: "Export a store from Pulse.")
      }
      if store.isCompressed {
        throw SourceError(
          .unreadable, place: input.name, problem: "the Pulse document contains its database in compressed form",
          advice: "Open it in Pulse and export it as a package (a directory with logs.sqlite).")
      }
      return PulseReader(input, store)
    }
  }
}

/// The database of a Pulse store.
final class PulseStore {
  let database: SQLiteConnection
  /// Whether the file is a document that contains another, compressed database.
  let isCompressed: Bool

  convenience init?(package: String) { self.init(file: "\(package)/logs.sqlite") }

  init?(file: String) {
    guard let database = try? SQLiteConnection(path: file, .readingOnly) else { return nil }
    self.database = database
    func has(_ table: String) -> Bool {
      (try? database.value("SELECT count(*) FROM sqlite_master WHERE name = '\(table)'"))??.integer ?? 0 > 0
    }
    isCompressed = !has("ZNETWORKTASKENTITY") && has("ZPULSEBLOBENTITY")
    if !isCompressed, !has("ZNETWORKTASKENTITY") { return nil }
  }

  func columns(of table: String) -> Set<String> {
    guard let statement = try? database.statement("PRAGMA table_info(\(table))") else { return [] }
    var names: Set<String> = []
    while (try? statement.step()) == true { if let name = statement.value(1).text { names.insert(name) } }
    return names
  }
}
