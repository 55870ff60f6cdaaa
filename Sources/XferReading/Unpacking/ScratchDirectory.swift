import CXferPlatform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A temporary directory that only its owner can read. It is removed with this object.
package final class ScratchDirectory {
  package let path: String

  /// - Parameter purpose: the beginning of the directory's name.
  package init(_ purpose: String) throws {
    let parent = xp_variable("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/\(purpose)-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw CommandExit(.failed, "a temporary directory in \(parent) cannot be created: \(String(cString: strerror(errno)))")
    }
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
