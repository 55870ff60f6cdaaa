import CXferPlatform
import XferLogStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that is written next to its destination. Unless it has been moved there, it is deleted with this object.
package final class FileDraft {
  package let path: String
  private let destination: String
  private var isPlaced = false

  /// - Parameter destination: a path in an existing directory.
  package init(for destination: String) throws(SystemProblem) {
    self.destination = destination
    // mkstemp makes the file readable only by its owner: private values are hashed, but hosts and times are not.
    var template = Array("\(destination).XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    guard descriptor >= 0 else {
      isPlaced = true
      throw SystemProblem(number: errno)
    }
    close(descriptor)
  }

  /// Writes the contents of the file.
  package func write(_ bytes: [UInt8]) throws(SystemProblem) {
    let descriptor = xp_open(path, O_WRONLY | O_TRUNC | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw SystemProblem(number: errno) }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = writeBytes(descriptor, rest)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemProblem(number: count < 0 ? errno : EIO) }
      rest = rest.dropFirst(count)
    }
  }

  deinit { if !isPlaced { unlink(path) } }

  /// Moves the file to its destination. After a power cut, the destination is either the old file or this one.
  ///
  /// - Parameter replaces: whether a file at the destination is replaced. Otherwise, it is an error, EEXIST.
  package func place(replaces: Bool = true) throws(SystemProblem) {
    let descriptor = xp_open(path, O_RDONLY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw SystemProblem(number: errno) }
    let isSafe = xp_sync_file(descriptor) == 0
    let problem = errno
    close(descriptor)
    guard isSafe else { throw SystemProblem(number: problem) }
    try move(replaces)
    isPlaced = true
  }

  private func move(_ replaces: Bool) throws(SystemProblem) {
    if !replaces {
      // Unlike `rename`, `link` never replaces a file.
      if link(path, destination) == 0 {
        unlink(path)
        return
      }
      // Some file systems have no hard links.
      guard [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(errno) else { throw SystemProblem(number: errno) }
      if access(destination, F_OK) == 0 { throw SystemProblem(number: EEXIST) }
    }
    guard rename(path, destination) == 0 else { throw SystemProblem(number: errno) }
  }
}

private func writeBytes(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int {
  bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
}

/// An error of a system call, as an `errno` value.
package struct SystemProblem: Error, CustomStringConvertible {
  package let number: Int32
  package var description: String { systemText(number) }
}
