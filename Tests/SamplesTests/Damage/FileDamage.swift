import Foundation
import LogTestSupport

/// A way in which the files of a log are damaged.
enum FileDamage: CaseIterable {
  case flippedBit, cut, cutAtRecord, zeroedChunk, erasedTail, erasedTailWithMark
  /// Damage of sealed segments only.
  case flippedBlock, flippedIndex, flippedTrailer, zeroedBlock, cutAtBlock
  case removedSegment, removedWriter
  case addedCopy, addedSalvagedCopy, addedPartialCopy
  /// The files of two logs in one directory: of any two logs, or of the log and its earlier part.
  case mixedLogs

  /// Whether the damaged log may contain events that the original does not.
  var addsEvents: Bool { self == .mixedLogs }

  /// Returns a damaged copy of a log; `nil` if the log cannot be damaged in this way.
  ///
  /// - Parameters:
  ///   - log: The files of the log, which may be damaged already.
  ///   - whole: The files of the undamaged log.
  ///   - salvaged: The files that `xferlog salvage` makes of the undamaged log.
  ///   - other: The files of another log.
  func applied(
    to log: LogFiles, of whole: LogFiles, salvaged: LogFiles, other: LogFiles, _ random: inout SeededRandom
  ) -> LogFiles? {
    var files = log
    // A second damage affects another segment, because a damaged one may not have the expected parts.
    let untouched = log.names.filter { log.segments[$0] == whole.segments[$0] }
    guard let name = untouched.randomElement(using: &random), let bytes = log.segments[name] else { return nil }
    let parts = SegmentParts(bytes)
    switch self {
    case .removedSegment:
      guard log.segments.count > 1 else { return nil }
      files.segments[name] = nil
    case .removedWriter:
      files.segments = files.segments.filter { $0.value.count < 72 || SegmentParts($0.value).launch != parts.launch }
      if files.segments.isEmpty { return nil }
    case .addedCopy: files.add(bytes, after: whole)
    case .addedSalvagedCopy:
      guard let copy = salvaged.segments[name] else { return nil }
      files.add(copy, after: whole)
    case .addedPartialCopy:
      // A copy without a header could be of any log.
      files.add(Array(bytes[..<Int.random(in: SegmentParts.headerSize..<bytes.count, using: &random)]), after: whole)
    case .mixedLogs: for segment in other.names { files.add(other.segments[segment] ?? [], after: whole) }
    default:
      guard let damaged = damaged(bytes, &random) else { return nil }
      files.segments[name] = damaged
    }
    return files
  }

  /// Returns a damaged copy of a segment; `nil` if the segment cannot be damaged in this way.
  private func damaged(_ segment: [UInt8], _ random: inout SeededRandom) -> [UInt8]? {
    var bytes = segment
    let parts = SegmentParts(segment)
    func flip(_ range: Range<Int>) {
      let place = Int.random(in: range, using: &random)
      bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }
    func erase(_ range: Range<Int>) { for place in range { bytes[place] = 0 } }
    if parts.isSealed {
      guard segment.count > SegmentParts.headerSize + SealedDraft.trailerSize else { return nil }
      switch self {
      case .flippedBit: flip(0..<bytes.count)
      case .cut: bytes.removeSubrange(Int.random(in: 0..<bytes.count, using: &random)...)
      case .flippedBlock: flip(SegmentParts.headerSize..<parts.index.lowerBound)
      case .flippedIndex: flip(parts.index)
      case .flippedTrailer: flip(parts.trailer)
      case .zeroedBlock: parts.blocks.randomElement(using: &random).map(erase)
      case .cutAtBlock: bytes.removeSubrange((parts.blocks.randomElement(using: &random)?.lowerBound ?? 0)...)
      default: return nil
      }
      return bytes
    }
    switch self {
    case .flippedBit:
      // Most of a file is unused. Half of the bits are in use.
      let used = segment.indices.filter { segment[$0] != 0 }
      if Bool.random(using: &random), let place = used.randomElement(using: &random) {
        flip(place..<place + 1)
      } else {
        flip(0..<bytes.count)
      }
    case .cut: bytes.removeSubrange(Int.random(in: 0..<bytes.count, using: &random)...)
    case .cutAtRecord:
      guard let record = parts.records.randomElement(using: &random) else { return nil }
      bytes.removeSubrange(record.upperBound...)
    case .zeroedChunk:
      guard let chunk = parts.chunks.randomElement(using: &random) else { return nil }
      erase(chunk)
    case .erasedTail, .erasedTailWithMark:
      guard let chunk = parts.chunks.randomElement(using: &random) else { return nil }
      let records = chunk.lowerBound + SegmentParts.framing..<chunk.upperBound - SegmentParts.framing
      guard let last = records.last(where: { segment[$0] != 0 }), last > records.lowerBound + 64 else { return nil }
      let start = Int.random(in: records.lowerBound..<last, using: &random) & ~3
      erase(start..<(self == .erasedTail ? last + 1 : chunk.upperBound))
    default: return nil
    }
    return bytes
  }
}
