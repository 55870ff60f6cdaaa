internal import XferEvents

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A file as it was when it was looked at.
struct FileFacts: Sendable {
  let path: String
  let inode: UInt64
  let size: Int64
  let modified: WallTime

  /// - Returns: `nil` when nothing is there.
  init?(path: String) {
    guard let status = Self.status(path) else { return nil }
    self.path = path
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    modified = WallTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  enum Condition: Equatable {
    case inPlace(links: Int)
    case gone
  }

  /// Whether the path still names this very file.
  var condition: Condition {
    guard let status = Self.status(path), UInt64(status.st_ino) == inode else { return .gone }
    return .inPlace(links: Int(status.st_nlink))
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }
}
