/// What decoding asks of a layout, in memory that events can point to: a class would cost a reference count at every field.
package struct LayoutTable {
  /// Whose table it is, and who owns it.
  unowned(unsafe) let layout: EventLayout
  let kind: EventKind?
  package let level: Level
  /// Bytes of the presence word: 4 up to 32 fields, else 8.
  let presenceSize: Int
  /// Bits of the fields with 16, 8, 4 and 1 bytes.
  let wide: UInt64
  let long: UInt64
  let short: UInt64
  let single: UInt64
  /// Place of each known field by `FieldID.rawValue`; `absent` where this event lacks it.
  let places: UnsafePointer<UInt8>

  static let absent: UInt8 = 255

  @inline(__always)
  func place(of field: FieldID) -> Int? {
    let place = places[Int(field.rawValue)]
    return place == Self.absent ? nil : Int(place)
  }

  /// Bytes of those fields of fixed size whose bits are set.
  @inline(__always)
  func fixedSize(_ presence: UInt64) -> Int {
    16 * (presence & wide).nonzeroBitCount + 8 * (presence & long).nonzeroBitCount + 4 * (presence & short).nonzeroBitCount
      + (presence & single).nonzeroBitCount
  }

  /// Bits of the fields whose size varies.
  @inline(__always)
  var varying: UInt64 { ~(wide | long | short | single) }
}
