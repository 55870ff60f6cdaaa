import CXferPlatform

/// A copy of a byte range of a segment, valid for the lifetime of this object.
///
/// The file may be written concurrently. Records committed before the copy began are complete in the copy; records
/// committed during it may be incomplete, so a reader copies a range again if it cannot be decoded.
final class FileWindow {
  private let file: SegmentBytes
  private let start: Int
  /// The copied memory; `nil` if the segment itself is in memory.
  private let room: UnsafeMutableRawBufferPointer?
  /// The bytes copied so far.
  private(set) var bytes: UnsafeRawBufferPointer

  /// Creates a window and copies its first bytes.
  ///
  /// - Parameters:
  ///   - file: The segment's bytes.
  ///   - range: The byte range, within the size limit of a segment. The file may be shorter.
  ///   - offset: The offset in the window at which copying begins. The bytes before it remain undefined.
  ///   - loading: The number of bytes to copy at first.
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

  /// Copies the bytes from an offset in the window to its end, replacing earlier copies.
  func load(from offset: Int) { load(from: offset, upTo: .max) }

  private func load(from offset: Int, upTo limit: Int) {
    guard let room, let base = room.baseAddress, offset < min(limit, room.count) else { return }
    let wanted = UnsafeMutableRawBufferPointer(rebasing: room[offset..<min(limit, room.count)])
    let count = file.read(from: start + offset, into: wanted)
    file.loads += 1
    bytes = UnsafeRawBufferPointer(start: base, count: max(bytes.count, offset + count))
  }

  /// Returns the current word in the file at an offset in the window.
  func word(at offset: Int) -> UInt32 { file.word(at: start + offset) }
}
