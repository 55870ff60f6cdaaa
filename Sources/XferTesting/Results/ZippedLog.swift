import CXferPlatform
import Foundation
import XferEvents
import XferReading

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A ZIP archive of a log, which `xferlog` reads.
struct ZippedLog {
  let bytes: [UInt8]

  /// The maximum size of the files. A larger log is only kept in its folder.
  private static let limit: Int64 = 256 << 20

  /// - Parameters:
  ///   - directory: a directory without subdirectories. Members have its name as their first part.
  ///   - path: the path of the archive, which is removed again.
  /// - Returns: `nil` if the files cannot be read, or are too large.
  init?(directory: String, at path: String) {
    let folder = directory.fileName ?? "log.xlog"
    let manager = FileManager.default
    guard let names = try? manager.contentsOfDirectory(atPath: directory).sorted() else { return nil }
    var size: Int64 = 0
    for name in names {
      var status = stat()
      guard lstat("\(directory)/\(name)", &status) == 0 else { return nil }
      size = size.addingReportingOverflow(Int64(status.st_size)).partialValue
    }
    guard size <= Self.limit else { return nil }
    let descriptor = xp_open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return nil }
    defer {
      close(descriptor)
      unlink(path)
    }
    var archive = ZipWriter(StandardOutput(descriptor: descriptor, name: path))
    do {
      for name in names { try archive.append("\(directory)/\(name)", as: "\(folder)/\(name)", compresses: true) }
      try archive.finish()
    } catch {
      return nil
    }
    guard let data = manager.contents(atPath: path) else { return nil }
    bytes = Array(data)
  }
}
