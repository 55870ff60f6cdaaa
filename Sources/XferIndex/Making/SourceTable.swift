import XferEvents
import XferSQLite

/// The table `sources`, with a row for each record source. Segments that appear after the index's origin was determined get rows,
/// too, and make the index stale.
final class SourceTable {
  private let insertion: SQLiteStatement
  private let naming: SQLiteStatement
  private let path: (RecordSource) -> String?
  private var rowOfPath: [String: Int64] = [:]
  private var rows: [Row?] = []
  /// The rows by the beginnings of the files, because references name files by their numbers.
  private var rowOfFile: [EventReference: Int64] = [:]

  private struct Row {
    let source: RecordSource
    let number: Int64
  }

  /// - Parameter path: returns the path of a record source, in the same form as the paths of the origin.
  init(
    _ sources: [IndexOrigin.Source], in connection: SQLiteConnection, path: @escaping (RecordSource) -> String?
  ) throws(SQLiteError) {
    self.path = path
    insertion = try connection.statement(
      "INSERT INTO sources(id, log, path, size, modified_ns, inode, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)")
    naming = try connection.statement("UPDATE sources SET launch = ?, pid = ?, role = ?, executable = ? WHERE id = ?")
    for source in sources { try insert(source.columns.map(\.value), path: source.path) }
  }

  private func insert(_ columns: [SQLiteValue], path: String) throws(SQLiteError) {
    let number = Int64(rowOfPath.count)
    rowOfPath[path] = number
    insertion.bind(number, at: 1)
    for (column, value) in columns.enumerated() {
      let place = Int32(column) + 2
      if let number = value.integer { insertion.bind(number, at: place) } else { insertion.bind(value.text, at: place) }
    }
    try insertion.run()
  }

  @inline(__always)
  func row(of event: RecordedEvent) throws(SQLiteError) -> Int64 {
    let source = event.source
    if source.index < rows.count, let known = rows[source.index], known.source === source { return known.number }
    return try newRow(of: source, event.reference)
  }

  /// Returns the row of the source that a reference names; `nil` if no event of the source was inserted.
  func row(of reference: EventReference) -> Int64? { rowOfFile[reference.beginningOfFile] }

  private func newRow(of source: RecordSource, _ reference: EventReference) throws(SQLiteError) -> Int64 {
    let path = path(source) ?? source.name
    if rowOfPath[path] == nil { try insert([.text(path), .text(path), .null, .null, .null, .null], path: path) }
    let number = rowOfPath[path]!
    let writer = source.writer
    naming.bind(writer.launch.map { "\($0)" }, at: 1)
    naming.bind(writer.pid.map(Int64.init), at: 2)
    naming.bind(writer.role?.name, at: 3)
    naming.bind(writer.executable, at: 4)
    naming.bind(number, at: 5)
    try naming.run()
    while rows.count <= source.index { rows.append(nil) }
    rows[source.index] = Row(source: source, number: number)
    rowOfFile[reference.beginningOfFile] = number
    return number
  }
}

extension EventReference {
  fileprivate var beginningOfFile: EventReference {
    switch self {
    case .record(let segment, _, _, let log): .record(segment: segment, lane: 0, sequence: 0, log: log)
    case .line(let file, _): .line(file: file, line: 0)
    }
  }
}
