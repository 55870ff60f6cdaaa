internal import XferEvents

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The identity, size and modification time of a file at one moment.
struct FileFacts: Sendable {
  let path: String
  let inode: UInt64
  let size: Int64
  let modified: WallTime

  /// Reads the state of the file at a path. The result is `nil` when the file does not exist.
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

  /// Whether the path still refers to the same file, and its number of hard links.
  var condition: Condition {
    guard let status = Self.status(path), UInt64(status.st_ino) == inode else { return .gone }
    return .inPlace(links: Int(status.st_nlink))
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return lstat(path, &status) == 0 ? status : nil
  }
}
