import CXferPlatform

/// A sealed segment split into its blocks, index and trailer. The parser follows the article "The log format" and shares no
/// code with the reader. A reassembled segment has valid checksums after any change, but an invalid hash chain.
package struct SealedDraft {
  package var header: [UInt8]
  package var blocks: [Block]
  /// The decoded index. Its entries contain the original positions of the blocks.
  package var index: [UInt8]
  package var trailer: [UInt8]

  package struct Block {
    package var header: [UInt8]
    package var stored: [UInt8]
    /// The position of the copy of the header in the index. `nil` keeps the copy unchanged.
    package var indexed: Int?
    /// The positions of changed events, counted from the block's first event.
    package var changed: Set<Int> = []

    package var isColumns: Bool { header[56] == 1 && header[57] == 0 }
    package var isDictionary: Bool { header.number(at: 4, as: UInt32.self) == 2 }
  }

  package static let blockHeaderSize = 128
  package static let trailerSize = 128

  /// - Parameter bytes: The bytes of an undamaged sealed segment without compression.
  package init(_ bytes: [UInt8]) {
    header = Array(bytes[..<SegmentDraft.headerSize])
    trailer = Array(bytes[(bytes.count - Self.trailerSize)...])
    let end = Int(trailer.number(at: 8, as: UInt64.self))
    index = Array(bytes[end..<end + Int(trailer.number(at: 16, as: UInt32.self))])
    blocks = []
    var start = SegmentDraft.headerSize
    while start < end {
      let head = Array(bytes[start..<start + Self.blockHeaderSize])
      let size = Int(head.number(at: 68, as: UInt32.self))
      let body = start + Self.blockHeaderSize
      blocks.append(
        Block(
          header: head, stored: Array(bytes[body..<body + size]),
          indexed: index.indices.first { index[$0...].starts(with: head) }))
      start = (body + size + 7) & ~7
    }
  }

  /// Returns the bytes of the segment, with valid checksums.
  package func bytes() -> [UInt8] {
    var bytes = header
    bytes.put(SegmentDraft.checksum(bytes[..<1020]), at: 1020)
    var index = index
    let nonce: UInt64 = header.number(at: 24)
    let folded = UInt32(truncatingIfNeeded: nonce ^ nonce >> 32)
    for block in blocks {
      var head = block.header
      head.put(UInt32(block.stored.count), at: 68)
      head.put(SegmentDraft.checksum(block.stored[...], seed: folded), at: 72)
      head.put(SegmentDraft.checksum(head[4..<124], seed: folded), at: 124)
      if let place = block.indexed, place >= 8, place + head.count <= index.count {
        index.put(UInt64(bytes.count), at: place - 8)
        index.replaceSubrange(place..<place + head.count, with: head)
      }
      bytes += head + block.stored
      bytes += [UInt8](repeating: 0, count: -bytes.count & 7)
    }
    var trailer = trailer
    trailer.put(UInt64(bytes.count), at: 8)
    trailer.put(UInt32(index.count), at: 16)
    trailer.put(SegmentDraft.checksum(index[...]), at: 24)
    trailer.put(SegmentDraft.checksum(trailer[..<124]), at: 124)
    return bytes + index + trailer
  }

  /// The places at which a reader finds the changed events.
  package var changedEvents: Set<SegmentDraft.Place> {
    blocks.reduce(into: []) { places, block in
      let first: UInt64 = block.header.number(at: 24)
      for position in block.changed {
        places.insert(.init(lane: block.header.number(at: 12), sequence: first &+ UInt64(position)))
      }
    }
  }
}
