import XferEvents
import XferPredicate

/// The groups of `| stats` and their figures.
final class GroupTable {
  private let keys: [QueryField]
  private let slice: Int64?
  // Only this class uses these properties. A check at run time that their accesses do not overlap would take a tenth of a query's time.
  @exclusivity(unchecked) private var groups: [GroupKey: Int] = [:]
  /// The groups whose key is a single uid.
  @exclusivity(unchecked) private var groupsOfUIDs = UIDPlaces()
  @exclusivity(unchecked) private var rows: [GroupKey] = []
  private let figures: [FigureColumn]
  /// The groups by the codes of their keys, which are compared faster than the keys themselves.
  @exclusivity(unchecked) private var places = CodedPlaces()
  /// How to read the codes of one or two keys; `nil` if a key has no code.
  private let codes: (first: FieldCode, second: FieldCode?)?
  @exclusivity(unchecked) private var keysDependOnOrder = false

  init(_ aggregates: [Aggregate], _ keys: [QueryField], _ slice: Int64?) {
    (self.keys, self.slice) = (keys, slice)
    figures = aggregates.map(FigureColumn.make)
    codes = slice == nil ? Self.codes(of: keys) : nil
    // If the query names no groups, its result has one row, also without events.
    if keys.isEmpty, slice == nil { _ = place(of: .none) }
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

  /// Whether keys or figures depend on the order of the events: texts that are equal as characters but not as bytes, or sums that exceed
  /// 64 bits.
  var dependsOnOrder: Bool { keysDependOnOrder || figures.contains(where: \.dependsOnOrder) }

  // MARK: Input

  /// Adds events that are equal as far as the keys and figures read them.
  func note(_ event: EventView, count: Int = 1, _ ledger: SubjectLedger?) {
    if let code = code(of: event) {
      let place = places[code] ?? note(code, event, ledger)
      for figure in figures { figure.add(figure.reading(of: event, ledger), count, to: place) }
      return
    }
    var key: [ResultValue] = []
    if let slice { key.append(event.wall.map { .number(Self.beginning(of: $0.nanoseconds, slice)) } ?? .null) }
    let inputs = figures.map { $0.reading(of: event, ledger) }
    note(key, values(event, ledger), inputs, count)
  }

  func note(_ row: [ResultValue]) {
    note([], keys.map { [$0.value(in: row)] }, figures.map { $0.reading(in: row) }, 1)
  }

  private func values(_ event: EventView, _ ledger: SubjectLedger?) -> [[ResultValue]] {
    keys.map { key in
      key.isUID ? [ResultValue(uidOf: event)] : ResultValue.all(key.reading(of: event, ledger), key.type)
    }
  }

  /// Returns the value of a key that has a code, and thus one value.
  private func value(of key: Int, _ event: EventView, _ ledger: SubjectLedger?) -> ResultValue {
    keys[key].isUID ? ResultValue(uidOf: event) : ResultValue(keys[key].reading(of: event, ledger))
  }

  private static func codes(of keys: [QueryField]) -> (first: FieldCode, second: FieldCode?)? {
    let codes = keys.compactMap(\.code)
    guard codes.count == keys.count, (1...2).contains(codes.count) else { return nil }
    return (codes[0], codes.count > 1 ? codes[1] : nil)
  }

  private func code(of event: EventView) -> GroupCode? {
    guard let codes else { return nil }
    return GroupCode(
      source: event.sourceIndex, first: codes.first.number(of: event), second: codes.second?.number(of: event) ?? 0)
  }

  /// Finds the group of an event, and notes its code.
  private func note(_ code: GroupCode, _ event: EventView, _ ledger: SubjectLedger?) -> Int {
    let first = value(of: 0, event, ledger)
    let place = place(of: keys.count > 1 ? .several([first, value(of: 1, event, ledger)]) : .one(first))
    places[code] = place
    return place
  }

  private static func beginning(of time: Int64, _ slice: Int64) -> Int64 {
    let rest = time % slice
    return time.subtractingClamped(rest < 0 ? rest + slice : rest)
  }

  /// Adds one event or row to its group, or to several if a key has several values.
  private func note(_ key: [ResultValue], _ values: [[ResultValue]], _ inputs: [FieldReading?], _ count: Int) {
    guard let first = values.first else {
      let place = place(of: GroupKey(key))
      for (figure, input) in zip(figures, inputs) { figure.add(input, count, to: place) }
      return
    }
    for value in first { note(key + [value], Array(values.dropFirst()), inputs, count) }
  }

  private func place(of key: GroupKey) -> Int {
    if !keysDependOnOrder { keysDependOnOrder = !key.isPlain }
    // One search, whether or not the group exists.
    let place =
      if case .one(.uid(let uid)) = key {
        groupsOfUIDs.place(of: uid, new: rows.count) { rows[$0].uid == uid }
      } else {
        groups[key, default: rows.count].kept()
      }
    if place == rows.count {
      rows.append(key)
      for figure in figures { figure.append() }
    }
    return place
  }

  /// Returns a table with the groups of two tables, which have the same keys and figures and are not used any more.
  static func merging(_ one: GroupTable, _ other: GroupTable) -> GroupTable {
    let (small, large) = one.rows.count < other.rows.count ? (one, other) : (other, one)
    large.merge(small)
    return large
  }

  private func merge(_ other: GroupTable) {
    if other.dependsOnOrder { keysDependOnOrder = true }
    groups.reserveCapacity(groups.count + other.groups.count)
    groupsOfUIDs.reserveCapacity(groupsOfUIDs.count + other.groupsOfUIDs.count)
    rows.reserveCapacity(rows.count + other.rows.count)
    for (source, key) in other.rows.enumerated() {
      let place = place(of: key)
      for (figure, added) in zip(figures, other.figures) { figure.merge(added, source, into: place) }
    }
  }

  // MARK: Output

  /// Returns the groups: by time if there are slices, else the greatest first figure first; then by their keys.
  ///
  /// - Parameter isKept: whether a row is part of the result. It is asked before the rows are put in order.
  func table(where isKept: ([ResultValue]) -> Bool) -> [[ResultValue]] {
    var table: [[ResultValue]] = []
    var row: [ResultValue] = []
    for (place, key) in rows.enumerated() {
      row.removeAll(keepingCapacity: true)
      key.append(to: &row)
      for figure in figures { row.append(figure.value(of: place)) }
      if isKept(row) { table.append(row) }
    }
    let keyCount = keys.count + (slice == nil ? 0 : 1)
    let byKey = (0..<keyCount).map { (place: $0, isDescending: false) }
    let order = RowOrder(keys: slice == nil ? [(place: keyCount, isDescending: true)] + byKey : byKey)
    return order.sorted(table).map { table[$0] }
  }
}

/// The values that the events of a group share.
private enum GroupKey: Hashable {
  /// The key of the only group of a query that names no groups.
  case none
  /// One value, which is the usual case and needs no array.
  case one(ResultValue)
  case several([ResultValue])

  init(_ values: [ResultValue]) {
    self = values.count > 1 ? .several(values) : values.first.map(GroupKey.one) ?? .none
  }

  func append(to row: inout [ResultValue]) {
    switch self {
    case .none: break
    case .one(let value): row.append(value)
    case .several(let values): row += values
    }
  }

  /// The uid that is the only value; `nil` for another key.
  var uid: TaskUID? { if case .one(.uid(let uid)) = self { uid } else { nil } }

  var isPlain: Bool {
    switch self {
    case .none: true
    case .one(let value): value.isPlain
    case .several(let values): values.allSatisfy(\.isPlain)
    }
  }
}

/// The codes of the keys of an event, which two events share only if they are of one group.
private struct GroupCode: Hashable {
  let source: Int
  let first: UInt64
  let second: UInt64
}

/// The groups by their codes. Small codes, such as numbers of tasks, are indexes.
private struct CodedPlaces {
  /// The index of each code's group plus 1, for each source; 0 for a code without a group.
  private var small: [[UInt32]] = []
  private var others: [GroupCode: Int] = [:]

  private static let limit: UInt64 = 1 << 20

  subscript(_ code: GroupCode) -> Int? {
    get {
      guard let index = Self.index(code) else { return others[code] }
      guard code.source < small.count, index < small[code.source].count, small[code.source][index] > 0 else { return nil }
      return Int(small[code.source][index]) - 1
    }
    set {
      guard let place = newValue, let stored = UInt32(exactly: place + 1), let index = Self.index(code) else {
        return others[code] = newValue
      }
      while small.count <= code.source { small.append([]) }
      let missing = index + 1 - small[code.source].count
      if missing > 0 { small[code.source] += repeatElement(0, count: max(missing, small[code.source].count)) }
      small[code.source][index] = stored
    }
  }

  private static func index(_ code: GroupCode) -> Int? { code.second == 0 && code.first < limit ? Int(code.first) : nil }
}

extension Int {
  /// Returns the number. As a mutating access, it stores a dictionary's default value.
  fileprivate mutating func kept() -> Int { self }
}

extension QueryField {
  fileprivate var isUID: Bool { if case .property(.taskUID) = source { true } else { false } }
}

extension ResultValue {
  /// The uid of an event's task, as the field `uid` gives it.
  fileprivate init(uidOf event: EventView) {
    self = event.taskSymbol == nil ? .null : event.task.map { .uid($0.uid) } ?? .null
  }
}
