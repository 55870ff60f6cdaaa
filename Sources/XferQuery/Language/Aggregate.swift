package import XferPredicate

/// A figure that `| stats` computes for each group.
package struct Aggregate: Hashable, Sendable {
  package let function: Function
  /// The field whose values are the function's input; `nil` for `count` of all.
  package let field: QueryField?
  /// The name of the column.
  package let name: String
  /// Whether the query gives the name.
  let isNamed: Bool

  package enum Function: Hashable, Sendable {
    case count, distinct, sum, minimum, maximum, average, first, last
    /// A percentile by nearest rank.
    case percentile(Int)

    /// Reads a function such as `max` or `p95`.
    init?(_ name: String) {
      switch name.lowercased() {
      case "count": self = .count
      case "distinct", "uniq", "dc": self = .distinct
      case "sum": self = .sum
      case "min": self = .minimum
      case "max": self = .maximum
      case "avg", "mean": self = .average
      case "first": self = .first
      case "last": self = .last
      case "median": self = .percentile(50)
      default:
        guard name.first == "p" || name.first == "P", let percent = Int(name.dropFirst()), (1...100).contains(percent),
          name.count <= 4
        else { return nil }
        self = .percentile(percent)
      }
    }

    package static let names = ["count", "distinct", "sum", "min", "max", "avg", "first", "last", "median", "p50", "p90", "p99"]

    var name: String {
      switch self {
      case .count: "count"
      case .distinct: "distinct"
      case .sum: "sum"
      case .minimum: "min"
      case .maximum: "max"
      case .average: "avg"
      case .first: "first"
      case .last: "last"
      case .percentile(let percent): "p\(percent)"
      }
    }

    /// Whether the function computes with numbers.
    var needsNumbers: Bool {
      switch self {
      case .sum, .average, .percentile: true
      case .count, .distinct, .minimum, .maximum, .first, .last: false
      }
    }
  }

  init(_ function: Function, _ field: QueryField?, as name: String?) {
    self.function = function
    self.field = field
    self.name = name ?? function.name + (field.map { "(\(TableColumns.shortName($0)))" } ?? "")
    isNamed = name != nil
  }

  /// The column of the figure.
  var column: (name: String, type: ValueType, summary: String) {
    let type: ValueType =
      switch function {
      case .count, .distinct: .count
      default: field?.type ?? .count
      }
    return (name, type, "\(function.name)\(field.map { " of \($0.name)" } ?? "")")
  }
}

extension Aggregate: CustomStringConvertible {
  package var description: String {
    function.name + (field.map { "(\($0.name))" } ?? "") + (isNamed ? " as \(name)" : "")
  }
}
