import CXferPlatform
import Foundation

/// A file of the caller's that is open and whose lock this process holds.
struct LockedFile {
  let descriptor: Int32
  let size: Int64

  enum Opening {
    case missing
    /// Another process has the lock.
    case locked
    case refused(String)
    case opened(LockedFile)
  }

  /// Opens a file that nobody but the caller may have written. It is not changed.
  static func open(_ path: String) -> Opening {
    // A holder that removes the file while it is being opened leaves a lock on a file without a name.
    for _ in 0..<64 {
      // Without O_NONBLOCK a FIFO of this name would be waited for.
      let descriptor = Foundation.open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else {
        switch errno {
        case ENOENT, ENOTDIR: return .missing
        case ELOOP: return .refused("it is a symbolic link")
        default: return .refused(String(cString: strerror(errno)))
        }
      }
      var status = stat()
      let problem = fstat(descriptor, &status) == 0 ? PrivateFile.problem(status, mode: 0o022) : "it cannot be examined"
      if let problem {
        close(descriptor)
        // It was removed meanwhile.
        if status.st_nlink == 0 { continue }
        return .refused(problem)
      }
      guard lock(descriptor) else {
        close(descriptor)
        return .locked
      }
      if isStill(descriptor, at: path), fstat(descriptor, &status) == 0 {
        return .opened(LockedFile(descriptor: descriptor, size: Int64(status.st_size)))
      }
      close(descriptor)
    }
    return .locked
  }

  static func lock(_ descriptor: Int32) -> Bool { xp_try_lock_file(descriptor) }

  /// Whether a path still names the open file.
  static func isStill(_ descriptor: Int32, at path: String) -> Bool {
    var (opened, named) = (stat(), stat())
    return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0 && opened.st_ino == named.st_ino
      && opened.st_dev == named.st_dev
  }

  /// All bytes; `nil` when they cannot be read.
  var contents: Data? {
    guard let count = Int(exactly: size) else { return nil }
    var data = Data(count: count)
    var offset = 0
    while offset < count {
      let read = data.withUnsafeMutableBytes { bytes in
        pread(descriptor, bytes.baseAddress.map { $0 + offset }, count - offset, off_t(offset))
      }
      if read < 0, errno == EINTR { continue }
      guard read > 0 else { return nil }
      offset += read
    }
    return data
  }

  /// Writes over the contents. A process that dies within leaves the old bytes or the new ones with some old bytes behind them.
  ///
  /// - Returns: 0, or an errno.
  static func replaceContents(of descriptor: Int32, by data: Data) -> Int32 {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { return errno }
    let result = data.withUnsafeBytes { Descriptor.put($0, to: descriptor) }
    guard result == 0 else { return result }
    return ftruncate(descriptor, off_t(data.count)) == 0 ? 0 : errno
  }
}

/// Whether a file is the caller's alone.
enum PrivateFile {
  enum Verdict {
    case missing, trusted
    case refused(String)
  }

  /// Examines a partial file without changing it.
  ///
  /// - Parameter name: the last component of the path, as somebody wrote it: anything but the name of a partial file is refused.
  static func check(_ path: String, name: String, inode: UInt64) -> Verdict {
    guard name.hasPrefix("xfer-"), name.hasSuffix(".part"), name.utf8.count <= 255,
      name.utf8.allSatisfy({ $0 != UInt8(ascii: "/") && $0 != 0 })
    else { return .refused("that is no partial file in the same directory") }
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT: return .missing
      case ELOOP: return .refused("that is a symbolic link")
      default: return .refused(String(cString: strerror(errno)))
      }
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return .refused("it cannot be examined") }
    if let problem = problem(status, mode: 0o177) { return .refused(problem) }
    return UInt64(status.st_ino) == inode ? .trusted : .refused("that is another file than the one that was left")
  }

  /// - Parameter mode: permission bits that the file must not have.
  /// - Returns: why the file is not trusted; `nil` when it is.
  static func problem(_ status: stat, mode: mode_t) -> String? {
    if status.st_mode & S_IFMT != S_IFREG { return "it is not a regular file" }
    if status.st_uid != geteuid() { return "it belongs to another user" }
    if status.st_nlink != 1 { return "it has \(status.st_nlink) names" }
    if status.st_mode & (mode | 0o7000) != 0 { return "its mode \(String(status.st_mode & 0o7777, radix: 8)) lets others at it" }
    return nil
  }
}
