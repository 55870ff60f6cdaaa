import CXferPlatform

/// Finds records and chunk headers anywhere in a byte range, without relying on the surrounding structure.
///
/// The seed of a checksum can be computed from the bytes and the checksum, and the seed identifies the record's chunk.
/// Arbitrary bytes are mistaken for a record with a probability of the number of chunks divided by 2³².
struct RecordCarver {
  /// A record or header that was found, and its byte range.
  struct Find {
    enum Thing {
      case header(ChunkHeader)
      /// A record whose sequence contains only the low 16 bits of its position.
      case record(RecordWalker.Record, chunk: UInt32, isLarge: Bool)
    }

    let thing: Thing
    let bytes: Range<Int>
  }

  private let nonce: UInt64
  private let foldedNonce: UInt32
  private let chunkLimit: UInt32

  /// - Parameters:
  ///   - nonce: The segment's nonce.
  ///   - chunkLimit: The exclusive upper bound of chunk indexes.
  init(nonce: UInt64, chunkLimit: UInt32) {
    self.nonce = nonce
    foldedNonce = Checksum.folded(nonce)
    self.chunkLimit = chunkLimit
  }

  /// Returns all records and headers in order of their offsets, without overlaps.
  func carve(_ bytes: UnsafeRawBufferPointer, from start: Int = 0) -> [Find] {
    var finds: [Find] = []
    var offset = start
    while offset + RecordFormat.payload <= bytes.count {
      let word = load(bytes, offset)
      if word == 0 {
        guard let next = bytes.nextUsedUnit(after: offset, size: RecordFormat.alignment) else { break }
        offset = next
      } else if let find = find(word, at: offset, in: bytes) {
        finds.append(find)
        offset = find.bytes.upperBound
      } else {
        offset += RecordFormat.alignment
      }
    }
    return finds
  }

  @inline(__always)
  private func load(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
    UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  private func find(_ word: UInt32, at offset: Int, in bytes: UnsafeRawBufferPointer) -> Find? {
    if word == ChunkHeader.magic {
      guard offset + ChunkHeader.size <= bytes.count,
        let header = ChunkHeader.decode(bytes.baseAddress! + offset, index: nil, nonce: nonce), header.index < chunkLimit
      else { return nil }
      return Find(thing: .header(header), bytes: offset..<offset + ChunkHeader.size)
    }
    return plain(word, at: offset, in: bytes) ?? large(word, at: offset, in: bytes)
  }

  private func plain(_ word: UInt32, at offset: Int, in bytes: UnsafeRawBufferPointer) -> Find? {
    let length = Int(word & 0xFFFF) * RecordFormat.alignment
    guard length <= Self.largestPlain else { return nil }
    return record(word, at: offset, length: length, header: RecordFormat.payload, isLarge: false, in: bytes)
  }

  /// The maximum size in bytes of a record that fits into one chunk.
  private static let largestPlain = SegmentFormat.recordsEnd(span: 1) - ChunkHeader.size

  private func large(_ word: UInt32, at offset: Int, in bytes: UnsafeRawBufferPointer) -> Find? {
    guard offset + RecordFormat.largePayload <= bytes.count else { return nil }
    let length = Int(load(bytes, offset + RecordFormat.largeLength))
    guard length > Self.largestPlain / 2, length <= SegmentFormat.largestBlock,
      RecordFormat.commitWord(length: length, sequence: 0) == word & 0xFFFF
    else { return nil }
    return record(word, at: offset, length: length, header: RecordFormat.largePayload, isLarge: true, in: bytes)
  }

  private func record(
    _ word: UInt32, at offset: Int, length: Int, header: Int, isLarge: Bool, in bytes: UnsafeRawBufferPointer
  ) -> Find? {
    guard length >= header, length <= bytes.count - offset else { return nil }
    let timeAndKind = UInt64(
      littleEndian: bytes.loadUnaligned(fromByteOffset: offset + RecordFormat.timeAndKind, as: UInt64.self))
    let kind = UInt16(truncatingIfNeeded: timeAndKind >> RecordFormat.timeBits)
    guard kind < Self.kindLimit || RecordFormat.firstInternalKind...RecordFormat.lastWritten ~= kind else { return nil }
    let seed = Checksum.seed(
      of: load(bytes, offset + RecordFormat.checksum),
      over: .init(rebasing: bytes[offset + RecordFormat.timeAndKind..<offset + length]))
    let chunk = ChunkHeader.index(ofRecordSeed: seed ^ word, foldedNonce: foldedNonce)
    guard chunk < chunkLimit else { return nil }
    let record = RecordWalker.Record(
      kind: kind, time: Int64(timeAndKind & RecordFormat.timeMask), sequence: UInt64(word >> 16),
      payload: .init(rebasing: bytes[offset + header..<offset + length]))
    return Find(thing: .record(record, chunk: chunk, isLarge: isLarge), bytes: offset..<offset + length)
  }

  /// The exclusive upper bound of accepted event numbers. It leaves ample room for events of newer vocabularies.
  private static let kindLimit: UInt16 = 4096
}
