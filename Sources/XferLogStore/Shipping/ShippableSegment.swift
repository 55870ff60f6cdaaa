import CXferPlatform
package import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A segment of a log, as a program sees it that copies the log elsewhere. Only the segment's header is read.
package struct ShippableSegment: Sendable {
  /// The segment's number, by its file name.
  package let number: UInt32
  package let path: String
  /// The random number by which the segment differs from all other segments.
  package let identity: UInt64
  package let launch: LaunchID
  /// Whether no event can be added any more.
  package let isFinished: Bool
  /// Whether private values are stored in plain text.
  package let isFull: Bool
  package let stamp: Stamp

  /// The facts by which a change of a finished segment is noticed without reading its events.
  package struct Stamp: Hashable, Sendable {
    package let inode: UInt64
    package let size: Int64
    /// The time of the last modification, in nanoseconds.
    package let modified: Int64

    package init(inode: UInt64, size: Int64, modified: Int64) {
      (self.inode, self.size, self.modified) = (inode, size, modified)
    }
  }

  /// The name of the segment's file in any copy of the log.
  package var name: String { LogDirectory.name(of: number) }

  /// Returns the segments of a log in ascending order of number, and the names of the files that have the name, but not the header of one.
  package static func all(
    in directory: String
  ) throws(LogError) -> (segments: [ShippableSegment], unreadable: [String]) {
    let files: [(number: UInt32, path: String)]
    do throws(SystemError) {
      files = try LogDirectory.listedSegments(in: directory)
    } catch {
      throw LogError(
        .cannotOpen, place: directory, problem: "the directory cannot be listed (\(systemText(error.number)))",
        advice: "Check that the directory exists and is readable.", osError: error.number)
    }
    var (segments, unreadable): ([ShippableSegment], [String]) = ([], [])
    for (number, path) in files {
      // Retention may remove a segment at any time.
      var status = stat()
      guard stat(path, &status) == 0 else { continue }
      if let segment = ShippableSegment(number, path, status) {
        segments.append(segment)
      } else if !isUnused(path, status) {
        unreadable.append(LogDirectory.name(of: number))
      }
    }
    return (segments, unreadable)
  }

  private init?(_ number: UInt32, _ path: String, _ status: stat) {
    guard let summary = SegmentSummary(path: path) else { return nil }
    (self.number, self.path) = (number, path)
    (identity, launch) = (summary.header.nonce, summary.header.launch)
    isFinished = summary.hasNoWriter(seenFrom: .current())
    isFull = summary.header.captureMode == .full
    stamp = Stamp(
      inode: UInt64(truncatingIfNeeded: status.st_ino), size: Int64(status.st_size),
      modified: WallTime(modified: status).nanoseconds)
  }

  /// Whether a file has no contents yet: its writer has just created it, or was killed before it wrote the header.
  private static func isUnused(_ path: String, _ status: stat) -> Bool {
    if status.st_size == 0 { return true }
    let descriptor = xp_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var magic: UInt64 = 0
    return withUnsafeMutableBytes(of: &magic) { pread(descriptor, $0.baseAddress, $0.count, 0) } == 8 && magic == 0
  }
}
