import XferEvents
import XferPredicate

/// The groups of `| stats` and their figures.
struct GroupTable {
  private let aggregates: [Aggregate]
  private let keys: [QueryField]
  private let slice: Int64?
  private var groups: [[ResultValue]: Int] = [:]
  private var rows: [(key: [ResultValue], figures: [Figure])] = []
  /// The groups by the codes of their keys, which are compared faster than the keys themselves.
  private var places: [Code: Int] = [:]
  private let hasCodes: Bool
  /// Whether groups with different codes are kept apart although their keys may be equal, because they are merged into another table.
  /// Tasks are kept apart, because a task is rarely in several sources.
  private let keepsApart: Bool
  /// Whether keys or figures depend on the order of the events: texts that are equal as characters but not as bytes, or sums that exceed
  /// 64 bits.
  private(set) var dependsOnOrder = false

  private struct Code: Hashable {
    let source: Int
    let first: UInt64
    let second: UInt64
  }

  /// - Parameter isPart: whether the table is only merged into another one.
  init(_ aggregates: [Aggregate], _ keys: [QueryField], _ slice: Int64?, isPart: Bool = false) {
    (self.aggregates, self.keys, self.slice) = (aggregates, keys, slice)
    keepsApart = isPart && keys.contains(where: \.namesTask)
    hasCodes = slice == nil && (1...2).contains(keys.count) && keys.allSatisfy(\.hasCode)
    // If the query names no groups, its result has one row, also without events.
    if keys.isEmpty, slice == nil { _ = place(of: []) }
  }

  /// Whether the result is the same for every order of the events, as long as `dependsOnOrder` is false.
  static func allowsAnyOrder(_ aggregates: [Aggregate]) -> Bool {
    aggregates.allSatisfy { aggregate in
      switch aggregate.function {
      case .count, .distinct, .sum, .minimum, .maximum, .average, .percentile: true
      case .first, .last: false
      }
    }
  }

  // MARK: Input

  /// Adds events that are equal as far as the keys and figures read them.
  mutating func note(_ event: EventView, count: Int = 1, _ ledger: SubjectLedger?) {
    if hasCodes, let code = code(of: event) {
      let place = places[code] ?? note(code, event, ledger)
      for figure in aggregates.indices {
        add(aggregates[figure].field.map { $0.reading(of: event, ledger) }, count, to: place, figure)
      }
      return
    }
    var key: [ResultValue] = []
    if let slice { key.append(event.wall.map { .number(Self.beginning(of: $0.nanoseconds, slice)) } ?? .null) }
    let inputs = aggregates.map { aggregate in aggregate.field.map { $0.reading(of: event, ledger) } }
    note(key, values(event, ledger), inputs, count)
  }

  mutating func note(_ row: [ResultValue]) {
    note(
      [], keys.map { [$0.value(in: row)] }, aggregates.map { aggregate in aggregate.field.map { $0.value(in: row).reading } }, 1)
  }

  private func values(_ event: EventView, _ ledger: SubjectLedger?) -> [[ResultValue]] {
    keys.map { ResultValue.all($0.reading(of: event, ledger), $0.type) }
  }

  private func code(of event: EventView) -> Code? {
    guard let first = keys[0].code(of: event) else { return nil }
    guard keys.count > 1 else { return Code(source: event.sourceIndex, first: first, second: 0) }
    return keys[1].code(of: event).map { Code(source: event.sourceIndex, first: first, second: $0) }
  }

  /// Finds the group of an event, and notes its code.
  private mutating func note(_ code: Code, _ event: EventView, _ ledger: SubjectLedger?) -> Int {
    // Fields with codes have one value.
    let key = values(event, ledger).map { $0.first ?? .null }
    let place = keepsApart ? append(key) : place(of: key)
    places[code] = place
    return place
  }

  private static func beginning(of time: Int64, _ slice: Int64) -> Int64 {
    let rest = time % slice
    return time.subtractingClamped(rest < 0 ? rest + slice : rest)
  }

  /// Adds one event or row to its group, or to several if a key has several values.
  private mutating func note(_ key: [ResultValue], _ values: [[ResultValue]], _ inputs: [FieldReading?], _ count: Int) {
    guard let first = values.first else {
      let place = place(of: key)
      for (figure, input) in inputs.enumerated() { add(input, count, to: place, figure) }
      return
    }
    for value in first { note(key + [value], Array(values.dropFirst()), inputs, count) }
  }

  private mutating func place(of key: [ResultValue]) -> Int {
    if let place = groups[key] {
      if !dependsOnOrder { dependsOnOrder = !key.allSatisfy(\.isPlain) }
      return place
    }
    groups[key] = rows.count
    return append(key)
  }

  private mutating func append(_ key: [ResultValue]) -> Int {
    if !dependsOnOrder { dependsOnOrder = !key.allSatisfy(\.isPlain) }
    rows.append((key, aggregates.map { Figure($0) }))
    return rows.count - 1
  }

  @inline(__always)
  private mutating func add(_ input: FieldReading?, _ count: Int, to place: Int, _ figure: Int) {
    rows[place].figures[figure].add(input, count)
    if rows[place].figures[figure].dependsOnOrder { dependsOnOrder = true }
  }

  /// Adds the groups of another table with the same keys and figures.
  mutating func merge(_ other: GroupTable) {
    dependsOnOrder = dependsOnOrder || other.dependsOnOrder
    for row in other.rows {
      let place = place(of: row.key)
      for figure in row.figures.indices {
        rows[place].figures[figure].merge(row.figures[figure])
        if rows[place].figures[figure].dependsOnOrder { dependsOnOrder = true }
      }
    }
  }

  // MARK: Output

  /// Returns the groups: by time if there are slices, else the greatest first figure first; then by their keys.
  func table() -> [[ResultValue]] {
    let table = rows.map { row in row.key + row.figures.map(\.value) }
    let keyCount = keys.count + (slice == nil ? 0 : 1)
    let byKey = (0..<keyCount).map { (place: $0, isDescending: false) }
    let order = RowOrder(keys: slice == nil ? [(place: keyCount, isDescending: true)] + byKey : byKey)
    return order.sorted(table).map { table[$0] }
  }
}

extension QueryField {
  /// Whether the field tells tasks apart.
  fileprivate var namesTask: Bool {
    switch source {
    case .property(.task), .property(.taskUID), .subject(SubjectField(.task, "name")), .subject(SubjectField(.task, "uid")): true
    default: false
    }
  }
}

extension ResultValue {
  /// Whether no other value is equal to this one but differs in its bytes.
  fileprivate var isPlain: Bool {
    switch self {
    case .text(let text): text.utf8.allSatisfy { $0 < 0x80 }
    case .null, .number, .decimal: true
    }
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

  /// Whether another order of the values may give another result.
  var dependsOnOrder: Bool { !isExact || !extreme.isPlain }

  /// - Parameters:
  ///   - input: the value; `nil` if the figure has no field.
  ///   - times: the number of events that have the value.
  mutating func add(_ input: FieldReading?, _ times: Int) {
    guard let input else { return count += Int64(times) }
    switch (input, function) {
    case (.number(let number), _) where times == 1: add(.number(number))
    case (_, .count):
      for value in ResultValue.all(input, type) where value != .null { count += Int64(times) }
    default:
      for value in ResultValue.all(input, type) where value != .null { for _ in 0..<times { add(value) } }
    }
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
      add(toSum: number)
      total += Double(number)
    case .percentile:
      guard case .number(let number) = value else { return count -= 1 }
      numbers.append(number)
    }
  }

  private mutating func add(toSum number: Int64) {
    let (result, overflows) = sum.addingReportingOverflow(number)
    if overflows { isExact = false } else { sum = result }
  }

  /// Adds the values of another figure of the same function. The result is exact unless `dependsOnOrder` is true.
  mutating func merge(_ other: Figure) {
    switch function {
    case .minimum, .maximum:
      if other.extreme != .null {
        add(other.extreme)
        count -= 1
      }
    case .first: if extreme == .null { extreme = other.extreme }
    case .last: if other.extreme != .null { extreme = other.extreme }
    case .count, .distinct, .sum, .average, .percentile: break
    }
    count += other.count
    isExact = isExact && other.isExact
    add(toSum: other.sum)
    total += other.total
    numbers += other.numbers
    seen.formUnion(other.seen)
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
      return Percentile(percent).number(ofUnsorted: numbers).map(ResultValue.number) ?? .null
    }
  }
}
