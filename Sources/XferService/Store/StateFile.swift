import CXferPlatform
import Foundation
import XferEngine

/// A small file of the state directory that only its owner may read and change.
enum StateFile {
  struct Contents {
    let data: Data
    /// Whether others had permissions on the file; they were taken away.
    let wasOpenToOthers: Bool
  }

  /// Reads a file without following a symbolic link.
  ///
  /// - Parameter limit: the largest size in bytes that is read.
  /// - Returns: `nil` when there is no such file. A file over the limit gives its first `limit + 1` bytes.
  /// - Throws: when the file cannot be read, is not a regular file, or belongs to another user.
  static func read(_ path: String, limit: Int) throws -> Contents? {
    // A FIFO would block the open.
    let descriptor = xp_open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      if errno == ELOOP { throw refusal(path, "is a symbolic link") }
      throw ServiceError(.cannotStore, "\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    let mode = try check(descriptor, path)
    let isOpen = mode & 0o077 != 0
    if isOpen, fchmod(descriptor, 0o600) != 0 { throw refusal(path, "can be used by others") }
    var data = Data(count: max(0, limit) + 1)
    var count = 0
    while count < data.count {
      let start = count
      let got = data.withUnsafeMutableBytes { xp_read($0, descriptor, start) }
      if got < 0, errno == EINTR { continue }
      if got < 0 { throw ServiceError(.cannotStore, "\(path) cannot be read: \(String(cString: strerror(errno)))") }
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
  /// - Returns: its mode.
  @discardableResult static func check(_ descriptor: Int32, _ path: String) throws -> mode_t {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw ServiceError(.cannotStore, "\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw refusal(path, "is not a regular file") }
    guard status.st_uid == getuid() else { throw refusal(path, "belongs to another user") }
    return status.st_mode
  }

  /// Checks a file that another library opens by its path. A missing file is accepted.
  static func check(_ path: String) throws {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return }
      throw ServiceError(.cannotStore, "\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw refusal(path, "is not a regular file") }
    guard status.st_uid == getuid() else { throw refusal(path, "belongs to another user") }
    if status.st_mode & 0o077 != 0, chmod(path, 0o600) != 0 { throw refusal(path, "can be used by others") }
  }

  /// Writes a file under a passing name, brings it to the disk and renames it: a power cut leaves all of it or nothing.
  static func write(_ data: Data, to path: String) throws {
    let passing = "\(path).new"
    unlink(passing)
    let descriptor = xp_open(passing, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw ServiceError(.cannotStore, "\(passing) cannot be written: \(String(cString: strerror(errno)))")
    }
    let count = data.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    let written = count == data.count ? 0 : count < 0 ? errno : ENOSPC
    let synced = written == 0 ? xp_sync(descriptor, nil, 0) : written
    let closed = close(descriptor) == 0 ? 0 : errno
    for problem in [synced, closed] where problem != 0 {
      unlink(passing)
      throw ServiceError(.cannotStore, "\(passing) cannot be written: \(String(cString: strerror(problem)))")
    }
    guard rename(passing, path) == 0 else {
      throw ServiceError(.cannotStore, "\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
    let problem = xp_sync_directory(DurableFile.directory(of: path))
    guard problem == 0 else {
      throw ServiceError(.cannotStore, "\(path) cannot be brought to the disk: \(String(cString: strerror(problem)))")
    }
  }

  private static func refusal(_ path: String, _ problem: String) -> ServiceError {
    ServiceError(
      .unsafeDirectory, "\(path) \(problem). It must be a regular file that only its owner may use: move it away and start again")
  }
}
