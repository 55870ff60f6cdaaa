import XferEvents
import XferPredicate

/// `| stats`: computes figures by groups.
final class StatisticsStage: Stage {
  private let aggregates: [Aggregate]
  private let keys: [QueryField]
  private let slice: Int64?
  private let ledger: SubjectLedger?
  private var groups: [[ResultValue]: Int] = [:]
  private var rows: [(key: [ResultValue], figures: [Figure])] = []

  init(
    _ aggregates: [Aggregate], _ keys: [QueryField], _ slice: Int64?, _ ledger: SubjectLedger?, _ next: any QuerySink
  ) {
    (self.aggregates, self.keys, self.slice, self.ledger) = (aggregates, keys, slice, ledger)
    super.init(next)
    // Without groups there is one row, even if there is no event.
    if keys.isEmpty, slice == nil { _ = place(of: []) }
  }

  static func columns(_ aggregates: [Aggregate], _ keys: [QueryField], _ slice: Int64?) -> [QueryField] {
    let slices: [TableColumns.Column] = slice == nil ? [] : [("slice", .time, "The beginning of the slice of time.")]
    return TableColumns.named(slices + keys.map(TableColumns.column) + aggregates.map(\.column))
  }

  override var isFull: Bool { false }

  // MARK: Input

  override func take(_ event: RecordedEvent) throws {
    var key: [ResultValue] = []
    if let slice { key.append(event.wall.map { .number(Self.beginning(of: $0.nanoseconds, slice)) } ?? .null) }
    note(
      key, keys.map { ResultValue.all($0.reading(of: event.view, ledger), $0.type) },
      aggregates.map { aggregate in aggregate.field.map { $0.reading(of: event.view, ledger) } })
  }

  override func take(_ row: [ResultValue]) throws {
    note([], keys.map { [$0.value(in: row)] }, aggregates.map { aggregate in aggregate.field.map { $0.value(in: row).reading } })
  }

  private static func beginning(of time: Int64, _ slice: Int64) -> Int64 {
    let rest = time % slice
    return time.subtractingClamped(rest < 0 ? rest + slice : rest)
  }

  /// Adds one event or row to its group, or to several if a key has several values.
  private func note(_ key: [ResultValue], _ values: [[ResultValue]], _ inputs: [FieldReading?]) {
    guard let first = values.first else { return add(inputs, to: place(of: key)) }
    for value in first { note(key + [value], Array(values.dropFirst()), inputs) }
  }

  private func place(of key: [ResultValue]) -> Int {
    if let place = groups[key] { return place }
    groups[key] = rows.count
    rows.append((key, aggregates.map { Figure($0) }))
    return rows.count - 1
  }

  private func add(_ inputs: [FieldReading?], to place: Int) {
    for (figure, input) in inputs.enumerated() { rows[place].figures[figure].add(input) }
  }

  // MARK: Output

  /// Hands out the groups: by time if there are slices, else the greatest first figure first; then by their keys.
  override func finish() throws {
    let table = rows.map { row in row.key + row.figures.map(\.value) }
    let keyCount = keys.count + (slice == nil ? 0 : 1)
    let byKey = (0..<keyCount).map { (place: $0, isDescending: false) }
    let order = RowOrder(keys: slice == nil ? [(place: keyCount, isDescending: true)] + byKey : byKey)
    for place in order.sorted(table) { try next.take(table[place]) }
    try next.finish()
  }
}

/// The state of one figure of one group.
private struct Figure {
  private let function: Aggregate.Function
  private let type: ValueType
  private var count: Int64 = 0
  private var sum: Int64 = 0
  private var total = 0.0
  private var isExact = true
  private var extreme: ResultValue = .null
  private var numbers: [Int64] = []
  private var seen: Set<ResultValue> = []

  init(_ aggregate: Aggregate) {
    function = aggregate.function
    type = aggregate.field?.type ?? .count
  }

  /// - Parameter input: the value; `nil` if the figure has no field.
  mutating func add(_ input: FieldReading?) {
    guard let input else { return count += 1 }
    for value in ResultValue.all(input, type) where value != .null { add(value) }
  }

  private mutating func add(_ value: ResultValue) {
    count += 1
    switch function {
    case .count: break
    case .distinct: seen.insert(value)
    case .minimum: if extreme == .null || ResultValue.order(value, extreme) == .ascending { extreme = value }
    case .maximum: if extreme == .null || ResultValue.order(value, extreme) == .descending { extreme = value }
    case .first: if extreme == .null { extreme = value }
    case .last: extreme = value
    case .sum, .average:
      guard case .number(let number) = value else { return count -= 1 }
      let (result, overflows) = sum.addingReportingOverflow(number)
      if overflows { isExact = false } else { sum = result }
      total += Double(number)
    case .percentile:
      guard case .number(let number) = value else { return count -= 1 }
      numbers.append(number)
    }
  }

  var value: ResultValue {
    switch function {
    case .count: return .number(count)
    case .distinct: return .number(Int64(seen.count))
    case .minimum, .maximum, .first, .last: return extreme
    case .sum: return count == 0 ? .null : isExact ? .number(sum) : .decimal(total)
    case .average:
      guard count > 0 else { return .null }
      let average = isExact ? Double(sum) / Double(count) : total / Double(count)
      // Bytes and nanoseconds are whole numbers.
      return type == .count ? .decimal(average) : .number(Int64(exactly: average.rounded()) ?? .max)
    case .percentile(let percent):
      return Percentile(percent).number(of: numbers.sorted()).map(ResultValue.number) ?? .null
    }
  }
}
