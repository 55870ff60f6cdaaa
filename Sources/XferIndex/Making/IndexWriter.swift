package import XferDiagnosis
package import XferEvents
package import XferLifecycle
import XferQuery
package import XferReplay
package import XferSQLite

/// A writer that fills a new index in one transaction: events, tasks and deliveries while the log is read, all other rows at the
/// end.
package final class IndexWriter {
  private let connection: SQLiteConnection
  private let events: EventTable
  private let sources: SourceTable
  private var deliveries = DeliveryLedger()
  private var tables: [String: RowTable] = [:]
  private var failure: SQLiteError?

  /// - Parameters:
  ///   - path: an empty file, which must not be read before `finish` has returned.
  ///   - sourcePath: returns the path of a record source, in the same form as the paths of `origin`.
  package init(path: String, origin: IndexOrigin, sourcePath: @escaping (RecordSource) -> String?) throws(SQLiteError) {
    connection = try SQLiteConnection(path: path, .writing)
    // An unfinished index is discarded, so no journal is needed.
    try connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; BEGIN")
    try connection.execute(IndexSQL.schema)
    sources = try SourceTable(origin.sources, in: connection, path: sourcePath)
    events = try EventTable(in: connection, sources: sources)
    let meta = try connection.statement("INSERT INTO meta(key, value) VALUES (?, ?)")
    for (key, value) in IndexFile.meta(origin) {
      meta.bind(key, at: 1)
      meta.bind(value, at: 2)
      try meta.run()
    }
  }

  /// - Parameter isSelected: whether the event gets a row in the table of events.
  package func append(_ member: LogMember, isSelected: Bool = true) throws(SQLiteError) {
    if let failure { throw failure }
    guard case .event(let event) = member else { return }
    if let row = deliveries.apply(event) { try insert(row) }
    if isSelected { try events.insert(event) }
  }

  /// Inserts a task that has ended. An error is thrown later, by the next `append` of an event or a gap, or by `finish`.
  package func append(_ task: TaskLifecycle, in world: World) {
    if failure != nil { return }
    do throws(SQLiteError) { try insert(TaskRow(task, in: world)) } catch { failure = error }
  }

  /// - Parameter incompleteness: the reasons why the log is incomplete.
  package func finish(_ diagnosis: JointDiagnosis, incompleteness: [String]) throws {
    if let failure { throw failure }
    for row in deliveries.rest { try insert(row) }
    try DiagnosisRows(diagnosis, source: sources.row(of:)).forEach { try insert($0) }
    let statement = try connection.statement("INSERT INTO incompleteness(reason) VALUES (?)")
    for reason in incompleteness {
      statement.bind(reason, at: 1)
      try statement.run()
    }
    try connection.execute(IndexSQL.views)
    try connection.execute("COMMIT")
  }

  private func insert(_ row: some TableRow) throws(SQLiteError) {
    let name = type(of: row).table
    let table: RowTable
    if let known = tables[name] {
      table = known
    } else {
      table = try RowTable(for: row, in: connection)
      tables[name] = table
    }
    try table.insert(row)
  }
}
