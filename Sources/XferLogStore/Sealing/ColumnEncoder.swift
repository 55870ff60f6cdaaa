/// Encodes the records of one chunk by column, which compresses better, and omits what a reader can recompute.
///
/// Layout: a 32-bit record count and the 32-bit size of the times; the 16-bit kinds of all records; the 16-bit payload
/// lengths in units of 4 bytes; the times, each as a zigzag varint of the difference to the previous one, padded to 4
/// bytes; the payloads. Positions are contiguous and not stored.
struct ColumnEncoder {
  private var kinds: [UInt16] = []
  private var lengths: [UInt16] = []
  private var times = ByteSink()
  private var payloads: [UInt8] = []
  private var last: Int64 = 0

  static let headSize = 8

  var count: Int { kinds.count }
  /// The number of records that were left out because retention removes their level.
  private(set) var thinned = 0

  mutating func append(kind: UInt16, time: Int64, payload: UnsafeRawBufferPointer) {
    kinds.append(kind)
    lengths.append(UInt16(payload.count / RecordFormat.alignment))
    let difference = time &- last
    times.put(varint: UInt64(bitPattern: difference << 1 ^ difference >> 63))
    last = time
    payloads.append(contentsOf: payload)
  }

  /// Appends a record that states how many records were left out here, if there are any, and resets the count.
  mutating func append(thinned count: inout UInt32, time: Int64) {
    guard count > 0 else { return }
    thinned += Int(count)
    withUnsafeBytes(of: count.littleEndian) { append(kind: RecordFormat.thinned, time: time, payload: $0) }
    count = 0
  }

  /// Returns the encoded columns and resets the encoder.
  mutating func finish() -> [UInt8] {
    while times.bytes.count % RecordFormat.alignment != 0 { times.put(0 as UInt8) }
    var sink = ByteSink()
    sink.bytes.reserveCapacity(Self.headSize + 4 * kinds.count + times.bytes.count + payloads.count)
    sink.put(UInt32(kinds.count))
    sink.put(UInt32(times.bytes.count))
    for kind in kinds { sink.put(kind) }
    for length in lengths { sink.put(length) }
    sink.bytes.append(contentsOf: times.bytes)
    sink.bytes.append(contentsOf: payloads)
    self = ColumnEncoder()
    return sink.bytes
  }
}

/// The parts of encoded records.
struct ColumnParts {
  /// The head and the kinds.
  let kinds: Range<Int>
  let lengths: Range<Int>
  let times: Range<Int>
  let payloads: Range<Int>
  var recordCount: Int { lengths.count / 2 }

  /// - Parameters:
  ///   - bytes: The encoded records, or at least their head.
  ///   - size: The size of all encoded records; `nil` if `bytes` has all of them.
  /// - Returns: `nil` if the records are not in column form.
  init?(_ bytes: UnsafeRawBufferPointer, size: Int? = nil) {
    var reader = FixedReader(bytes)
    let (count, timesSize) = (Int(reader.take(UInt32.self)), Int(reader.take(UInt32.self)))
    let (end, size) = (ColumnEncoder.headSize + 2 * count, size ?? bytes.count)
    guard !reader.failed, end + 2 * count + timesSize <= size else { return nil }
    kinds = 0..<end
    lengths = end..<end + 2 * count
    times = lengths.upperBound..<lengths.upperBound + timesSize
    payloads = times.upperBound..<size
  }

  init?(_ bytes: [UInt8]) {
    guard let parts = bytes.withUnsafeBytes({ Self($0) }) else { return nil }
    self = parts
  }
}
