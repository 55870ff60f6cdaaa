#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A check for files.
enum FilePresence {
  /// Whether a path exists, also if it cannot be read.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
