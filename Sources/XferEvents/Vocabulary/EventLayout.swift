/// The arrangement of an event's fields in its record.
///
/// Fields are sorted by size (16, 8, 4 and 1 bytes, then those of varying size). The presence word has one bit for each field
/// that the record contains, so the offset of a field follows from this word. A segment contains the layouts of its events; they
/// equal the vocabulary's unless another version wrote the segment.
// @unchecked Sendable: all properties are constant, and the memory behind `table` is written before the layout is shared.
public final class EventLayout: @unchecked Sendable {
  public let number: UInt16
  /// `family.name`.
  public let name: String
  public let level: Level
  /// The text of the event, with `{field}` in the place of a value.
  package let message: String
  /// The fields in stored order. The index of a field is the number of its bit in the presence word.
  package let fields: [Field]
  /// The indexes in `fields`, in the order in which people read the fields.
  package let readingOrder: [Int]
  /// The kind; `nil` for an event from a newer vocabulary.
  public let kind: EventKind?

  package struct Field: Sendable, Equatable {
    package let name: String
    package let type: FieldType
    /// The field's number; `nil` if this reader's vocabulary lacks the field.
    package let id: FieldID?
  }

  /// The size of the presence word, in bytes.
  package var presenceSize: Int { table.pointee.presenceSize }

  /// The properties that decoding needs. The table lives as long as the layout.
  package let table: UnsafePointer<LayoutTable>

  package static let maximumFields = 64

  package convenience init(
    number: UInt16, name: String, level: Level, message: String, fields: [(name: String, type: FieldType)]
  ) {
    self.init(
      number: number, name: name, level: level, message: message,
      fields: fields.map { Field(name: $0.name, type: $0.type, id: FieldID(name: $0.name)) })
  }

  /// - Parameter unsorted: the fields in the order in which people read them.
  private init(number: UInt16, name: String, level: Level, message: String, fields unsorted: [Field]) {
    precondition(unsorted.count <= Self.maximumFields, "an event has at most \(Self.maximumFields) fields")
    self.number = number
    self.name = name
    self.level = level
    self.message = message
    let stored = Self.storedOrder(unsorted.map(\.type))
    fields = stored.map { unsorted[$0] }
    var places = [Int](repeating: 0, count: stored.count)
    for (place, index) in stored.enumerated() { places[index] = place }
    readingOrder = places
    let kind = EventKind(rawValue: number).flatMap { $0.name == name ? $0 : nil }
    self.kind = kind
    let table = UnsafeMutablePointer<LayoutTable>.allocate(capacity: 1)
    self.table = UnsafePointer(table)
    table.initialize(to: Self.table(of: self))
  }

  deinit {
    table.pointee.places.deallocate()
    table.deallocate()
  }

  private static func table(of layout: EventLayout) -> LayoutTable {
    let places = UnsafeMutablePointer<UInt8>.allocate(capacity: FieldID.allCases.count)
    places.initialize(repeating: LayoutTable.absent, count: FieldID.allCases.count)
    var (wide, long, short, single): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    for (place, field) in layout.fields.enumerated() {
      // A field whose type differs from this reader's is treated as unknown, because its value would be misread.
      if let id = field.id, id.type == field.type { places[Int(id.rawValue)] = UInt8(place) }
      let bit: UInt64 = 1 << UInt64(place)
      switch field.type.storedSize {
      case 16: wide |= bit
      case 8: long |= bit
      case 4: short |= bit
      case 1: single |= bit
      default: break
      }
    }
    return LayoutTable(
      layout: layout, number: layout.number, kind: layout.kind, level: layout.level,
      presenceSize: layout.fields.count > 32 ? 8 : 4, wide: wide, long: long, short: short, single: single, places: places)
  }

  /// - Parameter version: the version of the vocabulary whose fields the layout has
  package convenience init(_ event: EventDefinition, version: UInt32 = Vocabulary.version) {
    self.init(
      number: event.number, name: event.name, level: event.level, message: event.message,
      fields: event.fields(version: version).map { name in
        let id = FieldID(name: name)!
        return Field(name: name, type: id.type, id: id)
      })
  }

  /// Returns the indexes of `types` in stored order: by size, the largest first. Types of the same size keep their order.
  package static func storedOrder(_ types: [FieldType]) -> [Int] {
    let sizes = types.map { $0.storedSize ?? 0 }
    var order: [Int] = []
    order.reserveCapacity(sizes.count)
    // Each program does this for all events when it begins to use a log, so one array is made instead of six.
    for size in [16, 8, 4, 1, 0] {
      for place in sizes.indices where sizes[place] == size { order.append(place) }
    }
    return order
  }

  /// The layouts of the compiled vocabulary, by event number.
  package static let known = layouts(version: Vocabulary.version)

  /// Returns the layouts of a version of the vocabulary, by event number.
  package static func layouts(version: UInt32) -> [EventLayout?] {
    let events = Vocabulary.events
    var layouts = [EventLayout?](repeating: nil, count: Int(events.reduce(0) { max($0, $1.number) }) + 1)
    for event in events where event.since <= version {
      let isShared = version < Vocabulary.version && event.isUnchanged(since: version)
      layouts[Int(event.number)] = isShared ? known[Int(event.number)] : EventLayout(event, version: version)
    }
    return layouts
  }
}

extension FieldType {
  /// The size in a record, in bytes; `nil` if it varies.
  package var storedSize: Int? {
    switch self {
    case .launch, .boot: 16
    case .delivery, .handler, .correlation, .digest, .bytes, .count, .duration, .wallTime: 8
    case .task, .number, .symbol: 4
    case .flag, .choice: 1
    case .tasks, .text, .message: nil
    }
  }
}
