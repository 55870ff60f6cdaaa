internal import CXferPlatform
internal import XferEvents

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The path and properties of a file to upload.
struct SourceFile: Sendable, Equatable {
  let path: String
  let size: Int64
  let inode: UInt64
  let modified: WallTime

  /// Reads the properties of a file.
  ///
  /// - Throws: An error if the file is missing, unreadable or not a regular file.
  init(path: String) throws(TransferError) {
    let descriptor = try Self.open(path)
    defer { close(descriptor) }
    try self.init(path: path, descriptor: descriptor)
  }

  private init(path: String, descriptor: Int32) throws(TransferError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unreadable(path, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .unreadable(path, S_IFDIR == status.st_mode & S_IFMT ? EISDIR : EINVAL)
    }
    self.path = path
    size = Int64(status.st_size)
    inode = UInt64(status.st_ino)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    modified = WallTime(nanoseconds: Int64(time.tv_sec).multipliedClamped(by: 1_000_000_000).addingClamped(Int64(time.tv_nsec)))
  }

  /// Opens the file that the path names now, and returns its current properties and a descriptor.
  func reopened() throws(TransferError) -> (file: SourceFile, descriptor: Int32) {
    let descriptor = try Self.open(path)
    do throws(TransferError) {
      return (try SourceFile(path: path, descriptor: descriptor), descriptor)
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Returns the properties that the opened file has now. `nil` if the system does not say.
  func current(_ descriptor: Int32) -> SourceFile? { try? SourceFile(path: path, descriptor: descriptor) }

  private static func open(_ path: String) throws(TransferError) -> Int32 {
    // Without `O_NONBLOCK`, opening a pipe without a writer would block.
    let descriptor = xp_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
    guard descriptor >= 0 else { throw .unreadable(path, errno) }
    return descriptor
  }
}

extension TransferError {
  /// Returns the error for a file that cannot be read for an upload. 26 is `CURLE_READ_ERROR`.
  static func unreadable(_ path: String, _ osError: Int32) -> TransferError {
    TransferError(
      .cannotOpenFile, number: 26, osError: Int(osError), stage: .file,
      problem: "the file \(path) cannot be read: \(String(cString: strerror(osError)))")
  }
}
