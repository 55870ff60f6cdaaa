import XferEvents
import XferPredicate

/// `| where`: keeps the events or rows that meet a condition.
final class FilterStage: Stage {
  private let test: EventTest
  private let rows: RowTest
  private let ledger: SubjectLedger?

  init(_ predicate: Predicate, _ ledger: SubjectLedger?, _ next: any QuerySink) {
    (test, rows, self.ledger) = (EventTest(predicate), RowTest(predicate), ledger)
    super.init(next)
  }

  override func take(_ event: RecordedEvent) throws {
    if test.truth(of: event.view, ledger) == .yes { try next.take(event) }
  }

  override func take(_ row: [ResultValue]) throws {
    if keeps(row) { try next.take(row) }
  }

  override func keeps(_ row: [ResultValue]) -> Bool { rows.truth(of: row) == .yes }
}

/// `| limit`: keeps the first events or rows.
final class LimitStage: Stage {
  private var rest: Int

  init(_ count: Int, _ next: any QuerySink) {
    rest = count
    super.init(next)
  }

  override func take(_ event: RecordedEvent) throws {
    guard rest > 0 else { return }
    rest -= 1
    try next.take(event)
  }

  override func take(_ row: [ResultValue]) throws {
    guard rest > 0 else { return }
    rest -= 1
    try next.take(row)
  }

  override var isFull: Bool { rest == 0 || next.isFull }
}

/// `| fields`: keeps some fields of events, or some columns.
final class ProjectionStage: Stage {
  private let fields: [QueryField]
  private let ledger: SubjectLedger?

  init(_ fields: [QueryField], _ ledger: SubjectLedger?, _ next: any QuerySink) {
    (self.fields, self.ledger) = (fields, ledger)
    super.init(next)
  }

  override func take(_ event: RecordedEvent) throws {
    // By index, because a copy of the field would take longer than its value.
    try next.take(fields.indices.map { .joined(fields[$0].reading(of: event.view, ledger), fields[$0].type) })
  }

  override func take(_ row: [ResultValue]) throws { try next.take(fields.map { $0.value(in: row) }) }
}

extension ResultValue {
  /// Returns the value of a field, or the text of its values if it has several.
  fileprivate static func joined(_ reading: FieldReading, _ type: ValueType) -> ResultValue {
    switch reading {
    case .texts, .numbers:
      let values = all(reading, type)
      return values.count == 1 ? values[0] : .text(values.map { $0.joinable(type) }.joined(separator: " "))
    case .missing, .unreadable, .number, .text, .masked, .cut: return ResultValue(reading)
    }
  }

  fileprivate func joinable(_ type: ValueType) -> String {
    switch self {
    case .null: ""
    case .number(let number): type.text(of: .number(number))
    case .decimal(let number): "\(number)"
    case .text(let text): text
    case .uid(let uid): "\(uid)"
    }
  }
}

/// `| sort` and `| top`.
final class SortStage: Stage {
  private let fields: [QueryField]
  private let order: RowOrder
  private let limit: Int?
  private let ledger: SubjectLedger?
  private var keys: [[ResultValue]] = []
  private var events: [RecordedEvent] = []
  private var rows: [[ResultValue]] = []

  /// - Parameter limit: the number of events or rows to keep; `nil` for all.
  init(_ keys: [QueryStage.SortKey], limit: Int?, _ ledger: SubjectLedger?, _ next: any QuerySink) {
    fields = keys.map(\.field)
    order = RowOrder(keys: keys.enumerated().map { ($0.offset, $0.element.isDescending) })
    (self.limit, self.ledger) = (limit, ledger)
    super.init(next)
  }

  /// The number of events or rows beyond the limit after which the superfluous ones are dropped.
  private static let slack = 4096

  override func take(_ event: RecordedEvent) throws {
    keys.append(fields.map { ResultValue($0.reading(of: event.view, ledger)) })
    events.append(event)
    if let limit, keys.count >= limit + Self.slack { cut(to: limit) }
  }

  override func take(_ row: [ResultValue]) throws {
    keys.append(fields.map { $0.value(in: row) })
    rows.append(row)
    if let limit, keys.count >= limit + Self.slack { cut(to: limit) }
  }

  private func cut(to limit: Int) {
    // The kept ones stay in their original order, so that equal ones do, too.
    let kept = order.sorted(keys).prefix(limit).sorted()
    keys = kept.map { keys[$0] }
    events = events.isEmpty ? [] : kept.map { events[$0] }
    rows = rows.isEmpty ? [] : kept.map { rows[$0] }
  }

  override func finish() throws {
    for place in order.sorted(keys).prefix(limit ?? .max) {
      if events.isEmpty { try next.take(rows[place]) } else { try next.take(events[place]) }
    }
    try next.finish()
  }

  override var isFull: Bool { false }
}

extension QueryField {
  /// Returns the value of a column.
  func value(in row: [ResultValue]) -> ResultValue {
    guard case .column(let place) = source, place < row.count else { return .null }
    return row[place]
  }
}

/// A condition on the rows of a table.
struct RowTest {
  private let root: Node

  private indirect enum Node {
    case constant(Truth)
    case all([Node])
    case any([Node])
    case not(Node)
    case value(CellTest)
    case search(SearchTest)
    case exists(QueryField)
  }

  /// A comparison of one column. A class, because copying its parts for every row takes longer than the comparison.
  private final class CellTest {
    private let field: QueryField
    private let test: ValueTest

    init(_ comparison: Comparison) { (field, test) = (comparison.field, ValueTest(comparison)) }

    func truth(of row: [ResultValue]) -> Truth { test.truth(of: field.value(in: row).reading) }
  }

  init(_ predicate: Predicate) { root = Self.node(predicate) }

  private static func node(_ predicate: Predicate) -> Node {
    switch predicate {
    case .everything: .constant(.yes)
    case .and(let members): .all(members.map(node))
    case .or(let members): .any(members.map(node))
    case .not(let member): .not(node(member))
    case .comparison(let comparison): .value(CellTest(comparison))
    case .search(let text): .search(SearchTest(text))
    case .exists(let field): .exists(field)
    }
  }

  func truth(of row: [ResultValue]) -> Truth { Self.truth(root, row) }

  private static func truth(_ node: Node, _ row: [ResultValue]) -> Truth {
    switch node {
    case .constant(let truth): return truth
    case .all(let members): return Truth(members.allSatisfy { truth($0, row) == .yes })
    case .any(let members): return Truth(members.contains { truth($0, row) == .yes })
    case .not(let member): return truth(member, row).negated
    case .value(let test): return test.truth(of: row)
    case .search(let test):
      return Truth(row.contains { if case .text(let text) = $0.reading { test.finds(text) } else { false } })
    case .exists(let field): return Truth(field.value(in: row) != .null)
    }
  }
}
