package import XferLifecycle
package import XferPredicate
package import XferReplay

/// The fields of tasks in queries, and their values for one task.
package enum TaskFields {
  package static let all: [QueryField] = FieldTable.subjects.filter { subject(of: $0)?.subject == .task }
  private static let names = all.compactMap { subject(of: $0)?.name }

  private static func subject(of field: QueryField) -> SubjectField? {
    if case .subject(let subject) = field.source { subject } else { nil }
  }

  /// Returns the values of all fields, in the order of `all`.
  package static func readings(of task: TaskLifecycle, in world: World) -> [FieldReading] {
    names.map { task.reading($0, in: world) }
  }
}
