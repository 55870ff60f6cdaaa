import CXferPlatform
import Foundation

/// A file next to the database that stores the number of the last successful commit. A database with a lower commit number has
/// lost commits.
///
/// The file is written after each commit without a sync. After a kill or a power loss the stored number may be too low, which
/// only means that a loss goes undetected. It is never too high.
final class CommitWitness {
  private let descriptor: Int32
  /// The commit number in the file when it was opened. Zero for a new file.
  let commit: UInt64
  /// Whether the file existed and was valid.
  let isKept: Bool

  private static let heading = Data("xferlog.commits/".utf8)
  private static var size: Int { heading.count + 12 }

  /// Opens the file, or creates it. Throws when the file cannot be opened, is not a regular file, or belongs to another user.
  init(file path: String) throws {
    let kept = try StateFile.read(path, limit: Self.size).flatMap { Self.number($0.data) }
    if kept == nil { try StateFile.write(Self.data(0), to: path) }
    (commit, isKept) = (kept ?? 0, kept != nil)
    descriptor = xp_open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0)
    guard descriptor >= 0 else {
      throw ServiceError(.cannotStore, "cannot write \(path): \(String(cString: strerror(errno)))")
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Writes a commit number. A failed write is ignored, because the old number remains valid as a lower bound.
  func note(_ commit: UInt64) {
    _ = Self.data(commit).withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  private static func data(_ commit: UInt64) -> Data {
    let body = heading + withUnsafeBytes(of: commit.littleEndian) { Data($0) }
    return body + withUnsafeBytes(of: checksum(body).littleEndian) { Data($0) }
  }

  private static func number(_ data: Data) -> UInt64? {
    guard data.count == size, data.starts(with: heading) else { return nil }
    let body = data.prefix(heading.count + 8)
    let sum = data.suffix(4).reversed().reduce(UInt32(0)) { $0 &<< 8 | UInt32($1) }
    guard checksum(Data(body)) == sum else { return nil }
    return body.suffix(8).reversed().reduce(0) { $0 &<< 8 | UInt64($1) }
  }

  private static func checksum(_ bytes: Data) -> UInt32 { bytes.withUnsafeBytes { xp_crc32c(0, $0.baseAddress, $0.count) } }
}
