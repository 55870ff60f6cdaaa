internal import CXferPlatform

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Functions that synchronise files and directory entries to the disk, so that they survive a power failure.
///
/// A file is durable after two steps: its bytes are synchronised and, after its last rename or link, its directory is
/// synchronised.
///
/// A failed synchronisation must not be retried: Linux reports a write error once and discards the pages, so a second call
/// succeeds although the bytes are lost. The caller must download the file again or fail.
package enum DurableFile {
  /// Synchronises the bytes and the size of an open file.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor that wrote the bytes. Other descriptors may miss write errors.
  ///   - path: The file's path, for the error message.
  package static func sync(descriptor: Int32, path: String) throws(TransferError) {
    let result = xp_sync(descriptor, nil, 0)
    guard result == 0 else { throw .notSynchronised(result, "the file \(path)") }
  }

  /// Synchronises the bytes and the size of the file at a path. Does not follow a symbolic link.
  package static func sync(path: String) throws(TransferError) {
    let result = xp_sync_path(path)
    guard result == 0 else { throw .notSynchronised(result, "the file \(path)") }
  }

  /// Synchronises the directory entry of a path after a file was created at the path or removed from it.
  package static func syncDirectory(of path: String) throws(TransferError) {
    let directory = directory(of: path)
    let result = xp_sync_directory(directory)
    guard result == 0 else { throw .notSynchronised(result, "the directory \(directory)") }
  }

  /// Creates or replaces a small file that only its owner can access. After a power failure, the file has either its complete old or its
  /// complete new contents.
  ///
  /// The new contents are first in a file with the suffix `.new`. Only one process at a time may replace the file.
  ///
  /// - Returns: 0, or an errno value. The file is unchanged then, unless only the synchronisation of its directory failed.
  package static func replace(_ path: String, with bytes: [UInt8]) -> Int32 {
    let draft = "\(path).new"
    unlink(draft)
    let descriptor = xp_open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return errno }
    let written = write(bytes, to: descriptor)
    let synchronised = written == 0 ? xp_sync(descriptor, nil, 0) : written
    let closed = close(descriptor) == 0 ? synchronised : synchronised == 0 ? errno : synchronised
    guard closed == 0, rename(draft, path) == 0 else {
      let problem = closed == 0 ? errno : closed
      unlink(draft)
      return problem
    }
    return xp_sync_directory(directory(of: path))
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(done)) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return count < 0 ? errno : ENOSPC }
      done += count
    }
    return 0
  }

  /// Asks the system to start writing the bytes of an open file, without waiting for the disk.
  ///
  /// Calling this for all files of a batch before synchronising them lets the files share one commit of the file system's
  /// journal.
  package static func beginSync(descriptor: Int32) { xp_sync_begin(descriptor) }

  /// Returns the path of the directory that contains a path's last component, or `.` for a path without a slash.
  package static func directory(of path: String) -> String {
    // Searches bytes, as the system does: Swift sees a slash with a combining mark as a different character.
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

extension TransferError {
  static func notSynchronised(_ osError: Int32, _ what: String) -> TransferError {
    .file(.cannotWriteToFile, osError, "\(what) could not be synchronised to the disk, so a power failure may lose it")
  }
}
