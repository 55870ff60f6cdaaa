import CXferPlatform
package import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A fingerprint of a segment that shows whether it has changed since it was read, without reading its events.
package struct SegmentStamp: Hashable, Sendable {
  /// The canonical path of the log directory, or of the segment itself if that was the input.
  package let log: String
  /// The canonical path of the segment.
  package let path: String
  package let size: Int64
  package let modified: WallTime
  package let inode: UInt64
  /// The checksum of all bytes, for a segment that is not finished; `nil` for a finished one.
  ///
  /// Stores through the writer's mapping change neither the size nor the modification time.
  package let checksum: UInt32?

  /// Returns the stamps of all segments that a reader of these inputs would open, without duplicates. Unreadable segments
  /// are omitted.
  package static func all(of inputs: [LogReader.Input]) -> [SegmentStamp] {
    var known: Set<String> = []
    return found(in: inputs).filter { known.insert($0.path).inserted }
  }

  private static func found(in inputs: [LogReader.Input]) -> [SegmentStamp] {
    inputs.flatMap { input in
      switch input {
      case .directory(let directory):
        LogDirectory.segments(in: directory).compactMap { SegmentStamp(log: directory, path: $0.path) }
      case .segment(let path): SegmentStamp(log: path, path: path).map { [$0] } ?? []
      }
    }
  }

  /// Returns the path without symbolic links and dot components, or the path itself if it does not exist.
  package static func canonical(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private init?(log: String, path: String) {
    let descriptor = xp_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
    guard descriptor >= 0 else { return nil }
    defer { _ = close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.log = Self.canonical(log)
    self.path = Self.canonical(path)
    size = Int64(status.st_size)
    modified = WallTime(modified: status)
    inode = UInt64(status.st_ino)
    checksum = Self.isFinished(descriptor) ? nil : Self.checksum(descriptor)
  }

  private static func isFinished(_ descriptor: Int32) -> Bool {
    var state: UInt32 = 0
    let count = withUnsafeMutableBytes(of: &state) { pread(descriptor, $0.baseAddress, $0.count, off_t(SegmentHeader.state)) }
    return count == 4 && UInt32(littleEndian: state) != SegmentFormat.State.open.rawValue
  }

  /// Computes the checksum by reading, not by mapping, because the writer may truncate the file at any time.
  private static func checksum(_ descriptor: Int32) -> UInt32 {
    withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 16) { bytes in
      var checksum: UInt32 = 0
      var offset = 0
      while true {
        let count = pread(descriptor, bytes.baseAddress, bytes.count, off_t(offset))
        if count < 0, errno == EINTR { continue }
        // Readers ignore the bytes after the maximum segment size.
        if count <= 0 || offset >= SegmentBytes.largest { return checksum }
        checksum = xp_crc32c(checksum, bytes.baseAddress, count)
        offset += count
      }
    }
  }
}
