import CXferPlatform
import Foundation
import XferEngine

/// Access to small files of the state directory that only their owner may read and change.
enum StateFile {
  struct Contents {
    let data: Data
    /// Whether other users had permissions on the file, which were then removed.
    let wasOpenToOthers: Bool
  }

  /// Reads a file without following a symbolic link.
  ///
  /// - Parameter limit: The maximum size in bytes.
  /// - Returns: The contents, or `nil` when the file does not exist. A file larger than the limit returns its first `limit + 1`
  ///   bytes.
  /// - Throws: `ServiceError` when the file cannot be read, is not a regular file, or belongs to another user.
  static func read(_ path: String, limit: Int) throws -> Contents? {
    // Without O_NONBLOCK, opening a FIFO would block.
    let descriptor = xp_open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      if errno == ELOOP { throw refusal(path, "is a symbolic link") }
      throw ServiceError(.cannotStore, "cannot read \(path): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    let mode = try check(descriptor, path)
    let isOpen = mode & 0o077 != 0
    if isOpen, fchmod(descriptor, 0o600) != 0 { throw refusal(path, "is accessible to other users") }
    var data = Data(count: max(0, limit) + 1)
    var count = 0
    while count < data.count {
      let start = count
      let got = data.withUnsafeMutableBytes { xp_read($0, descriptor, start) }
      if got < 0, errno == EINTR { continue }
      if got < 0 { throw ServiceError(.cannotStore, "cannot read \(path): \(String(cString: strerror(errno)))") }
      if got == 0 { break }
      count += got
    }
    return Contents(data: data.prefix(count), wasOpenToOthers: isOpen)
  }

  private static func xp_read(_ buffer: UnsafeMutableRawBufferPointer, _ descriptor: Int32, _ start: Int) -> Int {
    pread(descriptor, buffer.baseAddress.map { $0 + start }, buffer.count - start, off_t(start))
  }

  /// Checks that an open file is a regular file of this user.
  ///
  /// - Returns: The mode of the file.
  @discardableResult static func check(_ descriptor: Int32, _ path: String) throws -> mode_t {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw ServiceError(.cannotStore, "cannot read \(path): \(String(cString: strerror(errno)))")
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw refusal(path, "is not a regular file") }
    guard status.st_uid == getuid() else { throw refusal(path, "belongs to another user") }
    return status.st_mode
  }

  /// Checks a file that a library will open by its path. A missing file is accepted.
  static func check(_ path: String) throws {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return }
      throw ServiceError(.cannotStore, "cannot read \(path): \(String(cString: strerror(errno)))")
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw refusal(path, "is not a regular file") }
    guard status.st_uid == getuid() else { throw refusal(path, "belongs to another user") }
    if status.st_mode & 0o077 != 0, chmod(path, 0o600) != 0 { throw refusal(path, "is accessible to other users") }
  }

  /// Replaces a file. After a power loss, the file has either its complete old or its complete new contents.
  static func write(_ data: Data, to path: String) throws {
    let problem = DurableFile.replace(path, with: Array(data))
    guard problem == 0 else { throw ServiceError(.cannotStore, "cannot write \(path): \(String(cString: strerror(problem)))") }
  }

  private static func refusal(_ path: String, _ problem: String) -> ServiceError {
    ServiceError(
      .unsafeDirectory,
      "\(path) \(problem). It must be a regular file that only its owner can access. Move it away and start the daemon again.")
  }
}
