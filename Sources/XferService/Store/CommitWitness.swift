import CXferPlatform
import Foundation

/// A file beside the database with the number of the last commit that succeeded: a database with a lower number has lost commits.
///
/// It is written after the commit and not synchronised, so a process that is killed or a power cut leaves a number that is too low, which
/// proves nothing, and never one that is too high.
final class CommitWitness {
  private let descriptor: Int32
  /// The number that the file had when it was opened; 0 for a new one.
  let commit: UInt64
  /// Whether the file was there and could be read.
  let isKept: Bool

  private static let heading = Data("xferlog.commits/".utf8)
  private static var size: Int { heading.count + 12 }

  /// - Throws: when the file is there and cannot be opened, or is not a regular file of this user.
  init(file path: String) throws {
    let kept = try StateFile.read(path, limit: Self.size).flatMap { Self.number($0.data) }
    if kept == nil { try StateFile.write(Self.data(0), to: path) }
    (commit, isKept) = (kept ?? 0, kept != nil)
    descriptor = xp_open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0)
    guard descriptor >= 0 else {
      throw ServiceError(.cannotStore, "\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Writes the number of a commit. A write that fails leaves the number before, which proves less and nothing wrong.
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
