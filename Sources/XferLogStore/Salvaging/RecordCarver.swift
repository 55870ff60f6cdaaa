import CXferPlatform

/// Finds records and headers of chunks by nothing but their bytes, wherever they stand.
///
/// A record's bytes and its checksum give back the seed that the checksum was begun with. That seed names the record's chunk: of
/// other bytes it does so once in 2³² divided by the number of chunks.
struct RecordCarver {
  /// One thing that was found, and the bytes that it takes.
  struct Find {
    enum Thing {
      case header(ChunkHeader)
      /// Its sequence is the lower half of a position only.
      case record(RecordWalker.Record, chunk: UInt32, isLarge: Bool)
    }

    let thing: Thing
    let bytes: Range<Int>
  }

  private let nonce: UInt64
  private let foldedNonce: UInt32
  private let chunkLimit: UInt32

  /// - Parameter chunkLimit: numbers of chunks are below it.
  init(nonce: UInt64, chunkLimit: UInt32) {
    self.nonce = nonce
    foldedNonce = Checksum.folded(nonce)
    self.chunkLimit = chunkLimit
  }

  /// All that stands in the bytes, in their order; none overlaps another.
  func carve(_ bytes: UnsafeRawBufferPointer, from start: Int = 0) -> [Find] {
    var finds: [Find] = []
    var offset = start
    while offset + RecordFormat.payload <= bytes.count {
      let word = load(bytes, offset)
      if word != 0, let find = find(word, at: offset, in: bytes) {
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

  /// What a chunk has room for.
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

  /// Events of newer vocabularies have larger numbers, but none as large as this for long.
  private static let kindLimit: UInt16 = 4096
}
