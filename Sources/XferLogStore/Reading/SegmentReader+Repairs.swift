extension SegmentReader {
  /// Something that is damaged and costs nothing, because it is there twice.
  enum Repair: Equatable {
    case segmentHeader
    /// Where the damaged one stands.
    case chunkHeader(index: UInt32, offset: UInt64)
    case index

    var text: String {
      switch self {
      case .segmentHeader: "the segment's header is damaged, and was read from its copy"
      case .chunkHeader(let index, _): "the header of chunk \(index) is damaged, and was read from its copy"
      case .index: "the index is damaged, and was made good by walking the blocks"
      }
    }
  }

  /// All of them, in the file's order; of a segment that is read as it is.
  var repairs: [Repair] {
    var repairs: [Repair] = hasOwnHeader ? [] : [.segmentHeader]
    if let sealed { return repairs + (sealed.sessions == nil ? [.index] : []) }
    var slot = 0
    while SegmentFormat.chunkOffset(slot) + ChunkHeader.size <= file.count, slot < Int(header.chunkCapacity) {
      guard let standing = standingHeader(of: slot) else {
        slot += 1
        continue
      }
      let place = SegmentFormat.chunkOffset(slot)
      if ownHeader(of: slot) == nil {
        repairs.append(.chunkHeader(index: UInt32(slot), offset: UInt64(place)))
      }
      slot += Int(standing.span)
    }
    return repairs
  }
}
