extension FieldID {
  /// The field's definition in the vocabulary.
  package var definition: FieldDefinition { Vocabulary.fields[Int(rawValue)] }

  package var type: FieldType { definition.type }

  package init?(name: String) {
    guard let id = Self.byName[name] else { return nil }
    self = id
  }

  private static let byName: [String: FieldID] = Dictionary(uniqueKeysWithValues: allCases.map { ($0.definition.name, $0) })
}
