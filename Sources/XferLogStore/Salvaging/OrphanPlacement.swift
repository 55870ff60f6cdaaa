/// Finds out whose the chunks are that have lost both headers: the lane that has a hole which their records fill.
///
/// Records know the lower half of their positions. A chunk is taken for a lane's only if it begins where the lane stopped, or ends
/// where it goes on, and if there is one such lane alone; it fits another by chance once in 2¹⁵ times.
struct OrphanPlacement {
  /// Positions that a lane lacks, before a chunk or behind the last.
  private struct Hole {
    let lane: UInt32
    let start: UInt64
    /// `nil` behind the lane's last chunk.
    let end: UInt64?
  }

  private let holes: [Hole]

  /// - Parameter chunks: those whose headers are known, settled.
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

  /// Where a chunk's lane stands when the chunk begins; `nil` when it fits no lane, or more than one.
  ///
  /// - Parameter records: of the chunk, with the lower half of their positions.
  func place(_ records: [RecordWalker.Record]) -> (lane: UInt32, firstSequence: UInt64)? {
    guard let first = records.first?.sequence else { return nil }
    // A chunk's positions may pass a multiple of 65,536: they are counted from any one of them.
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
