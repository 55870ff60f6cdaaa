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

  package init(
    number: UInt16, name: String, level: Level, message: String, fields unsorted: [(name: String, type: FieldType)]
  ) {
    precondition(unsorted.count <= Self.maximumFields, "an event has at most \(Self.maximumFields) fields")
    self.number = number
    self.name = name
    self.level = level
    self.message = message
    let stored = Self.storedOrder(unsorted.map(\.type))
    fields = stored.map { Field(name: unsorted[$0].name, type: unsorted[$0].type, id: FieldID(name: unsorted[$0].name)) }
    readingOrder = unsorted.indices.map { stored.firstIndex(of: $0)! }
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
    var sizes: [Int: UInt64] = [:]
    for (place, field) in layout.fields.enumerated() {
      // A field whose type differs from this reader's is treated as unknown, because its value would be misread.
      if let id = field.id, id.type == field.type { places[Int(id.rawValue)] = UInt8(place) }
      sizes[field.type.storedSize ?? 0, default: 0] |= 1 << UInt64(place)
    }
    return LayoutTable(
      layout: layout, kind: layout.kind, level: layout.level, presenceSize: layout.fields.count > 32 ? 8 : 4,
      wide: sizes[16, default: 0], long: sizes[8, default: 0], short: sizes[4, default: 0], single: sizes[1, default: 0],
      places: places)
  }

  /// - Parameter version: the version of the vocabulary whose fields the layout has
  package convenience init(_ event: EventDefinition, version: UInt32 = Vocabulary.version) {
    self.init(
      number: event.number, name: event.name, level: event.level, message: event.message,
      fields: event.fields(version: version).map { name in (name, FieldID(name: name)!.type) })
  }

  /// Returns the indexes of `types` in stored order: by size, the largest first. Types of the same size keep their order.
  package static func storedOrder(_ types: [FieldType]) -> [Int] {
    types.indices.sorted { left, right in
      let (leftSize, rightSize) = (types[left].storedSize ?? 0, types[right].storedSize ?? 0)
      return leftSize == rightSize ? left < right : leftSize > rightSize
    }
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
