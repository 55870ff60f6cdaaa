import XferPredicate

extension Query: CustomStringConvertible {
  /// The normalised text of the query. Parsing it gives the same query.
  package var description: String { (["\(predicate)"] + stages.map { "\($0)" }).joined(separator: " | ") }
}

extension QueryStage: CustomStringConvertible {
  package var description: String {
    switch self {
    case .filter(let predicate): "where \(predicate)"
    case .statistics(let aggregates, let keys, let slice):
      (slice.map { "slice \(Quantity.text(nanoseconds: $0)) | " } ?? "") + "stats "
        + aggregates.map { "\($0)" }.joined(separator: ", ") + (keys.isEmpty ? "" : " by \(Self.names(keys))")
    case .top(let count, let field): "top \(count) by \(field.name)"
    case .sort(let keys): "sort " + keys.map { $0.isDescending ? "\($0.field.name) desc" : $0.field.name }.joined(separator: ", ")
    case .fields(let fields): "fields \(Self.names(fields))"
    case .limit(let count): "limit \(count)"
    case .context(let count, let scope): "context \(count) by \(scope.rawValue)"
    case .tasks: "tasks"
    case .findings: "findings"
    case .sequence(let steps, let limit, let scope):
      "seq " + steps.map { "\($0)" }.joined(separator: " then ")
        + (limit.map { " within \(Quantity.text(nanoseconds: $0))" } ?? "")
        + " by \(scope.rawValue)"
    case .absence(let expected, let limit, let trigger, let scope):
      "absent \(expected) within \(Quantity.text(nanoseconds: limit)) after \(trigger) by \(scope.rawValue)"
    }
  }

  private static func names(_ fields: [QueryField]) -> String { fields.map(\.name).joined(separator: ", ") }
}
