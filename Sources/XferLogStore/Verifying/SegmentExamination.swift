package import XferEvents

/// The properties of a segment, and flaws that its events and gaps do not show.
package struct SegmentExamination {
  package enum Form: String, Sendable {
    /// The segment is not sealed; its writer mapped the file.
    case live
    /// The segment is not sealed; its writer appended each record to the file.
    case appended
    case sealed
  }

  package enum State: String, Sendable {
    /// The segment is being written, or its writer was killed.
    case open
    case closed, rotated
  }

  package let number: UInt32
  package let name: String
  package let form: Form
  package let state: State
  package let writer: WriterContext
  package let bytes: Int
  /// Whether the segment was produced by salvaging another one.
  package let isSalvaged: Bool
  /// The last link of a sealed segment's hash chain, in hexadecimal; `nil` for other segments.
  package let lastLink: String?
  package let flaws: [SegmentFlaw]
}

/// A flaw of a segment that affects none of its events.
package struct SegmentFlaw: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// A part was damaged; its copy was used, or the part was rebuilt.
    case repaired
    /// Bytes that no event depends on were changed.
    case altered
    /// The segment was edited deliberately: every checksum is valid, but the hash chain is broken. `block` is the index of the
    /// edited block; `nil` means that the edit is not in one of the segment's blocks.
    case edited(block: Int?)
  }

  package let kind: Kind
  package let text: String
  package var lane: UInt32?
  package var sequences: Range<UInt64>?
  package var bytes: Range<UInt64>?
}

extension LogReader {
  /// The state and flaws of each segment that was read, in order.
  package var examinations: [SegmentExamination] {
    let predecessors = predecessors
    return zip(segments, predecessors).map { $0.examination(previous: $1) }
  }

  /// The copies of the previous segment of each segment's writer. Segments of several logs may have the same numbers.
  private var predecessors: [[SegmentReader]] {
    let copies = Dictionary(grouping: segments) { SegmentKey($0.header) }
    return segments.map { copies[SegmentKey(launch: $0.header.launch, number: $0.header.previous)] ?? [] }
  }
}

extension LogReader {
  /// Verifies the hash chains of all sealed segments, which takes reading their bytes once more without decompressing them.
  package func alterations() -> [SourceIncompleteness] {
    let predecessors = predecessors
    return zip(segments.indices, predecessors).compactMap { place, previous in
      let flaws = segments[place].sealFlaws(previous: previous, includingColumns: false)
      let isEdited = flaws.contains { if case .edited = $0.kind { true } else { false } }
      guard isEdited else { return nil }
      return SourceIncompleteness(
        input: origins[place].input, reason: "\(segments[place].name) was edited after it had been written (see xferlog verify)")
    }
  }
}

extension SegmentReader {
  /// - Parameter previous: The copies of the writer's previous segment; empty if it is missing.
  fileprivate func examination(previous: [SegmentReader]) -> SegmentExamination {
    let state: SegmentExamination.State =
      switch end?.state {
      case .closed: .closed
      case .rotated: .rotated
      case .open, nil: .open
      }
    return SegmentExamination(
      number: number, name: name, form: sealed != nil ? .sealed : isAppended ? .appended : .live, state: state,
      writer: source.writer, bytes: size, isSalvaged: isSalvaged, lastLink: trailer.map { "\($0.last)" },
      flaws: repairs.map(flaw) + UnusedBytes.flaws(of: self) + sealFlaws(previous: previous, includingColumns: true))
  }

  private var trailer: SealTrailer? { sealed == nil ? nil : SealTrailer.decode(endOf: file) }

  /// Returns the flaws of a sealed segment's hash chain and index. Reads the segment once more.
  fileprivate func sealFlaws(previous: [SegmentReader], includingColumns: Bool) -> [SegmentFlaw] {
    guard let sealed else { return [] }
    return SealExaminer(self, sealed, trailer: trailer).flaws(previous: previous, includingColumns: includingColumns)
  }

  private func flaw(_ repair: Repair) -> SegmentFlaw {
    switch repair {
    case .segmentHeader: SegmentFlaw(kind: .repaired, text: repair.text, bytes: 0..<UInt64(SegmentHeader.fixedSize))
    case .chunkHeader(_, let offset):
      SegmentFlaw(kind: .repaired, text: repair.text, bytes: offset..<offset + UInt64(ChunkHeader.size))
    case .definitions(let bytes): SegmentFlaw(kind: .repaired, text: repair.text, bytes: bytes)
    case .index, .unusedSpace: SegmentFlaw(kind: .repaired, text: repair.text)
    }
  }
}
