import XferEvents
import XferPredicate

/// One figure of `| stats` for all groups. A subclass keeps only what its function needs.
///
/// Only the subclass uses its properties. A check at run time that their accesses do not overlap would take longer than most functions.
class FigureColumn {
  /// The field whose values make the figure; `nil` for a count of events.
  private let field: QueryField?
  /// Whether another order of the values may give another result: texts that are equal as characters but not as bytes, or sums that
  /// exceed 64 bits.
  @exclusivity(unchecked) fileprivate(set) var dependsOnOrder = false

  fileprivate init(_ field: QueryField?) { self.field = field }

  static func make(_ aggregate: Aggregate) -> FigureColumn {
    let field = aggregate.field
    return switch aggregate.function {
    case .count: CountColumn(field)
    case .distinct: DistinctColumn(field)
    case .minimum: ExtremeColumn(field, .ascending)
    case .maximum: ExtremeColumn(field, .descending)
    case .first: EdgeColumn(field, isLast: false)
    case .last: EdgeColumn(field, isLast: true)
    case .sum: SumColumn(field, isAverage: false)
    case .average: SumColumn(field, isAverage: true)
    case .percentile(let percent): PercentileColumn(field, percent)
    }
  }

  fileprivate var type: ValueType { field?.type ?? .count }

  /// Reads the figure's field of an event; returns `nil` if the figure has no field.
  final func reading(of event: EventView, _ ledger: SubjectLedger?) -> FieldReading? { field?.reading(of: event, ledger) }

  /// Reads the figure's field of a row; returns `nil` if the figure has no field.
  final func reading(in row: [ResultValue]) -> FieldReading? { field?.value(in: row).reading }

  /// Adds an event or row to a group.
  ///
  /// - Parameters:
  ///   - input: the value; `nil` if the figure has no field.
  ///   - times: the number of events that have the value.
  final func add(_ input: FieldReading?, _ times: Int, to group: Int) {
    guard let input else { return take(.null, times, group) }
    switch input {
    case .texts, .numbers:
      for value in ResultValue.all(input, type) where value != .null { take(value, times, group) }
    case .missing, .unreadable, .number, .text, .cut, .masked:
      let value = ResultValue(input)
      if value != .null { take(value, times, group) }
    }
  }

  /// Adds an empty group.
  func append() {}
  /// - Parameter value: a value of the field; `null` if the figure has no field.
  fileprivate func take(_ value: ResultValue, _ times: Int, _ group: Int) {}
  /// Adds the values of another column's group. The column is of the same function.
  func merge(_ other: FigureColumn, _ source: Int, into group: Int) {}
  func value(of group: Int) -> ResultValue { .null }
}

private final class CountColumn: FigureColumn {
  @exclusivity(unchecked) private var counts: [Int64] = []

  override func append() { counts.append(0) }
  override func take(_ value: ResultValue, _ times: Int, _ group: Int) { counts[group] += Int64(times) }
  override func value(of group: Int) -> ResultValue { .number(counts[group]) }

  override func merge(_ other: FigureColumn, _ source: Int, into group: Int) {
    guard let other = other as? CountColumn else { return }
    counts[group] += other.counts[source]
  }
}

private final class DistinctColumn: FigureColumn {
  @exclusivity(unchecked) private var seen: [Set<ResultValue>] = []

  override func append() { seen.append([]) }
  override func take(_ value: ResultValue, _ times: Int, _ group: Int) { seen[group].insert(value) }
  override func value(of group: Int) -> ResultValue { .number(Int64(seen[group].count)) }

  override func merge(_ other: FigureColumn, _ source: Int, into group: Int) {
    guard let other = other as? DistinctColumn else { return }
    seen[group].formUnion(other.seen[source])
  }
}

/// The smallest or the greatest value.
private final class ExtremeColumn: FigureColumn {
  @exclusivity(unchecked) private var extremes: [ResultValue] = []
  /// The order of a value and the one that it replaces.
  private let wanted: ResultValue.Order

  init(_ field: QueryField?, _ wanted: ResultValue.Order) {
    self.wanted = wanted
    super.init(field)
  }

  override func append() { extremes.append(.null) }

  override func take(_ value: ResultValue, _ times: Int, _ group: Int) {
    guard extremes[group] == .null || ResultValue.order(value, extremes[group]) == wanted else { return }
    extremes[group] = value
    if !value.isPlain { dependsOnOrder = true }
  }

  override func value(of group: Int) -> ResultValue { extremes[group] }

  override func merge(_ other: FigureColumn, _ source: Int, into group: Int) {
    guard let other = other as? ExtremeColumn, other.extremes[source] != .null else { return }
    take(other.extremes[source], 1, group)
  }
}

/// The first or the last value.
private final class EdgeColumn: FigureColumn {
  @exclusivity(unchecked) private var edges: [ResultValue] = []
  private let isLast: Bool

  init(_ field: QueryField?, isLast: Bool) {
    self.isLast = isLast
    super.init(field)
  }

  override func append() { edges.append(.null) }

  override func take(_ value: ResultValue, _ times: Int, _ group: Int) {
    if isLast || edges[group] == .null { edges[group] = value }
  }

  override func value(of group: Int) -> ResultValue { edges[group] }

  override func merge(_ other: FigureColumn, _ source: Int, into group: Int) {
    guard let other = other as? EdgeColumn, other.edges[source] != .null else { return }
    take(other.edges[source], 1, group)
  }
}

/// A sum or an average.
private final class SumColumn: FigureColumn {
  private struct Total {
    var count: Int64 = 0
    /// The exact sum, as long as it fits.
    var sum: Int64? = 0
    var rounded = 0.0

    mutating func add(_ other: Total) {
      count += other.count
      rounded += other.rounded
      guard let one = sum, let addend = other.sum else { return sum = nil }
      let (result, overflows) = one.addingReportingOverflow(addend)
      sum = overflows ? nil : result
    }
  }

  @exclusivity(unchecked) private var totals: [Total] = []
  private let isAverage: Bool

  init(_ field: QueryField?, isAverage: Bool) {
    self.isAverage = isAverage
    super.init(field)
  }

  override func append() { totals.append(Total()) }

  override func take(_ value: ResultValue, _ times: Int, _ group: Int) {
    guard case .number(let number) = value else { return }
    let (product, overflows) = number.multipliedReportingOverflow(by: Int64(times))
    add(Total(count: Int64(times), sum: overflows ? nil : product, rounded: Double(number) * Double(times)), to: group)
  }

  override func merge(_ other: FigureColumn, _ source: Int, into group: Int) {
    guard let other = other as? SumColumn else { return }
    add(other.totals[source], to: group)
  }

  private func add(_ total: Total, to group: Int) {
    totals[group].add(total)
    if totals[group].sum == nil { dependsOnOrder = true }
  }

  override func value(of group: Int) -> ResultValue {
    let total = totals[group]
    guard total.count > 0 else { return .null }
    guard isAverage else { return total.sum.map { .number($0) } ?? .decimal(total.rounded) }
    let average = (total.sum.map(Double.init) ?? total.rounded) / Double(total.count)
    // Bytes and nanoseconds are whole numbers.
    return type == .count ? .decimal(average) : .number(Int64(exactly: average.rounded()) ?? .max)
  }
}

private final class PercentileColumn: FigureColumn {
  @exclusivity(unchecked) private var numbers: [[Int64]] = []
  private let percent: Int

  init(_ field: QueryField?, _ percent: Int) {
    self.percent = percent
    super.init(field)
  }

  override func append() { numbers.append([]) }

  override func take(_ value: ResultValue, _ times: Int, _ group: Int) {
    guard case .number(let number) = value else { return }
    for _ in 0..<times { numbers[group].append(number) }
  }

  override func merge(_ other: FigureColumn, _ source: Int, into group: Int) {
    guard let other = other as? PercentileColumn else { return }
    numbers[group] += other.numbers[source]
  }

  override func value(of group: Int) -> ResultValue {
    Percentile(percent).number(ofUnsorted: numbers[group]).map(ResultValue.number) ?? .null
  }
}
