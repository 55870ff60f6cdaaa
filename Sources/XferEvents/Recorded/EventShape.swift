/// The offsets of the fields in an event, computed once for each combination of a layout and a presence word.
///
/// A shape lies in memory that events can point to for as long as their source lives.
@usableFromInline package struct EventShape {
  package let table: UnsafePointer<LayoutTable>
  /// The presence word, with one bit for each field of the layout. Unused if `offsets` is `nil`.
  package let presence: UInt64
  @usableFromInline package let kind: EventKind?
  /// The size of the presence word, in bytes.
  package let presenceSize: Int
  package let fixedSize: Int
  /// The offset of each present field of fixed size, by `FieldID.rawValue`, and `absent` for all other fields. `nil` if events
  /// with different fields share the shape.
  @usableFromInline let offsets: UnsafePointer<UInt16>?

  @inlinable static var absent: UInt16 { .max }

  /// Whether this is the shape of events with this layout and presence word.
  @inline(__always)
  package func fits(_ table: UnsafePointer<LayoutTable>, _ presence: UInt64) -> Bool {
    self.table == table && self.presence == presence && offsets != nil
  }
}

/// The shapes of a source's events, limited in number. An ordinary log has a few for each kind of event; a malicious one could
/// have one for each event.
struct ShapeTable {
  /// The shape used last for each layout, by the layout's number.
  private var last: [UnsafePointer<EventShape>?] = []
  private var all: [Key: UnsafeMutablePointer<EventShape>] = [:]
  /// One shape for each layout, shared by the layout's further events once the limit is reached.
  private var shared: [UnsafePointer<LayoutTable>: UnsafeMutablePointer<EventShape>] = [:]

  private struct Key: Hashable {
    let table: UnsafePointer<LayoutTable>
    let presence: UInt64
  }

  private static let limit = 4096

  @inline(__always)
  mutating func shape(_ table: UnsafePointer<LayoutTable>, number: UInt16, _ presence: UInt64) -> UnsafePointer<EventShape> {
    if Int(number) < last.count, let shape = last[Int(number)], shape.pointee.fits(table, presence) { return shape }
    return find(table, number: number, presence)
  }

  @inline(never)
  private mutating func find(
    _ table: UnsafePointer<LayoutTable>, number: UInt16, _ presence: UInt64
  ) -> UnsafePointer<EventShape> {
    let key = Key(table: table, presence: presence)
    guard let known = all[key] ?? make(key) else { return share(table) }
    while last.count <= Int(number) { last.append(nil) }
    last[Int(number)] = UnsafePointer(known)
    return UnsafePointer(known)
  }

  private mutating func make(_ key: Key) -> UnsafeMutablePointer<EventShape>? {
    guard all.count < Self.limit else { return nil }
    let table = key.table.pointee
    let offsets = UnsafeMutablePointer<UInt16>.allocate(capacity: FieldID.allCases.count)
    offsets.initialize(repeating: EventShape.absent, count: FieldID.allCases.count)
    for (place, field) in table.layout.fields.enumerated() {
      let bit: UInt64 = 1 << UInt64(place)
      guard let id = field.id, table.place(of: id) == place, key.presence & ~table.varying & bit != 0 else { continue }
      offsets[Int(id.rawValue)] = UInt16(table.fixedSize(key.presence & (bit &- 1)))
    }
    let shape = UnsafeMutablePointer<EventShape>.allocate(capacity: 1)
    shape.initialize(
      to: EventShape(
        table: key.table, presence: key.presence, kind: table.kind, presenceSize: table.presenceSize,
        fixedSize: table.fixedSize(key.presence), offsets: offsets))
    // A source's events have some twenty shapes. A table that grows one step at a time would hash them again and again.
    if all.isEmpty { all.reserveCapacity(24) }
    all[key] = shape
    return shape
  }

  private mutating func share(_ table: UnsafePointer<LayoutTable>) -> UnsafePointer<EventShape> {
    if let known = shared[table] { return UnsafePointer(known) }
    let shape = UnsafeMutablePointer<EventShape>.allocate(capacity: 1)
    shape.initialize(
      to: EventShape(
        table: table, presence: 0, kind: table.pointee.kind, presenceSize: table.pointee.presenceSize, fixedSize: 0, offsets: nil)
    )
    shared[table] = shape
    return UnsafePointer(shape)
  }

  func deallocate() {
    for shape in all.values {
      shape.pointee.offsets?.deallocate()
      shape.deallocate()
    }
    for shape in shared.values { shape.deallocate() }
  }
}
