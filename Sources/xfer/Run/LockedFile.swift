import CXferPlatform
import Foundation

/// An open file of the current user, locked by this process.
struct LockedFile {
  let descriptor: Int32
  let size: Int64

  enum Opening {
    case missing
    /// Another process holds the lock.
    case locked
    case refused(String)
    case opened(LockedFile)
  }

  /// Opens and locks a file without changing it. Refuses a file that another user may have written.
  static func open(_ path: String) -> Opening {
    // A lock holder may remove the file while it is being opened. The lock would then be on an unlinked file, so retry.
    for _ in 0..<64 {
      // O_NONBLOCK prevents blocking on a FIFO of this name.
      let descriptor = Foundation.open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else {
        switch errno {
        case ENOENT, ENOTDIR: return .missing
        case ELOOP: return .refused("the file is a symbolic link")
        default: return .refused(String(cString: strerror(errno)))
        }
      }
      var status = stat()
      let problem = fstat(descriptor, &status) == 0 ? PrivateFile.problem(status, mode: 0o022) : "the file cannot be examined"
      if let problem {
        close(descriptor)
        // The file was removed between open and fstat, so open the path again.
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

  /// Returns whether a path still names the open file.
  static func isStill(_ descriptor: Int32, at path: String) -> Bool {
    var (opened, named) = (stat(), stat())
    return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0 && opened.st_ino == named.st_ino
      && opened.st_dev == named.st_dev
  }

  /// The complete contents. `nil` when they cannot be read.
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

  /// Overwrites the contents. If the process dies meanwhile, the file holds the old bytes, or new bytes followed by old ones.
  ///
  /// - Returns: 0, or an errno value.
  static func replaceContents(of descriptor: Int32, by data: Data) -> Int32 {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { return errno }
    let result = data.withUnsafeBytes { Descriptor.put($0, to: descriptor) }
    guard result == 0 else { return result }
    return ftruncate(descriptor, off_t(data.count)) == 0 ? 0 : errno
  }
}

/// Checks that a file is private to the current user.
enum PrivateFile {
  enum Verdict {
    case missing, trusted
    case refused(String)
  }

  /// Checks a partial file without changing it.
  ///
  /// - Parameter name: The file's name as stored in the sidecar. Only valid names of partial files are accepted.
  static func check(_ path: String, name: String, inode: UInt64) -> Verdict {
    guard name.hasPrefix("xfer-"), name.hasSuffix(".part"), name.utf8.count <= 255,
      name.utf8.allSatisfy({ $0 != UInt8(ascii: "/") && $0 != 0 })
    else { return .refused("the name is not that of a partial file in the same directory") }
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT: return .missing
      case ELOOP: return .refused("the file is a symbolic link")
      default: return .refused(String(cString: strerror(errno)))
      }
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return .refused("the file cannot be examined") }
    if let problem = problem(status, mode: 0o177) { return .refused(problem) }
    return UInt64(status.st_ino) == inode ? .trusted : .refused("the file was replaced since the download was interrupted")
  }

  /// - Parameter mode: The permission bits that the file must not have.
  /// - Returns: Why the file is not trusted, or `nil` when it is trusted.
  static func problem(_ status: stat, mode: mode_t) -> String? {
    if status.st_mode & S_IFMT != S_IFREG { return "the file is not a regular file" }
    if status.st_uid != geteuid() { return "the file belongs to another user" }
    if status.st_nlink != 1 { return "the file has \(status.st_nlink) hard links" }
    if status.st_mode & (mode | 0o7000) != 0 {
      return "its mode \(String(status.st_mode & 0o7777, radix: 8)) gives others access"
    }
    return nil
  }
}
