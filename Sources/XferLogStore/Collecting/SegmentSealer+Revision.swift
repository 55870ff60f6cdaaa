extension SegmentSealer {
  /// Writes the recoverable contents of the segment with revised records.
  ///
  /// Bytes that cannot be decoded may contain private values, so zeros take their place.
  ///
  /// - Returns: `false` if writing failed. The output is then unusable.
  mutating func seal(_ salvager: SegmentSalvager, revising revision: RecordRevision) -> Bool {
    guard put(header) else { return false }
    let chunks = salvager.chunks
    var free = max(segment.slots.limit, (chunks.map(\.index).max() ?? 0) + 1)
    for chunk in chunks {
      for draft in drafts(of: chunk, revising: revision, free: &free) where !put(draft) { return false }
    }
    for page in salvager.pages {
      var walker = RecordWalker(chunk: page.bytes, header: page.header, isAppended: segment.isAppended)
      var records: [RecordWalker.Record] = []
      loop: while true {
        switch walker.next(isFinal: true) {
        case .record(let record): records.append(record)
        // The records behind damage have no contiguous positions.
        case .damage, .endOfChunk, .notYet: break loop
        }
      }
      guard put(records, ofPage: page.header, revising: revision) else { return false }
    }
    for page in salvager.sealedPages {
      var walker = page.block.walker(at: page.header) ?? ColumnWalker()
      guard put(walker.rest(), ofPage: page.header, revising: revision) else { return false }
    }
    for rest in salvager.residues {
      let slot = ChunkHeader.placeholder(index: Int(rest.slot), nonce: segment.header.nonce)
      let zeros = [UInt8](repeating: 0, count: rest.bytes.count)
      guard put(Draft(chunk: slot, form: .unreadable, bytes: zeros)) else { return false }
    }
    return finish()
  }

  /// Writes a page of detail events, all of them or none.
  private mutating func put(
    _ records: [RecordWalker.Record], ofPage header: ChunkHeader, revising revision: RecordRevision
  ) -> Bool {
    guard revision.selects(header.lane, records.lazy.map(\.sequence)) else { return true }
    let revised = revision.revised(records, lane: header.lane, page: page, isWhole: true)
    // Without one of its records, the positions of a page would be wrong.
    return revised.count < records.count || put(columns(of: header, revised))
  }

  private mutating func drafts(
    of chunk: SalvagedChunk, revising revision: RecordRevision, free: inout UInt32
  ) -> [Draft] {
    guard var header = chunk.header, header.kind != .dictionary else { return drafts(of: chunk, free: &free) }
    let records = revision.revised(chunk.records, lane: header.lane, page: page)
    if header.kind == .large {
      guard let record = records.first else { return [] }
      // A masked record may fit into an ordinary chunk.
      if record.payload.count >= SegmentFormat.chunkSize { return [image(of: header, record)] }
      (header.kind, header.span) = (.records, 1)
      return [columns(of: header, records)]
    }
    if chunk.whole != nil, records.count == chunk.records.count {
      return [columns(of: header, records, end: chunk.end ?? header.firstSequence)]
    }
    var revised = SalvagedChunk(index: chunk.index)
    (revised.header, revised.end) = (header, chunk.end)
    revised.add(records)
    if records.isEmpty, !chunk.records.isEmpty, chunk.end == nil {
      revised.end = chunk.records.last.map { $0.sequence &+ 1 }
    }
    return drafts(of: revised, free: &free)
  }
}

extension DecodedBlock {
  /// Returns a walker over the records of a ring page; `nil` if the block is not in column form.
  fileprivate func walker(at page: ChunkHeader) -> ColumnWalker? { ColumnWalker(bytes, firstSequence: page.firstSequence) }
}
