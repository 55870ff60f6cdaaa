import CSQLite
import XferSQLite

/// A SQLite authorizer that rejects all operations of a statement except reads.
final class StatementReferee {
  /// The rejected operation, as a phrase that completes "the statement would". `nil` when nothing was rejected.
  private(set) var refusal: String?

  /// The pragmas that only read, with any argument.
  private static let readOnlyPragmas: Set<String> = [
    "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list",
    "collation_list", "function_list", "module_list", "pragma_list", "compile_options", "integrity_check", "quick_check",
    "foreign_key_check",
  ]
  /// The pragmas that only read if they have no argument.
  private static let readablePragmas: Set<String> = [
    "application_id", "user_version", "schema_version", "encoding", "page_size", "page_count", "freelist_count",
  ]

  func rules(on action: Int32, _ first: String?, _ second: String?) -> Int32 {
    switch action {
    case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: return SQLITE_OK
    case SQLITE_FUNCTION:
      return second?.lowercased() == "load_extension" ? refuse("load an extension") : SQLITE_OK
    case SQLITE_PRAGMA:
      let name = first?.lowercased() ?? ""
      if Self.readOnlyPragmas.contains(name) || second == nil && Self.readablePragmas.contains(name) { return SQLITE_OK }
      return refuse("change a setting with PRAGMA \(name)")
    case SQLITE_ATTACH, SQLITE_DETACH: return refuse("open or close another database")
    case SQLITE_TRANSACTION, SQLITE_SAVEPOINT: return refuse("begin or end a transaction")
    // SQLite also reports a write to sqlite_master for a read from a table-valued function, so this report alone is accepted.
    // A CREATE statement reports an additional operation, which the default case rejects.
    case SQLITE_INSERT where first == "sqlite_master", SQLITE_UPDATE where first == "sqlite_master": return SQLITE_OK
    case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE: return refuse("write to \(first ?? "a table")")
    default: return refuse("change the database")
    }
  }

  func refuseWriting() { _ = refuse("write") }

  private func refuse(_ what: String) -> Int32 {
    if refusal == nil { refusal = what }
    return SQLITE_DENY
  }

  /// Registers the referee with a connection. The referee must outlive the connection's statements.
  func watch(_ connection: SQLiteConnection) {
    sqlite3_set_authorizer(
      connection.handle,
      { context, action, first, second, _, _ in
        let referee = Unmanaged<StatementReferee>.fromOpaque(context!).takeUnretainedValue()
        return referee.rules(on: action, first.map { String(cString: $0) }, second.map { String(cString: $0) })
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
