import XferEvents

/// All fields that queries can name, and the lookup by name.
package enum FieldTable {
  package static let events: [QueryField] = EventFields.all
  package static let subjects: [QueryField] = SubjectFields.all
  package static let all: [QueryField] = events + subjects

  /// The fields by name and synonym in lower case. Names and synonyms of events come before those of subjects.
  private static let byName: [String: QueryField] = {
    var table: [String: QueryField] = [:]
    for field in all { table[field.name.lowercased()] = table[field.name.lowercased()] ?? field }
    for field in all { for name in field.synonyms { table[name.lowercased()] = table[name.lowercased()] ?? field } }
    return table
  }()

  /// Returns the field with a name or synonym in upper or lower case; `nil` if there is none.
  package static func field(_ name: String) -> QueryField? { byName[name.lowercased()] }

  /// Returns up to three names that are similar to a mistyped one.
  static func near(_ name: String) -> [String] {
    let names = all.flatMap { [$0.name] + $0.synonyms.filter { !$0.hasPrefix("fields.") } }
    return NearNames.of(name, among: names)
  }
}
