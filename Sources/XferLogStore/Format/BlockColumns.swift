import XferEvents

/// The part of a block's header that says how to read single columns of its records; see `ColumnEncoder`.
///
/// The records of a plain block are stored as three zstd frames: the head with the kinds, the times, and the grouped columns of `KindGroups`.
/// Revisions 2 and 3 stored the lengths together with the times, and the payloads as they are.
struct BlockColumns: Equatable {
  /// The stored sizes of the first two frames in bytes; 0 if the block is a single frame or uncompressed.
  var kindsSize: UInt16 = 0
  var timesSize: UInt16 = 0
  /// The kinds of the records; unknown unless every record is an event that its layout describes, at a position of its own.
  var kinds = KindSet()

  static let size = 12

  /// Whether the block has only events.
  var isPlain: Bool { !kinds.isUnknown }
  var hasFrames: Bool { isPlain && kindsSize > 0 && timesSize > 0 }

  init() {}

  /// - Parameter bytes: At least `size` bytes.
  init(_ bytes: UnsafeRawBufferPointer) {
    var reader = FixedReader(bytes)
    kindsSize = reader.take(UInt16.self)
    timesSize = reader.take(UInt16.self)
    kinds = KindSet(bits: reader.take(UInt64.self))
  }

  func write(to bytes: UnsafeMutableRawBufferPointer) {
    var writer = FixedWriter(bytes)
    writer.put(kindsSize)
    writer.put(timesSize)
    writer.put(kinds.bits)
  }
}

/// A set of kinds with one bit for all kinds that have the same number modulo 64. It may have kinds that were not added.
struct KindSet: Equatable {
  private(set) var bits: UInt64 = 0

  init(bits: UInt64 = 0) { self.bits = bits }

  /// The set of the kinds of a source that meet a condition.
  init(of source: RecordSource, where isWanted: (UnsafePointer<LayoutTable>) -> Bool) {
    for number in 0..<source.layoutCount {
      if let table = source.definedTable(number), isWanted(table) { insert(UInt16(truncatingIfNeeded: number)) }
    }
  }

  /// Whether the set was not stored, so that nothing is known about a block's kinds.
  var isUnknown: Bool { bits == 0 }

  mutating func insert(_ kind: UInt16) { bits |= 1 << UInt64(kind & 63) }
  func intersects(_ other: KindSet) -> Bool { bits & other.bits != 0 }
}
