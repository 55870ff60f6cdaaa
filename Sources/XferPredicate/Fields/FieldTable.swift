import XferEvents

/// All fields that queries can name, and the lookup by name.
package enum FieldTable {
  package static let events: [QueryField] = EventFields.all
  package static let subjects: [QueryField] = SubjectFields.all
  package static let all: [QueryField] = events + subjects

  /// Returns the field with a name or synonym in upper or lower case; `nil` if there is none. Names come before synonyms, and those of
  /// events before those of subjects.
  ///
  /// A query names a few fields. To put all of them in a dictionary would take longer than these searches.
  package static func field(_ name: String) -> QueryField? {
    let name = name.lowercased()
    return all.first { isEqual($0.name, toLowercased: name) }
      ?? all.first { $0.synonyms.contains { isEqual($0, toLowercased: name) } }
  }

  /// - Parameter field: a name of a field, which consists of ASCII characters.
  private static func isEqual(_ field: String, toLowercased name: String) -> Bool {
    field.utf8.count == name.utf8.count
      && zip(field.utf8, name.utf8).allSatisfy { byte, lower in
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 == lower : byte == lower
      }
  }

  /// The fields for names that other programs use, and that are not synonyms of one field.
  private static let counterparts = [
    "after": ["time"], "before": ["time"], "duration": ["task.took"], "from": ["time"], "since": ["time"], "ts": ["time"],
    "id": ["uid", "task", "session"], "identifier": ["uid", "task", "session"], "taskid": ["task", "number", "uid"],
    "latency": ["task.firstByteTime", "task.took"], "length": ["size", "received"], "result": ["task.outcome"],
    "text": ["eventMessage"], "uri": ["scheme", "host", "path", "urlQuery"], "url": ["scheme", "host", "path", "urlQuery"],
  ]

  /// Returns the fields for a name of another program, or up to three names that are similar to a mistyped one.
  static func near(_ name: String) -> [String] {
    if let fields = counterparts[name.lowercased()] { return fields }
    let names = all.flatMap { [$0.name] + $0.synonyms.filter { !$0.hasPrefix("fields.") } }
    return NearNames.of(name, among: names)
  }
}
