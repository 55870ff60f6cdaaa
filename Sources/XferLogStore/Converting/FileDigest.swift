import CXferPlatform
import XferCrypto

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The size of a file and the first eight bytes of its SHA-256 digest, by which a copy of the file can be recognised.
struct FileDigest {
  let size: Int64
  let value: UInt64

  /// - Returns: `nil` if the path is not a regular file, or if it cannot be read.
  init?(path: String) {
    let descriptor = xp_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    var digest = SHA256()
    var size: Int64 = 0
    let isRead = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { bytes in
      while true {
        let got = read(descriptor, bytes.baseAddress, bytes.count)
        if got < 0, errno == EINTR { continue }
        guard got > 0 else { return got == 0 }
        digest.update(bufferPointer: UnsafeRawBufferPointer(rebasing: bytes[..<got]))
        size += Int64(clamping: got)
      }
    }
    guard isRead else { return nil }
    self.size = size
    value = digest.finalize().prefix(8).reduce(0) { $0 << 8 | UInt64(clamping: $1) }
  }
}
