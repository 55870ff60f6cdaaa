/// Where the fields of an event are that has just these: what follows from a layout and a presence word, found once.
///
/// In memory that events can point to, for as long as their source lives.
package struct EventShape {
  package let table: UnsafePointer<LayoutTable>
  /// Which fields are there; of no matter where `offsets` is `nil`.
  package let presence: UInt64
  package let kind: EventKind?
  /// Bytes of the presence word, and of the fields of fixed size.
  package let presenceSize: Int
  package let fixedSize: Int
  /// Of each field of fixed size that is there, by `FieldID.rawValue`; `absent` for all others. `nil` for a shape that events with
  /// different fields share.
  let offsets: UnsafePointer<UInt16>?

  static let absent: UInt16 = .max

  /// Whether it is the shape of events with these fields.
  @inline(__always)
  package func fits(_ table: UnsafePointer<LayoutTable>, _ presence: UInt64) -> Bool {
    self.table == table && self.presence == presence && offsets != nil
  }
}

/// The shapes of a source's events. Most logs have a few for each kind of event; a hostile one could have as many as events, so the
/// number is limited.
struct ShapeTable {
  /// The one that was asked for last, by the layout's number.
  private var last: [UnsafePointer<EventShape>?] = []
  private var all: [Key: UnsafeMutablePointer<EventShape>] = [:]
  /// For all that are too many.
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
    for field in FieldID.allCases {
      let place = table.place(of: field)
      let isThere = place.map { key.presence >> UInt64($0) & 1 == 1 && table.varying >> UInt64($0) & 1 == 0 } ?? false
      (offsets + Int(field.rawValue)).initialize(
        to: isThere ? UInt16(table.fixedSize(key.presence & (1 << UInt64(place!) &- 1))) : EventShape.absent)
    }
    let shape = UnsafeMutablePointer<EventShape>.allocate(capacity: 1)
    shape.initialize(
      to: EventShape(
        table: key.table, presence: key.presence, kind: table.kind, presenceSize: table.presenceSize,
        fixedSize: table.fixedSize(key.presence), offsets: offsets))
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
