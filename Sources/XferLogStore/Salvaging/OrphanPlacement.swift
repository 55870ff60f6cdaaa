/// Determines the lane of chunks that have lost both headers, by finding the lane with a matching gap.
///
/// A record contains the low 16 bits of its position. A chunk is assigned to a lane only if it begins where the lane
/// stopped or ends where it continues, and only if no other lane matches. A wrong match has a probability of about 1 in
/// 2¹⁵.
struct OrphanPlacement {
  /// A range of positions that a lane lacks, before a chunk or after its last chunk.
  private struct Hole {
    let lane: UInt32
    let start: UInt64
    /// The exclusive end; `nil` after the lane's last chunk.
    let end: UInt64?
  }

  private let holes: [Hole]

  /// - Parameter chunks: All chunks, after `settle()`. Chunks without a header are ignored.
  init(_ chunks: some Sequence<SalvagedChunk>) {
    var lanes: [UInt32: [(first: UInt64, end: UInt64)]] = [:]
    for chunk in chunks {
      guard let header = chunk.header, header.kind != .dictionary else { continue }
      let end = chunk.records.last.map { $0.sequence + 1 } ?? header.firstSequence
      lanes[header.lane, default: []].append((header.firstSequence, max(end, chunk.end ?? 0)))
    }
    var holes: [Hole] = []
    for (lane, places) in lanes.sorted(by: { $0.key < $1.key }) {
      let places = places.sorted { $0.first < $1.first }
      if places[0].first > 0 { holes.append(Hole(lane: lane, start: 0, end: places[0].first)) }
      for (place, next) in zip(places, places.dropFirst()) where place.end < next.first {
        holes.append(Hole(lane: lane, start: place.end, end: next.first))
      }
      holes.append(Hole(lane: lane, start: places[places.count - 1].end, end: nil))
    }
    self.holes = holes
  }

  /// Returns the lane of a chunk and the position of its first record.
  ///
  /// - Parameter records: The chunk's records, with the low 16 bits of their positions.
  /// - Returns: `nil` if no lane matches, or more than one.
  func place(_ records: [RecordWalker.Record]) -> (lane: UInt32, firstSequence: UInt64)? {
    guard let first = records.first?.sequence else { return nil }
    // The positions may cross a multiple of 65,536, so they are compared by their signed distance from the first one.
    let ahead = records.map { Int64(Int16(truncatingIfNeeded: Int64($0.sequence) - Int64(first))) }
    guard let least = ahead.min(), let most = ahead.max(), most - least < Int64(SalvagedChunk.recordLimit) else { return nil }
    let count = UInt64(most - least) + 1
    let low = UInt64(truncatingIfNeeded: Int64(first) + least) & 0xFFFF
    let fitting = holes.compactMap { hole -> (lane: UInt32, firstSequence: UInt64)? in
      if hole.start & 0xFFFF == low, hole.end.map({ hole.start + count <= $0 }) ?? true { return (hole.lane, hole.start) }
      guard let end = hole.end, end >= hole.start + count, (end - count) & 0xFFFF == low else { return nil }
      return (hole.lane, end - count)
    }
    return fitting.count == 1 ? fitting[0] : nil
  }
}
