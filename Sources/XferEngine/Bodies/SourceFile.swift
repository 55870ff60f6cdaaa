internal import CXferPlatform
internal import XferEvents

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A file to be sent, as it was when somebody looked.
struct SourceFile: Sendable, Equatable {
  let path: String
  let size: Int64
  let inode: UInt64
  let modified: WallTime

  /// Looks at the file: it must be there, a regular one, and readable.
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

  /// Opens the file that stands at the path now, with what it is like.
  func reopened() throws(TransferError) -> (file: SourceFile, descriptor: Int32) {
    let descriptor = try Self.open(path)
    do throws(TransferError) {
      return (try SourceFile(path: path, descriptor: descriptor), descriptor)
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func open(_ path: String) throws(TransferError) -> Int32 {
    // Opening a pipe that nobody writes to must not wait.
    let descriptor = xp_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
    guard descriptor >= 0 else { throw .unreadable(path, errno) }
    return descriptor
  }
}

extension TransferError {
  /// libcurl's own code for what cannot be read to be sent is 26.
  static func unreadable(_ path: String, _ osError: Int32) -> TransferError {
    TransferError(
      .cannotOpenFile, number: 26, osError: Int(osError), stage: .file,
      problem: "the file \(path) cannot be read: \(String(cString: strerror(osError)))")
  }
}
