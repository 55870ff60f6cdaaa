import CXferPlatform

/// A stretch of a segment, copied into memory that stays for as long as anything refers to this object.
///
/// A writer may be at work in the file. What a lane's writer had committed before a copy was begun is in the copy; what it commits
/// meanwhile may be there in part, so a place that cannot be understood is copied again.
final class FileWindow {
  private let file: SegmentBytes
  private let start: Int
  /// `nil` where the file is in memory itself.
  private let room: UnsafeMutableRawBufferPointer?
  /// What has been copied so far.
  private(set) var bytes: UnsafeRawBufferPointer

  /// - Parameters:
  ///   - range: within what a segment may have; the file need not have all of it (yet).
  ///   - offset: where copying begins; what is before stays undefined.
  ///   - loading: how many bytes are copied at first.
  init(_ file: SegmentBytes, _ range: Range<Int>, from offset: Int = 0, loading: Int) {
    self.file = file
    start = range.lowerBound
    if file.isInMemory {
      room = nil
      let present = range.clamped(to: 0..<file.memory.count)
      bytes = present.isEmpty ? .init(start: nil, count: 0) : .init(rebasing: file.memory[present])
    } else {
      let room = UnsafeMutableRawBufferPointer.allocate(byteCount: range.count, alignment: 8)
      self.room = room
      bytes = .init(start: room.baseAddress, count: 0)
      load(from: offset, upTo: max(offset, loading))
    }
  }

  deinit { room?.deallocate() }

  /// Copies what the file has from an offset on, over what was copied before.
  func load(from offset: Int) { load(from: offset, upTo: .max) }

  private func load(from offset: Int, upTo limit: Int) {
    guard let room, let base = room.baseAddress, offset < min(limit, room.count) else { return }
    let wanted = UnsafeMutableRawBufferPointer(rebasing: room[offset..<min(limit, room.count)])
    let count = file.read(from: start + offset, into: wanted)
    file.loads += 1
    bytes = UnsafeRawBufferPointer(start: base, count: max(bytes.count, offset + count))
  }

  /// The word that the file has at an offset by now.
  func word(at offset: Int) -> UInt32 { file.word(at: start + offset) }
}
