import CXferPlatform
import XferEvents
import XferThreads

/// Assigns numbers to the recurring strings, tasks and event layouts of one segment and writes their definitions.
///
/// A definition is committed before its number is used, so every surviving record can be decoded after a kill. Lanes query
/// each value once and cache the number.
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
    /// The record seed of the chunk being written.
    var recordSeed: UInt32 = 0
  }

  /// The maximum size of a recurring string in bytes. A longer string is truncated and ends in an ellipsis.
  static let symbolLimit = 1024

  /// Returns the text truncated as a writer would store it. Without this limit, a damaged file could define a long text and
  /// repeat it in many small records.
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
      // The chunks of an appended file are freed when full, but lanes compare against these bytes during the segment's
      // lifetime.
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

  /// Defines an event layout.
  ///
  /// - Returns: Whether the segment contains the layout.
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

  /// A string's number and its bytes, whose address is stable: they are in the mapping or in a copy.
  private struct Stored {
    let symbol: UInt32
    let bytes: UnsafeRawBufferPointer
  }

  private static func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    copy.copyMemory(from: bytes)
    return UnsafeRawBufferPointer(copy)
  }

  /// Appends one record to the dictionary's lane. The caller holds the lock.
  ///
  /// - Returns: The record's payload at its stable address, or `nil` if the segment has no room.
  private func append(
    _ kind: UInt16, count: Int, to state: inout State, _ fill: (UnsafeMutableRawBufferPointer) -> Void
  ) -> UnsafeRawBufferPointer? {
    let length = (RecordFormat.payload + count + RecordFormat.alignment - 1) & ~(RecordFormat.alignment - 1)
    precondition(length <= SegmentFormat.recordsEnd(span: 1) - ChunkHeader.size, "a definition must fit into a chunk")
    if state.chunk.map({ state.offset + length > $0.recordsEnd }) ?? true {
      guard nextChunk(&state) else { return nil }
    }
    if state.offset == ChunkHeader.size {
      guard copyHeader(to: &state) else { return nil }
    }
    return write(kind, length: length, to: &state, fill)
  }

  /// Writes a copy of the segment's header, which begins every dictionary chunk, for readers that find the header damaged.
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
    // Stored after the record; see `ChunkHeader.markOffset`.
    xp_store_release_32(
      chunk.base + chunk.recordsEnd + ChunkHeader.markOffset, UInt32(truncatingIfNeeded: state.nextSequence).littleEndian)
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
    state.recordSeed = header.recordSeed
    guard segment.begin(chunk, with: header) == nil else {
      segment.release(chunk)
      return false
    }
    state.chunk = chunk
    state.offset = ChunkHeader.size
    return true
  }
}

/// The bytes of a recurring string, truncated to the stored length.
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

/// Commits a record: stores the checksum, then the commit word with release ordering, so that a reader that sees the word
/// sees the whole record.
@inline(__always)
func commitRecord(at record: UnsafeMutableRawPointer, length: Int, sequence: UInt64, seed: UInt32) {
  let word = RecordFormat.commitWord(length: length, sequence: sequence)
  let checksum = xp_crc32c(word ^ seed, record + RecordFormat.timeAndKind, length - RecordFormat.timeAndKind)
  record.storeBytes(of: checksum.littleEndian, toByteOffset: RecordFormat.checksum, as: UInt32.self)
  xp_store_release_32(record, word.littleEndian)
}

/// Marks the end of a chunk whose lane continues in another chunk, if there is room for the mark.
func endChunk(_ chunk: SegmentWriter.Chunk, at offset: Int, in segment: SegmentWriter) {
  if offset + 4 <= chunk.recordsEnd {
    xp_store_release_32(chunk.base + offset, RecordFormat.endOfChunk)
    _ = segment.persist(chunk, from: offset, count: 4)
  }
  // In an appended file, the second copy of the chunk header, which follows the records, is written only now.
  _ = segment.persist(chunk, from: chunk.recordsEnd, count: ChunkHeader.size)
}
