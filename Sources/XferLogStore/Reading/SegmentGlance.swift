import CXferPlatform
import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A segment's first page, read without mapping the file: who wrote it, and whether that is over.
struct SegmentGlance {
  let header: SegmentHeader
  let state: SegmentFormat.State
  /// Whether its writer said that none of its threads can write to it any more.
  let isLeft: Bool

  /// - Returns: `nil` for a file that has no header of its own.
  init?(path: String) {
    let descriptor = xp_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
    guard descriptor >= 0 else { return nil }
    defer { _ = close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let found = withUnsafeTemporaryAllocation(byteCount: SegmentFormat.headerSize, alignment: 8) { bytes -> SegmentGlance? in
      guard pread(descriptor, bytes.baseAddress, bytes.count, 0) == bytes.count else { return nil }
      return SegmentGlance(.init(bytes))
    }
    guard let found else { return nil }
    self = found
  }

  private init?(_ bytes: UnsafeRawBufferPointer) {
    guard let header = try? SegmentHeader.decode(bytes).get() else { return nil }
    self.header = header
    let word = { (offset: Int) in UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
    state = SegmentFormat.State(rawValue: word(SegmentHeader.state)) ?? .open
    isLeft = word(SegmentHeader.isLeft) == 1
  }

  /// Whether nobody can write to it any more, as far as this process can see.
  ///
  /// - Parameter launch: the observer's own, which is not over.
  func isOver(seenFrom observer: ProcessIdentity, launch: LaunchID? = nil) -> Bool {
    if isLeft || header.incompatible.contains(.compressed) { return true }
    return header.launch != launch && header.process.isOver(seenFrom: observer)
  }
}
