extension SegmentReader {
  /// Damage that caused no loss, because the damaged part is stored twice or can be rebuilt.
  enum Repair: Equatable {
    case segmentHeader
    /// The header of a chunk, with the file offset of the damaged bytes.
    case chunkHeader(index: UInt32, offset: UInt64)
    case index
    /// The file was truncated, but not in a chunk that is in use, or only after definitions.
    case unusedSpace
    /// Definitions are damaged that no event uses, in these bytes of the file.
    case definitions(Range<UInt64>)

    var text: String {
      switch self {
      case .segmentHeader: "the segment's header is damaged; its copy was used"
      case .chunkHeader(let index, _): "the header of chunk \(index) is damaged; its copy was used"
      case .index: "the index is damaged; it was rebuilt by scanning the blocks"
      case .unusedSpace: "the file is truncated, but contains every record"
      case .definitions: "definitions that no event uses are damaged"
      }
    }
  }

  /// The repairs of the segment, in file order. Does not apply to a salvaged segment.
  var repairs: [Repair] {
    var repairs: [Repair] = hasOwnHeader ? [] : [.segmentHeader]
    refreshDictionary()
    findErasedDefinitions()
    if !damagedDefinitions.isEmpty, !needsLostDefinitions { repairs += damagedDefinitions.map(Repair.definitions) }
    if let sealed { return repairs + (sealed.sessions == nil ? [.index] : []) }
    if isTruncated, !lacksUsedChunks { repairs.append(.unusedSpace) }
    var slot = 0
    while SegmentFormat.chunkOffset(slot) + ChunkHeader.size <= file.count, slot < Int(slots.limit) {
      guard let standing = slots.validHeader(of: slot) else {
        slot += 1
        continue
      }
      let place = SegmentFormat.chunkOffset(slot)
      if slots.ownHeader(of: slot) == nil {
        repairs.append(.chunkHeader(index: UInt32(slot), offset: UInt64(place)))
      }
      slot += Int(standing.span)
    }
    return repairs
  }
}
