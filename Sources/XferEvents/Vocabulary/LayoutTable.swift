/// The properties of a layout that decoding needs, in memory that events can point to. Reading them from the class would change
/// its reference count at every field.
package struct LayoutTable {
  /// The layout that owns this table.
  package unowned(unsafe) let layout: EventLayout
  /// The layout's number.
  package let number: UInt16
  package let kind: EventKind?
  package let level: Level
  /// The size of the presence word in bytes: 4 for up to 32 fields, else 8.
  let presenceSize: Int
  /// The bits of the presence word for the fields of 16, 8, 4 and 1 bytes.
  let wide: UInt64
  let long: UInt64
  let short: UInt64
  let single: UInt64
  /// The index in the layout of each known field, by `FieldID.rawValue`, or `absent` if the event lacks the field.
  let places: UnsafePointer<UInt8>

  static let absent: UInt8 = 255

  @inline(__always)
  func place(of field: FieldID) -> Int? {
    let place = places[Int(field.rawValue)]
    return place == Self.absent ? nil : Int(place)
  }

  /// Whether events with this layout can have a field.
  package func has(_ field: FieldID) -> Bool { place(of: field) != nil }

  /// Returns the total size of the fields of fixed size whose bits are set, in bytes.
  @inline(__always)
  func fixedSize(_ presence: UInt64) -> Int {
    16 * (presence & wide).nonzeroBitCount + 8 * (presence & long).nonzeroBitCount + 4 * (presence & short).nonzeroBitCount
      + (presence & single).nonzeroBitCount
  }

  /// The bits of the presence word for the fields of varying size.
  @inline(__always)
  var varying: UInt64 { ~(wide | long | short | single) }
}
