import CXferPlatform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A temporary directory that only its owner can read. It is removed with this object, unless it was moved.
package final class ScratchDirectory {
  package let path: String

  /// The directory for temporary files: `TMPDIR`, or else `/tmp`.
  package static var parent: String { xp_variable("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

  /// - Parameter prefix: The path of the directory, apart from the random characters at its end.
  package init(prefix: String) throws(SystemError) {
    var template = Array("\(prefix)XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw SystemError(number: errno) }
    path = String(cString: made)
  }

  deinit { Self.remove(path) }

  private static func remove(_ directory: String) {
    guard let stream = opendir(directory) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      let path = "\(directory)/\(name)"
      if unlink(path) != 0 { remove(path) }
    }
    rmdir(directory)
  }
}
