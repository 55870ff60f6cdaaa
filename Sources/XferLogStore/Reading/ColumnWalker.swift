import XferEvents

/// Iterates over the records of a sealed chunk; see `ColumnEncoder` for the encoding.
///
/// Every offset is checked, because a checksum does not protect against deliberately forged bytes.
struct ColumnWalker {
  private let bytes: UnsafeRawBufferPointer
  /// The number of records.
  let count: Int
  private let lengths: Int
  private let timesEnd: Int
  private var place = 0
  private var timeOffset: Int
  private var payload: Int
  private var time: Int64 = 0
  private let hasTimes: Bool
  private let hasPayloads: Bool
  /// The lane position of the next record.
  private(set) var sequence: UInt64

  /// Creates a walker over decoded bytes.
  ///
  /// - Parameter decoded: The parts that were decoded. Records have times of 0 without times, and no payloads without fields.
  /// - Returns: `nil` if the bytes are not in column form.
  init?(_ bytes: UnsafeRawBufferPointer, firstSequence: UInt64, decoded: ScannedParts = .whole) {
    var reader = FixedReader(bytes)
    let (count, timesSize) = (Int(reader.take(UInt32.self)), Int(reader.take(UInt32.self)))
    let times = ColumnEncoder.headSize + 4 * count
    guard !reader.failed, times + timesSize <= bytes.count else { return nil }
    self.bytes = bytes
    self.count = count
    (hasTimes, hasPayloads) = (decoded.contains(.time), decoded.contains(.fields))
    lengths = ColumnEncoder.headSize + 2 * count
    timeOffset = times
    timesEnd = times + timesSize
    payload = timesEnd
    sequence = firstSequence
  }

  /// Creates an empty walker.
  init() {
    bytes = .init(start: nil, count: 0)
    (count, lengths, timesEnd, timeOffset, payload, sequence, hasTimes, hasPayloads) = (0, 0, 0, 0, 0, 0, false, false)
  }

  /// Returns the kind of a record, without moving.
  ///
  /// - Parameter place: The index of the record, less than `count`.
  @inline(__always)
  func kind(at place: Int) -> UInt16 {
    guard let base = bytes.baseAddress else { return 0 }
    // Without checks for overflows, which take longer than reading the number.
    return UInt16(littleEndian: base.loadUnaligned(fromByteOffset: ColumnEncoder.headSize &+ 2 &* place, as: UInt16.self))
  }

  /// Counts the records by kind.
  ///
  /// - Parameter counts: The number of records of each kind. The earlier numbers are overwritten.
  /// - Returns: `false` if the kind of a record is not an index of `counts`.
  func countKinds(_ counts: UnsafeMutableBufferPointer<Int>) -> Bool {
    counts.update(repeating: 0)
    for place in 0..<count {
      let kind = Int(kind(at: place))
      guard kind < counts.count else { return false }
      counts[kind] &+= 1
    }
    return true
  }

  /// Returns the next record, or `endOfChunk` after the last record and at malformed bytes.
  @inline(__always)
  mutating func next() -> RecordWalker.Step {
    while place < count, let base = bytes.baseAddress {
      let kind = UInt16(littleEndian: base.loadUnaligned(fromByteOffset: ColumnEncoder.headSize + 2 * place, as: UInt16.self))
      let units = hasPayloads ? UInt16(littleEndian: base.loadUnaligned(fromByteOffset: lengths + 2 * place, as: UInt16.self)) : 0
      let length = Int(units) * RecordFormat.alignment
      guard !hasTimes || takeTime(base), payload + length <= bytes.count else { break }
      let record = RecordWalker.Record(
        kind: kind, time: time, sequence: sequence, payload: UnsafeRawBufferPointer(start: base + payload, count: length))
      payload += length
      place += 1
      if kind == RecordFormat.thinned {
        // The record replaces records that retention has removed, so skip their positions.
        guard length >= 4 else { break }
        sequence &+= UInt64(UInt32(littleEndian: record.payload.loadUnaligned(as: UInt32.self)))
        continue
      }
      sequence &+= 1
      return .record(record)
    }
    place = count
    return .endOfChunk
  }

  /// Returns all remaining records.
  mutating func rest() -> [RecordWalker.Record] {
    var records: [RecordWalker.Record] = []
    while case .record(let record) = next() { records.append(record) }
    return records
  }

  @inline(__always)
  private mutating func takeTime(_ base: UnsafeRawPointer) -> Bool {
    var (value, shift): (UInt64, UInt64) = (0, 0)
    while timeOffset < timesEnd, shift < 64 {
      let byte = base.load(fromByteOffset: timeOffset, as: UInt8.self)
      timeOffset += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 {
        time &+= Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
        return true
      }
      shift += 7
    }
    return false
  }
}
