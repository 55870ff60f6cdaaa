package import XferPredicate

/// A parsed query: a condition on events, and the stages that follow, each of which works on the result of the one before it.
package struct Query: Hashable, Sendable {
  package let predicate: Predicate
  package let stages: [QueryStage]

  package init(_ predicate: Predicate, _ stages: [QueryStage] = []) { (self.predicate, self.stages) = (predicate, stages) }

  /// The result of the query.
  package enum Shape: Hashable, Sendable {
    case events
    /// A table with these columns.
    case table([QueryField])
  }

  /// The shape of the result after all stages.
  package var shape: Shape { stages.reduce(.events) { $1.shape(after: $0) } }

  /// All fields of events that the query names, in their order.
  private var fields: [QueryField] { predicate.fields + stages.flatMap(\.fields) }

  /// The fields of subjects that the query needs from a replay of the whole log.
  package var subjectFields: [SubjectField] {
    var needed = fields.ofReplay
    if stages.contains(.tasks) { needed += TaskColumns.subjectFields }
    var known: Set<SubjectField> = []
    return needed.filter { known.insert($0).inserted }
  }

  /// Whether the query needs the subjects that a replay rebuilds.
  package var needsReplay: Bool { needsFindings || stages.contains(.tasks) || !subjectFields.isEmpty }

  /// Whether the query needs the rules' findings.
  package var needsFindings: Bool { stages.contains(.findings) || subjectFields.contains { $0.subject == .finding } }
}

/// A stage of a query.
package enum QueryStage: Hashable, Sendable {
  /// Keeps the events or rows that meet a condition.
  case filter(Predicate)
  /// Computes figures, by groups of events or rows with the same values. `slice` is the length of the slices of time that are groups,
  /// too, in nanoseconds; `nil` without slices.
  case statistics([Aggregate], by: [QueryField], slice: Int64?)
  /// Keeps the events or rows with the greatest values of a field, the greatest first.
  case top(Int, by: QueryField)
  case sort([SortKey])
  /// Keeps some fields of events, or some columns.
  case fields([QueryField])
  case limit(Int)
  /// Adds the events around each event, of the same scope.
  case context(Int, QueryScope)
  /// Replaces events with the tasks that they name.
  case tasks
  /// Replaces events with the findings about them.
  case findings
  /// Finds events that follow each other within a time, in nanoseconds, from the first to the last.
  case sequence([Predicate], within: Int64?, QueryScope)
  /// Finds events (`after`) that no other event (`expected`) follows within a time, in nanoseconds.
  case absence(Predicate, within: Int64, after: Predicate, QueryScope)

  package struct SortKey: Hashable, Sendable {
    package let field: QueryField
    package let isDescending: Bool
  }

  /// The events, fields and columns that the stage names.
  var fields: [QueryField] {
    switch self {
    case .filter(let predicate): predicate.fields
    case .statistics(let aggregates, let keys, _): aggregates.compactMap(\.field) + keys
    case .top(_, let field): [field]
    case .sort(let keys): keys.map(\.field)
    case .fields(let fields): fields
    case .sequence(let steps, _, _): steps.flatMap(\.fields)
    case .absence(let expected, _, let trigger, _): expected.fields + trigger.fields
    case .limit, .context, .tasks, .findings: []
    }
  }

  /// Returns the shape of the stage's result.
  package func shape(after shape: Query.Shape) -> Query.Shape {
    switch self {
    case .filter, .top, .sort, .limit, .context: shape
    case .statistics(let aggregates, let keys, let slice): .table(StatisticsStage.columns(aggregates, keys, slice))
    case .fields(let fields): .table(TableColumns.named(fields.map(TableColumns.column)))
    case .tasks: .table(TaskColumns.all)
    case .findings: .table(FindingColumns.all)
    case .sequence(let steps, _, _): .table(SequenceStage.columns(steps.count))
    case .absence: .table(AbsenceStage.columns)
    }
  }
}

/// The events that belong together in a stage.
package enum QueryScope: String, Hashable, Sendable, CaseIterable {
  case task, session, process, log
}
