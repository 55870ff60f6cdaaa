extension EventKind {
  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

  /// Returns the kind with a name such as `task.completed`; `nil` if there is none.
  package static func named(_ name: String) -> EventKind? { byName[name] }
}
