import XferEvents
import XferIndex
import XferLogStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension IndexOrigin.Source {
  /// Returns the state of a foreign file, which an importer reads, or of all files below a foreign directory, sorted by path.
  static func files(at path: String) -> [IndexOrigin.Source] {
    let log = SegmentStamp.canonical(path)
    return paths(below: log).sorted().compactMap { file(at: $0, of: log) }
  }

  private static func file(at path: String, of log: String) -> IndexOrigin.Source? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return IndexOrigin.Source(
      log: log, path: path, size: Int64(status.st_size), modified: WallTime(modified: status), inode: UInt64(status.st_ino),
      checksum: nil)
  }

  /// Returns the regular files at or below a path, without following links.
  private static func paths(below path: String) -> [String] {
    var status = stat()
    guard lstat(path, &status) == 0 else { return [] }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return [path]
    case S_IFDIR: return LogDirectory.names(in: path).flatMap { paths(below: "\(path)/\($0)") }
    default: return []
    }
  }
}
