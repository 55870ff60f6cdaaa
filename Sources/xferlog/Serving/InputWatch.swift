import XferEvents
import XferReading

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Notices whether inputs other than logs of this package have changed: by the size, the time of modification and the inode of files.
struct InputWatch {
  private let paths: [String]
  private var stamps: [Stamp?]

  private struct Stamp: Equatable {
    let inode: UInt64
    let size: Int64
    let seconds: Int
    let nanoseconds: Int

    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      inode = UInt64(truncatingIfNeeded: status.st_ino)
      size = Int64(status.st_size)
      #if canImport(Darwin)
        (seconds, nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
      #else
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
      #endif
    }
  }

  /// - Parameter arguments: the arguments, some of which may be archives with inputs.
  init(_ inputs: LogInputs, arguments: [String]) {
    paths = inputs.foreign.map(\.path) + arguments
    stamps = paths.map(Stamp.init)
  }

  /// Returns whether an input has changed since the last call.
  mutating func hasChanged() -> Bool {
    let next = paths.map(Stamp.init)
    defer { stamps = next }
    return next != stamps
  }
}
