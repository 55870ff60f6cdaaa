import XferEvents
import XferLogStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The user's cache of indexes. Its size and the age of its files are limited, because an index can be recreated.
struct IndexCache {
  /// The path of the index that is in use.
  private let current: String
  private let directory: String

  /// The maximum total size, in bytes.
  static let sizeLimit: Int64 = 1 << 30
  /// The maximum time since the last use, in seconds.
  static let ageLimit = 30 * 86_400

  private struct File {
    let path: String
    let size: Int64
    /// The time of the last use, in seconds since 1970.
    let used: Int
  }

  /// - Parameter path: the path of an index in the cache.
  init(of path: String) {
    current = path
    directory = LogDirectory.parent(of: path)
  }

  /// Records the current time as the index's last use, in the modification time of its file. That time has no other purpose: the
  /// content of an index tells whether it is current.
  func noteUse() { utimes(current, nil) }

  /// Removes the indexes that have not been used for a long time, and the least recently used ones beyond the size limit.
  ///
  /// A process that has a removed index open can still read it.
  func prune() {
    let now = Int(time(nil))
    var total: Int64 = 0
    for file in files().sorted(by: { ($0.used, $0.path) > ($1.used, $1.path) }) {
      total = total.addingClamped(file.size)
      if file.path != current, total > Self.sizeLimit || now - file.used > Self.ageLimit {
        unlink(file.path)
        total -= file.size
      }
    }
  }

  /// The files of the indexes, and the drafts that killed programs left behind.
  private func files() -> [File] {
    LogDirectory.names(in: directory).filter(Self.isOurs).compactMap { name in
      let path = "\(directory)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      #if canImport(Darwin)
        let used = status.st_mtimespec.tv_sec
      #else
        let used = status.st_mtim.tv_sec
      #endif
      return File(path: path, size: Int64(status.st_size), used: Int(used))
    }
  }

  /// Whether a file's name is that of an index or of a draft, such as `index-0123456789abcdef.sqlite.Ab3dEf`.
  private static func isOurs(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard 2...3 ~= parts.count, parts[1] == "sqlite", parts[0].hasPrefix("index-") else { return false }
    let digest = parts[0].dropFirst(6)
    return digest.count == 16 && digest.allSatisfy(\.isHexDigit)
  }
}
