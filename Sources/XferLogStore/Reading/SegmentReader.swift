import CXferPlatform
import XferEvents

/// One segment as it is read: its header, which chunk is whose, and what its numbers stand for.
final class SegmentReader {
  let number: UInt32
  let path: String
  let name: String
  let header: SegmentHeader
  let source: RecordSource
  private let file: SegmentBytes

  /// Chunk slots looked at so far, and those below that were still empty.
  private var scanned = 0
  private var unresolved: [Int] = []
  private var dictionary: [DictionaryChunk] = []
  /// Chunks of lanes that were found while looking for definitions.
  private var pendingChunks: [ChunkHeader] = []
  private(set) var damagedChunks: [Int] = []
  /// Bytes of dictionary records that cannot be right.
  private(set) var damagedDefinitions: [Range<UInt64>] = []

  private struct DictionaryChunk {
    let index: Int
    var sequence: UInt64
    var offset = ChunkHeader.size
    var isFinished = false
  }

  init(number: UInt32, path: String, name: String, index: Int) throws(LogError) {
    self.number = number
    self.path = path
    self.name = name
    do throws(SystemError) {
      file = try SegmentBytes(path: path)
    } catch {
      throw LogError(
        .cannotOpen, place: path, problem: "the segment cannot be read (\(systemText(error.number)))",
        advice: "Check that it is a file and that you may read it.", osError: error.number)
    }
    switch SegmentHeader.decode(file.bytes) {
    case .success(let header): self.header = header
    case .failure(let failure): throw failure.error(at: path)
    }
    let writer = WriterContext(
      launch: header.launch, boot: header.boot, pid: Int(Int32(bitPattern: header.pid)), role: header.role,
      executable: header.executable, captureMode: header.captureMode, lowestLevel: header.lowestLevel)
    source = RecordSource(
      number: number, name: name, writer: writer, index: index, bytes: file,
      hasKnownLayouts: header.vocabularyVersion == Vocabulary.version)
    // A definition is committed before its number is used, so one that is missing is in the file by now.
    source.refresh = { [unowned self] in refreshDictionary() }
  }

  // MARK: What the file has

  /// Whether its writer said that it would write no more.
  var isFinished: Bool {
    let state = file.bytes.loadUnaligned(fromByteOffset: SegmentHeader.state, as: UInt32.self)
    return UInt32(littleEndian: state) != SegmentFormat.State.open.rawValue
  }

  /// Whether the file ends before the chunks that its writer says it used: it was cut.
  var isTruncated: Bool {
    guard isFinished else {
      // Reserved space is cut only by its writer; a file that grows has any length.
      return !header.compatible.contains(.appended)
        && file.bytes.count < SegmentFormat.fileSize(chunks: Int(header.chunkCapacity))
    }
    let used = file.bytes.loadUnaligned(fromByteOffset: SegmentHeader.usedChunks, as: UInt32.self)
    let needed = SegmentFormat.chunkOffset(max(0, Int(UInt32(littleEndian: used)) - 1)) + ChunkHeader.size
    return used != 0
      && file.bytes.count < (header.compatible.contains(.appended) ? needed : SegmentFormat.fileSize(chunks: Int(used)))
  }

  var size: Int { file.bytes.count }

  /// The bytes of a chunk as far as the file has them.
  func chunk(_ index: Int, span: Int = 1) -> UnsafeRawBufferPointer {
    let start = SegmentFormat.chunkOffset(index)
    let end = min(start + span * SegmentFormat.chunkSize, file.bytes.count)
    return start < end ? UnsafeRawBufferPointer(rebasing: file.bytes[start..<end]) : .init(start: nil, count: 0)
  }

  /// Looks for chunks that were begun since the last look.
  ///
  /// - Parameter everything: look at all slots of the file; otherwise only at those that the writer says it claimed.
  func newChunks(everything: Bool) -> [ChunkHeader] {
    let pending = pendingChunks
    pendingChunks = []
    return pending + scan(everything: everything)
  }

  private func scan(everything: Bool) -> [ChunkHeader] {
    try? file.refresh()
    let present = max(0, file.bytes.count - SegmentFormat.headerSize + SegmentFormat.chunkSize - 1) / SegmentFormat.chunkSize
    let slots = min(present, Int(header.chunkCapacity))
    let claimed = Int(UInt32(littleEndian: xp_load_acquire_32(file.bytes.baseAddress! + SegmentHeader.claimedChunks)))
    var found: [ChunkHeader] = []
    var candidates = unresolved
    unresolved = []
    let end = everything ? slots : min(slots, claimed)
    if scanned < end { candidates.append(contentsOf: scanned..<end) }
    var covered = 0
    for index in candidates where index >= covered {
      let bytes = chunk(index)
      guard bytes.count >= ChunkHeader.size + 4, let base = bytes.baseAddress else {
        unresolved.append(index)
        continue
      }
      switch ChunkHeader.read(base, index: UInt32(index), nonce: header.nonce) {
      case .empty: unresolved.append(index)
      case .damaged: damagedChunks.append(index)
      case .header(let chunk):
        covered = index + Int(chunk.span)
        if chunk.kind == .dictionary {
          dictionary.append(.init(index: index, sequence: chunk.firstSequence))
        } else {
          found.append(chunk)
        }
      }
    }
    scanned = max(scanned, end, covered)
    return found
  }

  // MARK: Definitions

  /// Reads the definitions that were written since the last time.
  func refreshDictionary() {
    pendingChunks.append(contentsOf: scan(everything: false))
    for place in dictionary.indices where !dictionary[place].isFinished { read(&dictionary[place]) }
  }

  private func read(_ entry: inout DictionaryChunk) {
    let bytes = chunk(entry.index)
    var walker = RecordWalker(chunk: bytes, offset: entry.offset, sequence: entry.sequence)
    let fileOffset = UInt64(SegmentFormat.chunkOffset(entry.index))
    loop: while true {
      switch walker.next(isFinal: false) {
      case .record(let record): define(record)
      case .damage(let range, _):
        damagedDefinitions.append(fileOffset + UInt64(range.lowerBound)..<fileOffset + UInt64(range.upperBound))
      case .endOfChunk:
        entry.isFinished = true
        break loop
      case .notYet: break loop
      }
    }
    entry.offset = walker.offset
    entry.sequence = walker.sequence
  }

  private func define(_ record: RecordWalker.Record) {
    var reader = FixedReader(record.payload)
    switch record.kind {
    case RecordFormat.stringDefined:
      let symbol = reader.take(UInt32.self)
      guard let text = reader.takeString() else { return }
      source.define(string: text, as: symbol)
    case RecordFormat.taskDefined:
      let (symbol, high, low) = (reader.take(UInt32.self), reader.take(UInt64.self), reader.take(UInt64.self))
      let (session, number) = (reader.take(UInt32.self), reader.take(UInt32.self))
      guard !reader.failed else { return }
      let uid = TaskUID(high: high, low: low)
      source.define(task: TaskIdentity(uid: uid, session: source.string(session) ?? "?", number: number), as: symbol)
    case RecordFormat.layoutDefined:
      guard let layout = EventLayout.decode(definition: record.payload) else { return }
      // An equal layout keeps the compiled one, which rules and accessors were built for.
      if let known = source.layout(layout.number), known.fields == layout.fields, known.name == layout.name { return }
      source.define(layout: layout)
    default: return
    }
  }
}

extension SegmentHeader.Failure {
  func error(at path: String) -> LogError {
    switch problem {
    case .unfinished:
      LogError(
        .notALog, place: path, problem: "the segment has no header: its writer ended before it wrote anything",
        advice: "Nothing was lost; the file may be removed.")
    case .notASegment:
      LogError(
        .notALog, place: path, problem: "this is not a segment of an xferlog log: its first bytes are not the format's",
        advice: "Name a .xlog directory or one of its .seg files.")
    case .checksum(let stored, let computed):
      LogError(
        .damagedHeader, place: path,
        problem: "the header's checksum is \(String(stored, radix: 16)) but its bytes give \(String(computed, radix: 16))",
        advice: "Leave the segment out, or restore it from a copy.")
    case .version(let version):
      LogError(
        .unknownVersion, place: path,
        problem: "the segment has format version \(version), this reader knows \(SegmentFormat.version)",
        advice: "Read it with a newer xferlog.")
    case .unknownFeature(let bits):
      LogError(
        .unknownFeature, place: path,
        problem: "the segment needs features that this reader lacks (flags \(String(bits, radix: 16)))",
        advice: "Read it with a newer xferlog.")
    case .unreadable:
      LogError(
        .damagedHeader, place: path, problem: "the header's fields do not fit together",
        advice: "Leave the segment out, or restore it from a copy.")
    }
  }
}
