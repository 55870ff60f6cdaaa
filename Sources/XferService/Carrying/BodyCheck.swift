import CXferPlatform
import Crypto
import Foundation
import XferEngine

/// What a file in the spool is, compared with what was brought to the disk.
enum BodyCheck: Equatable {
  /// - Parameter BodyRecord: with the inode that the file has now.
  case intact(BodyRecord)
  case spoiled(String)

  /// - Parameter mayBeMissing: whether the app may have moved it away.
  init(_ record: BodyRecord, mayBeMissing: Bool) {
    let descriptor: Int32
    do throws(TransferError) {
      descriptor = try SpooledFile.open(record.path)
    } catch {
      if error.osError == Int(ENOENT), mayBeMissing {
        self = .intact(record)
      } else {
        self = .spoiled(error.osError == Int(ENOENT) ? "its file is missing" : "its file cannot be opened (\(error.problem))")
      }
      return
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      self = .spoiled("its file is not a regular file")
      return
    }
    let (size, inode) = (Int64(status.st_size), UInt64(status.st_ino))
    if let known = record.size, size != known {
      self = .spoiled("its file has \(size) bytes and had \(known)")
      return
    }
    guard let digest = record.digest else {
      // Of a version that took no digest.
      let isSame = record.inode == nil || record.inode == inode
      self = isSame ? .intact(record) : .spoiled("another file has its name")
      return
    }
    guard BodyDigest.ofFile(descriptor, size: size) == digest else {
      self = .spoiled(record.inode == inode ? "its file was changed" : "another file has its name, with other bytes")
      return
    }
    var found = record
    found.inode = inode
    self = .intact(found)
  }
}

/// SHA-256 of a body.
enum BodyDigest {
  private static let step = 1 << 20

  /// - Returns: `nil` when the file has fewer bytes than `size` or cannot be read.
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

/// How a file was when it was last found right. While that has not changed, its bytes need not be read again.
struct FileStamp: Equatable {
  private let device: UInt64
  private let inode: UInt64
  private let size: Int64
  private let changed: [Int]

  /// - Returns: `nil` when there is no such file.
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
