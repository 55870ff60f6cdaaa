import CXferPlatform
package import XferImport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension ImportCandidate {
  /// Creates a candidate from a path; `nil` if the path is neither a readable file nor a directory.
  package init?(path: String) {
    let descriptor = xp_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: self.init(.directory, path: path, head: [])
    case S_IFREG:
      let head = [UInt8](unsafeUninitializedCapacity: Self.headSize) { bytes, count in
        count = max(0, pread(descriptor, bytes.baseAddress, bytes.count, 0))
      }
      self.init(.file, path: path, head: head)
    default: return nil
    }
  }
}
