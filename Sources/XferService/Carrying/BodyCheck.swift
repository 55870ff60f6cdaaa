import CXferPlatform
import Foundation
import XferCrypto
import XferEngine

/// The result of comparing a file in the spool with the recorded state of its body.
enum BodyCheck: Equatable {
  /// The file has the recorded size and contents. The associated record contains the file's current inode.
  case intact(BodyRecord)
  /// The file is missing or was changed. The associated text describes the problem.
  case spoiled(String)

  /// Checks the file of a body.
  ///
  /// - Parameter mayBeMissing: Whether a missing file is accepted because the app may have moved it.
  init(_ record: BodyRecord, mayBeMissing: Bool) {
    let descriptor: Int32
    do throws(TransferError) {
      descriptor = try SpooledFile.open(record.path)
    } catch {
      if error.osError == Int(ENOENT), mayBeMissing {
        self = .intact(record)
      } else {
        self = .spoiled(error.osError == Int(ENOENT) ? "the spool file is missing" : error.problem)
      }
      return
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      self = .spoiled("the spool file is not a regular file")
      return
    }
    let (size, inode) = (Int64(status.st_size), UInt64(status.st_ino))
    if let known = record.size, size != known {
      self = .spoiled("the spool file has \(size) bytes instead of \(known)")
      return
    }
    guard let digest = record.digest else {
      // Records written before digests were introduced are compared only by size and inode.
      let isSame = record.inode == nil || record.inode == inode
      self = isSame ? .intact(record) : .spoiled("the spool file was replaced")
      return
    }
    guard BodyDigest.ofFile(descriptor, size: size) == digest else {
      self = .spoiled("the spool file was \(record.inode == inode ? "changed" : "replaced by a file with other contents")")
      return
    }
    var found = record
    found.inode = inode
    self = .intact(found)
  }
}

/// Computes the SHA-256 digest of a body.
enum BodyDigest {
  private static let step = 1 << 20

  /// Returns the digest of the first `size` bytes, or `nil` when the file is shorter or cannot be read.
  static func ofFile(_ descriptor: Int32, size: Int64) -> Data? {
    var hash = SHA256()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: step, alignment: 4096)
    defer { buffer.deallocate() }
    var offset: Int64 = 0
    while offset < size {
      let wanted = Int(min(Int64(step), size - offset))
      let count = pread(descriptor, buffer.baseAddress, wanted, off_t(offset))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += Int64(count)
    }
    return Data(hash.finalize())
  }
}

/// The identity, size and times of a file when its contents were last verified. While the stamp is unchanged, the contents need
/// not be read again.
struct FileStamp: Equatable {
  private let device: UInt64
  private let inode: UInt64
  private let size: Int64
  private let changed: [Int]

  /// Reads the stamp of the file at a path. The result is `nil` when the file does not exist.
  init?(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    (device, inode, size) = (UInt64(status.st_dev), UInt64(status.st_ino), Int64(status.st_size))
    #if canImport(Darwin)
      changed = [
        status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec, status.st_ctimespec.tv_sec, status.st_ctimespec.tv_nsec,
      ]
    #else
      changed = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
    #endif
  }
}
