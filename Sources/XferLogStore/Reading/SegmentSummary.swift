import CXferPlatform
import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A summary of a segment that is read from its header alone: the writer, and whether it has finished.
struct SegmentSummary {
  let header: SegmentHeader
  let state: SegmentFormat.State
  /// Whether the writer recorded that none of its threads can write to the segment any more.
  let isReleased: Bool

  /// Reads the header of a file.
  ///
  /// - Returns: `nil` if the file has no valid header.
  init?(path: String) {
    let descriptor = xp_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
    guard descriptor >= 0 else { return nil }
    defer { _ = close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let found = withUnsafeTemporaryAllocation(byteCount: SegmentFormat.headerSize, alignment: 8) { bytes -> SegmentSummary? in
      guard pread(descriptor, bytes.baseAddress, bytes.count, 0) == bytes.count else { return nil }
      return SegmentSummary(.init(bytes))
    }
    guard let found else { return nil }
    self = found
  }

  private init?(_ bytes: UnsafeRawBufferPointer) {
    guard let header = try? SegmentHeader.decode(bytes).get() else { return nil }
    self.header = header
    let word = { (offset: Int) in UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
    state = SegmentFormat.State(rawValue: word(SegmentHeader.state)) ?? .open
    isReleased = word(SegmentHeader.isReleased) == 1
  }

  /// Returns whether, as far as this process can determine, no process can write to the segment any more.
  ///
  /// - Parameters:
  ///   - observer: The current process.
  ///   - launch: The launch identifier of the observer's own writer, whose segments are still in use; `nil` for a reader.
  func hasNoWriter(seenFrom observer: ProcessIdentity, launch: LaunchID? = nil) -> Bool {
    if isReleased || header.incompatible.contains(.compressed) { return true }
    return header.launch != launch && header.process.hasTerminated(seenFrom: observer)
  }
}
