import GRDBSQLite

/// Lets a statement read, and nothing else: SQLite asks it about every step that a statement would take.
final class StatementReferee {
  /// Why the statement was refused, to complete "it would "; `nil` while it was not.
  private(set) var refusal: String?

  /// Those that only show, whatever they are given.
  private static let tellingPragmas: Set<String> = [
    "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list",
    "collation_list", "function_list", "module_list", "pragma_list", "compile_options", "integrity_check", "quick_check",
    "foreign_key_check",
  ]
  /// Those that show as long as they are given nothing.
  private static let readablePragmas: Set<String> = [
    "application_id", "user_version", "schema_version", "encoding", "page_size", "page_count", "freelist_count",
  ]

  func rules(on action: Int32, _ first: String?, _ second: String?) -> Int32 {
    switch action {
    case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: return SQLITE_OK
    case SQLITE_FUNCTION:
      return second?.lowercased() == "load_extension" ? refuse("load code from a file") : SQLITE_OK
    case SQLITE_PRAGMA:
      let name = first?.lowercased() ?? ""
      if Self.tellingPragmas.contains(name) || second == nil && Self.readablePragmas.contains(name) { return SQLITE_OK }
      return refuse("set or do something with PRAGMA \(name)")
    case SQLITE_ATTACH, SQLITE_DETACH: return refuse("open or close another database")
    case SQLITE_TRANSACTION, SQLITE_SAVEPOINT: return refuse("begin or end a transaction")
    // Asked when a table-valued function is made known, and before anything is created, which is asked for by itself.
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

  /// The connection asks for as long as `self` lives, which its owner sees to.
  func watch(_ connection: SQLiteConnection) {
    sqlite3_set_authorizer(
      connection.handle,
      { context, action, first, second, _, _ in
        let referee = Unmanaged<StatementReferee>.fromOpaque(context!).takeUnretainedValue()
        return referee.rules(on: action, first.map { String(cString: $0) }, second.map { String(cString: $0) })
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
