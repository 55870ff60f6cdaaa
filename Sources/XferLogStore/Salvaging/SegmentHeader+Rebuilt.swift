import XferEvents

extension SegmentHeader {
  /// Repairs a header in which only one bit, or bytes that are always zero, are damaged.
  ///
  /// - Returns: `nil` if more than that is damaged.
  static func restored(of file: UnsafeRawBufferPointer) -> SegmentHeader? {
    guard file.count >= SegmentFormat.headerSize else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: SegmentFormat.headerSize, alignment: 8) { bytes in
      bytes.copyMemory(from: .init(rebasing: file[..<SegmentFormat.headerSize]))
      func decoded() -> SegmentHeader? { try? decode(.init(bytes)).get() }
      // All bytes after the last field are zero. If the length fields that locate the last field are damaged, no byte is known to
      // be zero.
      let used = encodedCount(.init(bytes), limit: fixedSize - 4) ?? fixedSize - 4
      for place in used..<fixedSize - 4 { bytes[place] = 0 }
      if let header = decoded() { return header }
      for bit in 0..<used * 8 {
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        if let header = decoded() { return header }
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      }
      return nil
    }
  }

  /// Reconstructs a header from the chunks of a segment that has lost its header and all copies.
  ///
  /// The result is sufficient to read the records, but the identity of the writer is lost.
  ///
  /// - Parameter file: The file, loaded into memory.
  /// - Returns: `nil` if too few chunk headers agree on the nonce; see `commonest`.
  static func rebuilt(of file: SegmentBytes, number: UInt32) -> SegmentHeader? {
    let (slots, blocks) = (slotHeaders(in: file.memory), blockHeaders(in: file))
    guard let nonce = commonest(slots.map(\.nonce) + blocks.map(\.nonce)) else { return nil }
    let isSealed = blocks.contains { $0.nonce == nonce }
    let clocks = (isSealed ? blocks : slots).first { $0.nonce == nonce }?.clocks ?? .init(monotonic: 0, boottime: 0, wall: 0)
    let capacity = (file.count - SegmentFormat.headerSize + SegmentFormat.chunkSize - 1) / SegmentFormat.chunkSize
    return SegmentHeader(
      incompatible: isSealed ? [.compressed] : [], nonce: UInt64(nonce), number: number, previous: 0,
      boot: BootID(high: 0, low: 0), launch: LaunchID(high: 0, low: UInt64(nonce)), clocks: clocks, pid: 0, processStart: 0,
      processNamespace: 0, role: .app, captureMode: .hashed, lowestLevel: .default, vocabularyVersion: 0, vocabularyDigest: 0,
      chunkCapacity: UInt32(isSealed ? SegmentFormat.maximumChunks : min(capacity, SegmentFormat.maximumChunks)),
      executable: "", toolVersion: "")
  }

  private typealias Vote = (nonce: UInt32, clocks: ClockReading)

  private static func slotHeaders(in file: UnsafeRawBufferPointer) -> [Vote] {
    guard file.count >= SegmentFormat.fileSize(chunks: 1), let base = file.baseAddress else { return [] }
    return (0..<(file.count - SegmentFormat.headerSize) / SegmentFormat.chunkSize).flatMap { slot in
      let start = SegmentFormat.chunkOffset(slot)
      return [start, start + SegmentFormat.recordsEnd(span: 1)].compactMap { place -> Vote? in
        guard let nonce = ChunkHeader.foldedNonce(of: base + place, index: UInt32(slot)) else { return nil }
        return ChunkHeader.decode(base + place, index: UInt32(slot), nonce: UInt64(nonce)).map { (nonce, $0.clocks) }
      }
    }
  }

  private static func blockHeaders(in file: SegmentBytes) -> [Vote] {
    // Limit the bytes that are verified, because a forged file may consist only of headers.
    var rest = 4 * file.count
    return stride(
      from: SegmentFormat.headerSize, to: max(SegmentFormat.headerSize, file.count - BlockHeader.size), by: BlockHeader.alignment
    )
    .flatMap { offset -> [Vote] in
      let here = UnsafeRawBufferPointer(rebasing: file.memory[offset...])
      guard let nonce = BlockHeader.foldedNonce(of: here), let block = BlockHeader.decode(here, nonce: UInt64(nonce)) else {
        return []
      }
      // A block whose stored bytes match their checksum counts twice, so that a single such block suffices to determine the
      // nonce.
      rest -= Int(block.storedSize)
      let votes = rest < 0 || block.stored(at: UInt64(offset), in: file) == nil ? 1 : 2
      return Array(repeating: (nonce, block.chunk.clocks), count: votes)
    }
  }

  /// Returns the most frequent nonce that occurs at least twice. A damaged header yields a nonce that no other header has.
  private static func commonest(_ nonces: [UInt32]) -> UInt32? {
    let counts = Dictionary(grouping: nonces) { $0 }.mapValues(\.count)
    return counts.filter { $0.value > 1 }.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
  }
}
