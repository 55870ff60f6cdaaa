extension SegmentSealer {
  /// Writes the recovered contents of the segment.
  ///
  /// Missing positions stay missing: each block states how many positions its chunk covered. Undecodable bytes are copied.
  ///
  /// - Returns: `false` if writing failed. The output is then unusable.
  mutating func seal(_ salvager: SegmentSalvager) -> Bool {
    guard put(header) else { return false }
    let chunks = salvager.chunks
    // A chunk may be split into several blocks, each of which needs its own index.
    var free = max(segment.slots.limit, (chunks.map(\.index).max() ?? 0) + 1)
    for chunk in chunks {
      for draft in drafts(of: chunk, free: &free) where !put(draft) { return false }
    }
    for page in salvager.pages where !put(block(of: page.header, page.bytes)) { return false }
    for page in salvager.sealedPages where !put(verbatim(page)) { return false }
    for rest in salvager.residues {
      let slot = ChunkHeader.placeholder(index: Int(rest.slot), nonce: segment.header.nonce)
      guard put(Draft(chunk: slot, form: .unreadable, bytes: rest.bytes)) else { return false }
    }
    return finish()
  }

  /// - Parameter free: The index for the next block of a chunk that is split.
  mutating func drafts(of chunk: SalvagedChunk, free: inout UInt32) -> [Draft] {
    guard var header = chunk.header else { return [] }
    if let whole = chunk.whole {
      return [verbatim(header, whole, chunk.records, positions: (chunk.end ?? header.firstSequence) &- header.firstSequence)]
    }
    switch header.kind {
    case .dictionary: return [columns(of: header, chunk.records)]
    case .large: if let record = chunk.records.first { return [image(of: header, record)] }
    case .records, .rings, .ringPage: break
    }
    let runs = chunk.runs
    var drafts: [Draft] = []
    func append(_ draft: Draft, upTo end: UInt64) {
      let positions = max(draft.positions, end &- draft.chunk.firstSequence)
      drafts.append(
        Draft(
          chunk: draft.chunk, form: draft.form, bytes: draft.bytes, positions: positions, content: draft.content,
          kinds: positions == draft.positions ? draft.kinds : KindSet()))
    }
    let first = runs.first?.first?.sequence
    if first != header.firstSequence { append(columns(of: header, []), upTo: first ?? max(chunk.end ?? 0, header.firstSequence)) }
    for (place, run) in runs.enumerated() {
      header.firstSequence = run[run.startIndex].sequence
      if !drafts.isEmpty {
        header.index = free
        free += 1
      }
      let behind = header.firstSequence + UInt64(run.count)
      let next = place + 1 < runs.count ? runs[place + 1].first?.sequence : chunk.end
      append(columns(of: header, run), upTo: max(behind, next ?? behind))
      for record in run where record.kind == RecordFormat.threadChanged && record.payload.count >= 4 {
        header.thread = UInt32(littleEndian: record.payload.loadUnaligned(as: UInt32.self))
      }
    }
    return drafts
  }

  private mutating func verbatim(_ page: (header: ChunkHeader, block: DecodedBlock)) -> Draft {
    var walker = ColumnWalker(page.block.bytes, firstSequence: page.header.firstSequence) ?? ColumnWalker()
    let records = walker.rest()
    return verbatim(page.header, page.block, records, positions: walker.sequence &- page.header.firstSequence)
  }

  /// Rebuilds the chunk of a large record as its writer would have written it.
  mutating func image(of header: ChunkHeader, _ record: RecordWalker.Record) -> Draft {
    let length = RecordFormat.largePayload + record.payload.count
    var header = header
    // The span in the header may be damaged, so compute it from the record's length.
    header.span = UInt32(SegmentFormat.span(ofLargeRecord: length))
    return withUnsafeTemporaryAllocation(byteCount: Int(header.span) * SegmentFormat.chunkSize, alignment: 8) { room in
      room.initializeMemory(as: UInt8.self, repeating: 0)
      header.write(to: room.baseAddress!)
      let place = room.baseAddress! + ChunkHeader.size
      (place + RecordFormat.largePayload).copyMemory(from: record.payload.baseAddress!, byteCount: record.payload.count)
      place.storeBytes(of: UInt32(length).littleEndian, toByteOffset: RecordFormat.largeLength, as: UInt32.self)
      let timeAndKind = UInt64(record.kind) << RecordFormat.timeBits | UInt64(bitPattern: record.time) & RecordFormat.timeMask
      place.storeBytes(of: timeAndKind.littleEndian, toByteOffset: RecordFormat.timeAndKind, as: UInt64.self)
      commitRecord(at: place, length: length, sequence: record.sequence, seed: header.recordSeed)
      return image(of: header, .init(rebasing: room[..<header.copyOffset]))
    }
  }
}
