package import XferEvents

/// The information that the parser of a query needs besides the query's text.
package struct QueryContext: Sendable {
  /// Reads a time that is neither RFC 3339 nor seconds since 1970, such as `5m ago`. `nil` if the text is not a time.
  package var time: @Sendable (String) -> WallTime?
  /// The reason why the query cannot name fields of subjects that are known only at the end of the log, and what to do instead; `nil`
  /// if it can.
  package var subjectsMissing: String?
  /// The fields of a table that the query's stages work on.
  package var columns: [QueryField]?

  package init(
    subjectsMissing: String? = nil, time: @escaping @Sendable (String) -> WallTime? = { _ in nil }
  ) {
    self.subjectsMissing = subjectsMissing
    self.time = time
  }

  // MARK: Fields

  /// Returns the field or column with a name; `nil` if there is none.
  package func field(_ name: String) -> QueryField? {
    guard let columns else { return FieldTable.field(name) }
    return columns.first { $0.name == name } ?? columns.first { $0.name.lowercased() == name.lowercased() }
      ?? columns.first { $0.synonyms.contains(name) }
  }

  /// Returns the message about a name that is not a field.
  package func problem(ofUnknown name: String) -> String {
    "unknown field `\(name.count > 64 ? name.prefix(64) + "…" : name[...])`"
  }

  /// Returns the fields with similar names, or where to find all fields.
  package func advice(forUnknown name: String) -> String {
    let near =
      name.utf8.count > NearNames.longest
      ? [] : columns.map { NearNames.of(name, among: $0.map(\.name)) } ?? FieldTable.near(name)
    if !near.isEmpty { return "Did you mean \(near.joined(separator: " or "))?" }
    return columns.map { "The table has \($0.map(\.name).joined(separator: ", "))." }
      ?? "`xferlog query --list-fields` lists all fields."
  }
}
