import CXferPlatform
package import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What tells whether a segment is still as it was when it was read, without reading its events.
package struct SegmentStamp: Hashable, Sendable {
  /// The log directory, or the segment itself where that was named; without links, as `path`.
  package let log: String
  package let path: String
  package let size: Int64
  package let modified: WallTime
  package let inode: UInt64
  /// Of all bytes, while the writer has not said that it is done: what it stores through its mapping shows in neither size
  /// nor time. `nil` for a segment that is complete.
  package let checksum: UInt32?

  /// Those of all segments that a reader of these inputs would open, each once; what cannot be opened is left out.
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

  /// A path without links and dots, by which a file is known wherever one stands; as it is when there is nothing.
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

  /// Not by mapping: its writer may cut the file at any time.
  private static func checksum(_ descriptor: Int32) -> UInt32 {
    withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 16) { bytes in
      var checksum: UInt32 = 0
      var offset = 0
      while true {
        let count = pread(descriptor, bytes.baseAddress, bytes.count, off_t(offset))
        if count < 0, errno == EINTR { continue }
        // Nobody reads what a file has behind that.
        if count <= 0 || offset >= SegmentBytes.largest { return checksum }
        checksum = xp_crc32c(checksum, bytes.baseAddress, count)
        offset += count
      }
    }
  }
}
