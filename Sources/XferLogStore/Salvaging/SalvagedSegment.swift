import XferEvents

/// The recoverable contents of a segment in sealed form, kept in memory for the recovery mode `salvage`.
struct SalvagedSegment {
  private(set) var bytes: [UInt8] = []
  /// The file ranges of the undecodable bytes in the damaged file, by slot.
  let places: [Int: Range<UInt64>]

  init(_ segment: SegmentReader, source: RecordSource) {
    let salvager = SegmentSalvager(segment)
    places = Dictionary(salvager.residues.map { (Int($0.slot), $0.place) }) { $0.lowerBound < $1.lowerBound ? $0 : $1 }
    var written: [UInt8] = []
    var sealer = segment.sealer(of: salvager, source: source, after: .none, compresses: false) { piece in
      written.append(contentsOf: piece)
      return true
    }
    _ = sealer.seal(salvager)
    bytes = written
  }
}

extension SegmentReader {
  /// Returns a sealer for the recovered contents. Also registers the recovered definitions with the source.
  func sealer(
    of salvager: SegmentSalvager, source: RecordSource, after previous: HashChain.Link, compresses: Bool = true,
    write: @escaping (UnsafeRawBufferPointer) -> Bool
  ) -> SegmentSealer {
    for chunk in salvager.chunks where chunk.header?.kind == .dictionary { chunk.records.forEach(define) }
    return SegmentSealer(
      self, source: source, after: previous, marks: isTruncated ? [.salvaged, .cut] : .salvaged, compresses: compresses,
      write: write)
  }
}
