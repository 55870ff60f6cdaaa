import XferEvents

// What a segment loses where it is truncated or a chunk is unreadable: whether anything, and since when.
extension SegmentReader {
  /// Whether a truncated file lacks bytes of chunks that were in use. A writer reserves more chunks than it uses.
  var lacksUsedChunks: Bool {
    if sealed != nil || isAppended { return true }
    if file.fileSize >= UInt64(SegmentFormat.fileSize(chunks: slots.used)) { return false }
    // Definitions that are missing after the cut matter only if an event uses them.
    let cut = chunkAtCut
    guard slots.used == cut + 1, slots.ownHeader(of: cut)?.kind == .dictionary else { return true }
    return needsLostDefinitions
  }

  /// Whether the file ends before the end of a chunk.
  func isCut(_ chunk: ChunkHeader) -> Bool {
    sealed == nil && isTruncated && SegmentFormat.chunkOffset(Int(chunk.index)) + chunk.copyOffset + ChunkHeader.size > file.count
  }

  /// The slot of the chunk in which the file ends.
  private var chunkAtCut: Int {
    Int(max(0, Int64(file.count) - Int64(SegmentFormat.headerSize))) / SegmentFormat.chunkSize
  }

  /// A time that all records follow that were lost with the end of the file.
  var clocksAtCut: ClockReading {
    if let sealed {
      let last = sealed.entries.last { $0.block.form != .unreadable }
      return last.map { slack($0.block.chunk.clocks) } ?? header.clocks
    }
    let cut = chunkAtCut
    // Only the last chunk is cut: its lost records follow its last whole one.
    if slots.used <= cut + 1, let chunk = slots.ownHeader(of: cut), chunk.kind == .records {
      return clocks(ofLastRecordIn: chunk)
    }
    return clocks(before: cut)
  }

  /// A time that all records of a chunk follow whose header cannot be read: chunks are begun in the order of their slots.
  func clocks(before slot: Int) -> ClockReading {
    lastChunk(before: slot).map { slack($0.clocks) } ?? header.clocks
  }

  /// A time that all records follow that were in sealed blocks which cannot be read, at an offset of the file.
  func clocks(beforeBlockAt offset: UInt64) -> ClockReading {
    let last = sealed?.entries.last { $0.block.form != .unreadable && $0.offset < offset }
    return last.map { slack($0.block.chunk.clocks) } ?? header.clocks
  }

  /// The last chunk before a slot whose header can be read; `nil` if there is none.
  func lastChunk(before slot: Int) -> ChunkHeader? {
    if let sealed { return sealed.entries.last { $0.block.form != .unreadable && $0.block.chunk.index < slot }?.block.chunk }
    for index in stride(from: slot - 1, through: 0, by: -1) {
      if let chunk = slots.validHeader(of: index) { return chunk }
    }
    return nil
  }

  /// Whether an event of the segment's file refers to a name or a task that the file does not define. Reads the file once more.
  func usesLostDefinitions() -> Bool {
    // The bytes of a segment that is salvaged while it is read are not those of its file.
    if places != nil || isSalvaged { return true }
    let reader = LogReader([.segment(path)])
    while let member = reader.nextOfLanes() {
      // Decoding the values looks up every name and task.
      if case .event(let event) = member { _ = event.values }
    }
    return reader.segments.first?.source.lacksDefinitions ?? true
  }

  private func clocks(ofLastRecordIn chunk: ChunkHeader) -> ClockReading {
    let window = slots.chunk(Int(chunk.index), span: Int(chunk.span))
    var walker = RecordWalker(window, header: chunk, isAppended: isAppended)
    var last: Int64 = 0
    while true {
      switch walker.next(isFinal: true) {
      case .record(let record): last = record.time
      case .damage: continue
      case .endOfChunk, .notYet: return chunk.clocks.advanced(by: last)
      }
    }
  }

  /// A thread claims its chunk a moment before it reads the clock, so the next chunk may have an earlier clock.
  private func slack(_ clocks: ClockReading) -> ClockReading {
    let earlier = clocks.advanced(by: -10_000_000)
    return earlier.monotonic > header.clocks.monotonic ? earlier : header.clocks
  }
}

extension ClockReading {
  /// Returns the reading a number of nanoseconds later.
  fileprivate func advanced(by time: Int64) -> ClockReading {
    ClockReading(
      monotonic: monotonic.addingClamped(time), boottime: boottime.addingClamped(time), wall: wall.addingClamped(time))
  }
}
