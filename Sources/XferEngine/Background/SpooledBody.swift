internal import CXferPlatform

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Access to the files that the daemon's spool holds for an app.
enum SpooledBody {
  /// The size to which the daemon truncates the body of the response to an upload: 1 MiB.
  private static let limit = 1 << 20

  /// Returns whether the path names a file directly in the daemon's spool and the spool is private to this user.
  static func isInside(_ spool: String, _ path: String) -> Bool {
    guard spool.hasPrefix("/"), path.hasPrefix("\(spool)/") else { return false }
    let name = path.utf8.dropFirst(spool.utf8.count + 1)
    guard !name.isEmpty, !name.contains(UInt8(ascii: "/")), !name.contains(0), ![".", ".."].contains(String(name)) else {
      return false
    }
    return (try? PrivateDirectory.check(spool)) != nil
  }

  /// Reads the body of the response to an upload.
  ///
  /// - Returns: At most 1 MiB. Empty when the file is missing or is not a regular file of this user.
  static func contents(_ path: String) -> Data {
    let descriptor = xp_open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0)
    guard descriptor >= 0 else { return Data() }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else { return Data() }
    var bytes = [UInt8](repeating: 0, count: min(limit, Int(clamping: status.st_size)))
    var filled = 0
    while filled < bytes.count {
      let count = bytes[filled...].withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      filled += count
    }
    return Data(bytes[..<filled])
  }
}
