import CXferPlatform
import XferEvents

/// What the numbers in a segment stand for: recurring strings, tasks and the layouts of its events.
///
/// A definition is committed before its number is given out, so whatever survives a kill can be read. Lanes ask once
/// for each value and remember the answer.
final class SegmentDictionary: SymbolDictionary, Sendable {
  private let segment: SegmentWriter
  private let clock: LogClock
  private let state = Monitor(State())

  private struct State: ~Copyable {
    var chunk: SegmentWriter.Chunk?
    var offset = 0
    var nextSequence: UInt64 = 0
    var strings: [StringKey: Stored] = [:]
    var tasks: [TaskIdentity: UInt32] = [:]
    var layouts: Set<UInt16> = []
    var isFull = false
    /// Of the chunk being written.
    var recordSeed: UInt32 = 0
  }

  /// Recurring strings are names; what is longer than this is cut and ends in an ellipsis.
  static let symbolLimit = 1024

  /// A text as a writer would store it. A file may have a longer one, which each of many small records could repeat.
  static func shortened(_ text: String) -> String {
    guard text.utf8.count > symbolLimit else { return text }
    var text = text
    return text.withUTF8 { String(decoding: StringKey(.init($0), limit: symbolLimit).bytes, as: UTF8.self) }
  }

  init(segment: SegmentWriter, clock: LogClock) {
    self.segment = segment
    self.clock = clock
  }

  deinit {
    state.withLock { state in
      if let chunk = state.chunk { segment.release(chunk) }
      if segment.appends {
        for stored in state.strings.values { stored.bytes.deallocate() }
      }
    }
  }

  func define(string: UnsafeRawBufferPointer) -> (symbol: UInt32, stored: UnsafeRawBufferPointer)? {
    state.withLock { state -> Stored? in
      let key = StringKey(string, limit: Self.symbolLimit)
      if let known = state.strings[key] { return known }
      let symbol = UInt32(state.strings.count + 1)
      guard
        let bytes = append(
          RecordFormat.stringDefined, count: 6 + key.bytes.count, to: &state,
          { payload in
            payload.storeBytes(of: symbol.littleEndian, as: UInt32.self)
            payload.storeBytes(of: UInt16(key.bytes.count).littleEndian, toByteOffset: 4, as: UInt16.self)
            UnsafeMutableRawBufferPointer(rebasing: payload[6...]).copyBytes(from: key.bytes)
          })
      else { return nil }
      let inRecord = UnsafeRawBufferPointer(rebasing: bytes[6..<6 + key.bytes.count])
      // Appended chunks are freed when they are full; the lanes compare with these bytes for as long as the segment.
      let stored = Stored(symbol: symbol, bytes: segment.appends ? Self.copy(inRecord) : inRecord)
      state.strings[key] = stored
      return stored
    }.map { ($0.symbol, $0.bytes) }
  }

  func define(task: TaskIdentity) -> UInt32? {
    var session = task.session
    guard let (sessionSymbol, _) = session.withUTF8({ define(string: .init($0)) }) else { return nil }
    return state.withLock { state in
      if let symbol = state.tasks[task] { return symbol }
      let symbol = UInt32(state.tasks.count + 1)
      let written = append(RecordFormat.taskDefined, count: 28, to: &state) { payload in
        payload.storeBytes(of: symbol.littleEndian, as: UInt32.self)
        payload.storeBytes(of: task.uid.high.littleEndian, toByteOffset: 4, as: UInt64.self)
        payload.storeBytes(of: task.uid.low.littleEndian, toByteOffset: 12, as: UInt64.self)
        payload.storeBytes(of: sessionSymbol.littleEndian, toByteOffset: 20, as: UInt32.self)
        payload.storeBytes(of: task.number.littleEndian, toByteOffset: 24, as: UInt32.self)
      }
      guard written != nil else { return nil }
      state.tasks[task] = symbol
      return symbol
    }
  }

  /// - Returns: whether the layout is in the segment.
  func define(layout: EventLayout) -> Bool {
    state.withLock { state in
      if state.layouts.contains(layout.number) { return true }
      let bytes = layout.definitionBytes()
      let written = append(RecordFormat.layoutDefined, count: bytes.count, to: &state) { $0.copyBytes(from: bytes) }
      guard written != nil else { return false }
      state.layouts.insert(layout.number)
      return true
    }
  }

  /// A string's number and its bytes, which stay where they are: in the mapping or in a copy.
  private struct Stored {
    let symbol: UInt32
    let bytes: UnsafeRawBufferPointer
  }

  private static func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    copy.copyMemory(from: bytes)
    return UnsafeRawBufferPointer(copy)
  }

  /// Writes one record in the dictionary's lane. Runs under the lock.
  ///
  /// - Returns: the payload where it stays, or `nil` when the segment has no room.
  private func append(
    _ kind: UInt16, count: Int, to state: inout State, _ fill: (UnsafeMutableRawBufferPointer) -> Void
  ) -> UnsafeRawBufferPointer? {
    let length = (RecordFormat.payload + count + RecordFormat.alignment - 1) & ~(RecordFormat.alignment - 1)
    precondition(length <= SegmentFormat.recordsEnd(span: 1) - ChunkHeader.size, "a definition fits a chunk")
    if state.chunk.map({ state.offset + length > $0.recordsEnd }) ?? true {
      guard nextChunk(&state), copyHeader(to: &state) else { return nil }
    }
    return write(kind, length: length, to: &state, fill)
  }

  /// Every chunk begins with the segment's header, for a reader that finds that damaged.
  private func copyHeader(to state: inout State) -> Bool {
    segment.withHeaderBytes { header in
      let length = (RecordFormat.payload + header.count + RecordFormat.alignment - 1) & ~(RecordFormat.alignment - 1)
      return write(RecordFormat.headerCopied, length: length, to: &state) { $0.copyBytes(from: header) } != nil
    }
  }

  private func write(
    _ kind: UInt16, length: Int, to state: inout State, _ fill: (UnsafeMutableRawBufferPointer) -> Void
  ) -> UnsafeRawBufferPointer? {
    guard let chunk = state.chunk else { return nil }
    let record = chunk.base + state.offset
    let payload = UnsafeMutableRawBufferPointer(start: record + RecordFormat.payload, count: length - RecordFormat.payload)
    fill(payload)
    record.storeBytes(
      of: (UInt64(kind) << RecordFormat.timeBits).littleEndian, toByteOffset: RecordFormat.timeAndKind, as: UInt64.self)
    commitRecord(at: record, length: length, sequence: state.nextSequence, seed: state.recordSeed)
    if segment.persist(chunk, from: state.offset, count: length) != nil {
      xp_store_release_32(record, 0)
      return nil
    }
    state.offset += length
    state.nextSequence += 1
    return UnsafeRawBufferPointer(payload)
  }

  private func nextChunk(_ state: inout State) -> Bool {
    if state.isFull { return false }
    if let chunk = state.chunk {
      endChunk(chunk, at: state.offset, in: segment)
      segment.release(chunk)
      state.chunk = nil
    }
    guard let chunk = segment.claim() else {
      state.isFull = true
      return false
    }
    let header = ChunkHeader(
      kind: .dictionary, index: UInt32(chunk.index), lane: ChunkHeader.dictionaryLane, thread: xp_thread_id(),
      firstSequence: state.nextSequence, clocks: clock.read(), span: 1, nonce: segment.header.nonce)
    header.write(to: chunk.base)
    state.recordSeed = header.recordSeed
    guard segment.persist(chunk, from: 0, count: ChunkHeader.size) == nil else {
      segment.release(chunk)
      return false
    }
    state.chunk = chunk
    state.offset = ChunkHeader.size
    return true
  }
}

/// The bytes of a recurring string, cut to what is stored.
private struct StringKey: Hashable {
  let bytes: [UInt8]

  init(_ string: UnsafeRawBufferPointer, limit: Int) {
    guard string.count > limit else {
      bytes = Array(string)
      return
    }
    bytes = Array(TextForm.cut(string.bindMemory(to: UInt8.self), to: limit - 3)) + Array("…".utf8)
  }
}

/// Checksum first, then the commit word with release order: whoever sees the word sees the record.
@inline(__always)
func commitRecord(at record: UnsafeMutableRawPointer, length: Int, sequence: UInt64, seed: UInt32) {
  let word = RecordFormat.commitWord(length: length, sequence: sequence)
  let checksum = xp_crc32c(word ^ seed, record + RecordFormat.timeAndKind, length - RecordFormat.timeAndKind)
  record.storeBytes(of: checksum.littleEndian, toByteOffset: RecordFormat.checksum, as: UInt32.self)
  xp_store_release_32(record, word.littleEndian)
}

/// Says that the lane goes on in another chunk, where there is room to say it.
func endChunk(_ chunk: SegmentWriter.Chunk, at offset: Int, in segment: SegmentWriter) {
  if offset + 4 <= chunk.recordsEnd {
    xp_store_release_32(chunk.base + offset, RecordFormat.endOfChunk)
    _ = segment.persist(chunk, from: offset, count: 4)
  }
  // Where the file grows with its records, the header's copy comes last.
  _ = segment.persist(chunk, from: chunk.recordsEnd, count: ChunkHeader.size)
}
