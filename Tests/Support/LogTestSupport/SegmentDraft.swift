import CXferPlatform

/// A segment split into its header, chunks and records. The parser follows the article "The log format" and shares no code with
/// the reader. A reassembled segment has valid checksums after any change.
package struct SegmentDraft {
  package var header: [UInt8]
  package var chunks: [Chunk]

  package struct Chunk {
    /// The first 64 bytes of the chunk. The index and the checksum are set when the segment is reassembled.
    package var header: [UInt8]
    package var records: [Record]
    /// Whether the lane continued in another chunk.
    package var isEnded: Bool
    /// The bytes after the last record, which lack a commit word.
    package var torn: [UInt8]
    /// The number of slots that the chunk occupies in the file, whatever its header states.
    package let slots: Int

    package var kind: UInt32 { header.number(at: SegmentDraft.chunkKind) }
    package var isDictionary: Bool { kind == 2 }
    package var isLarge: Bool { kind == 3 }
    package var lane: UInt32 { header.number(at: SegmentDraft.chunkLane) }
    package var firstSequence: UInt64 { header.number(at: SegmentDraft.chunkFirstSequence) }
  }

  package struct Record {
    package var kind: UInt16
    package var time: UInt64
    package var payload: [UInt8]
    /// A wrong length for the commit word. `nil` means the actual length.
    package var claimedLength: Int?
    /// The position of the record in the original segment.
    package let bytes: Range<Int>
    package var isChanged = false

    package var isEvent: Bool { kind < 0xFFF0 }
  }

  package static let headerSize = 4096
  package static let chunkSize = 32_768
  package static let chunkHeaderSize = 64
  static let chunkKind = 4
  static let chunkIndex = 8
  static let chunkLane = 12
  static let chunkSpan = 20
  static let chunkFirstSequence = 24

  // MARK: Parsing

  /// - Parameter bytes: The bytes of an undamaged segment.
  package init(_ bytes: [UInt8]) {
    header = Array(bytes[..<Self.headerSize])
    chunks = []
    var start = Self.headerSize
    while start + Self.chunkHeaderSize < bytes.count {
      guard bytes.number(at: start, as: UInt32.self) != 0 else {
        start += Self.chunkSize
        continue
      }
      let span = Int(bytes.number(at: start + Self.chunkSpan, as: UInt32.self))
      let end = min(start + span * Self.chunkSize, bytes.count)
      chunks.append(Self.chunk(in: bytes, start..<end, slots: span))
      start += span * Self.chunkSize
    }
  }

  private static func chunk(in bytes: [UInt8], _ range: Range<Int>, slots: Int) -> Chunk {
    var chunk = Chunk(
      header: Array(bytes[range.prefix(chunkHeaderSize)]), records: [], isEnded: false, torn: [], slots: slots)
    var start = range.lowerBound + chunkHeaderSize
    let limit = min(range.upperBound, range.lowerBound + slots * chunkSize - chunkHeaderSize)
    while start + 16 <= limit {
      let word: UInt32 = bytes.number(at: start)
      chunk.isEnded = word == .max
      if word == 0 || word == .max { break }
      let length = chunk.isLarge ? Int(bytes.number(at: start + 16, as: UInt32.self)) : Int(word & 0xFFFF) * 4
      let payload = start + (chunk.isLarge ? 20 : 16)..<start + length
      let timeAndKind: UInt64 = bytes.number(at: start + 8)
      chunk.records.append(
        Record(
          kind: UInt16(timeAndKind >> 48), time: timeAndKind & (1 << 48 - 1), payload: Array(bytes[payload]),
          bytes: start..<start + length))
      start += length
    }
    let rest = bytes[min(start, limit)..<limit]
    if !chunk.isEnded, let last = rest.lastIndex(where: { $0 != 0 }) { chunk.torn = Array(rest[...last]) }
    return chunk
  }

  // MARK: Reassembling

  /// Returns the bytes of the segment, with valid checksums.
  package func bytes() -> [UInt8] {
    var bytes = header
    bytes.put(Self.checksum(bytes[..<1020]), at: 1020)
    for chunk in chunks { append(chunk, to: &bytes) }
    return bytes
  }

  private func append(_ chunk: Chunk, to bytes: inout [UInt8]) {
    let start = bytes.count
    let index = UInt32(truncatingIfNeeded: (start - Self.headerSize) / Self.chunkSize)
    let nonce: UInt64 = header.number(at: 24)
    let folded = UInt32(truncatingIfNeeded: nonce ^ nonce >> 32)
    var head = chunk.header
    head.put(index, at: Self.chunkIndex)
    head.put(Self.checksum(head[4..<60], seed: folded), at: 60)
    bytes += head
    let seed = folded ^ (index &+ 1) &* 0x9E37_79B1
    // A copy of the chunk header follows the records.
    let end = start + chunk.slots * Self.chunkSize - Self.chunkHeaderSize
    for (place, record) in chunk.records.enumerated() {
      let sealed = Self.sealed(record, isLarge: chunk.isLarge, sequence: chunk.firstSequence &+ UInt64(place), seed: seed)
      guard bytes.count + sealed.count <= end else { break }
      bytes += sealed
    }
    if chunk.isEnded, bytes.count + 4 <= end { bytes += [0xFF, 0xFF, 0xFF, 0xFF] }
    bytes += chunk.torn.prefix(end - bytes.count)
    bytes += [UInt8](repeating: 0, count: end - bytes.count)
    bytes += head
  }

  private static func sealed(_ record: Record, isLarge: Bool, sequence: UInt64, seed: UInt32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: isLarge ? 20 : 16) + record.payload
    bytes += [UInt8](repeating: 0, count: -bytes.count & 3)
    let length = record.claimedLength ?? bytes.count
    let units = min(UInt32(clamping: length / 4), isLarge ? 0xFFFE : 0xFFFF)
    let word = units | UInt32(truncatingIfNeeded: sequence & 0xFFFF) << 16
    bytes.put(word, at: 0)
    bytes.put(UInt64(record.kind) << 48 | record.time & (1 << 48 - 1), at: 8)
    if isLarge { bytes.put(UInt32(clamping: length), at: 16) }
    // If the claimed length is wrong, the checksum covers at most the bytes of the record.
    bytes.put(checksum(bytes[8..<max(8, min(length, bytes.count))], seed: word ^ seed), at: 4)
    return bytes
  }

  static func checksum(_ bytes: ArraySlice<UInt8>, seed: UInt32 = 0) -> UInt32 {
    bytes.withUnsafeBytes { xp_crc32c(seed, $0.baseAddress, $0.count) }
  }

  // MARK: Changed events

  package struct Place: Hashable {
    let lane: UInt32
    let sequence: UInt64

    package init(lane: UInt32, sequence: UInt64) {
      self.lane = lane
      self.sequence = sequence
    }
  }

  /// The places at which a reader finds the changed events.
  package var changedEvents: Set<Place> {
    var places: Set<Place> = []
    for chunk in chunks where !chunk.isDictionary {
      for (place, record) in chunk.records.enumerated() where record.isChanged && record.isEvent {
        places.insert(Place(lane: chunk.lane, sequence: chunk.firstSequence &+ UInt64(place)))
      }
    }
    return places
  }
}

extension Array<UInt8> {
  package func number<Value: FixedWidthInteger>(at offset: Int, as: Value.Type = Value.self) -> Value {
    withUnsafeBytes { Value(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Value.self)) }
  }

  /// Stores a number at an offset. Does nothing if the number would extend beyond the end.
  package mutating func put<Value: FixedWidthInteger>(_ value: Value, at offset: Int) {
    guard offset >= 0, offset + MemoryLayout<Value>.size <= count else { return }
    withUnsafeMutableBytes { $0.storeBytes(of: value.littleEndian, toByteOffset: offset, as: Value.self) }
  }
}
