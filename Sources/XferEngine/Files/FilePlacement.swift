internal import CXferPlatform

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// An atomic move or copy of a finished file: other processes see the complete file at its destination or none.
package struct FilePlacement {
  let source: String
  /// The requested path. After the move or copy, the actual path.
  package private(set) var destination: String
  private let existing: ExistingFile
  /// A text that makes the name of the temporary copy unique.
  private let tag: String
  /// Whether a copy's bytes are synchronised to the disk before the copy gets its name.
  private let synchronises: Bool

  /// The treatment of an existing file at the destination.
  package enum ExistingFile: Sendable {
    case replaced
    /// The existing file is kept, and the operation fails with EEXIST.
    case kept
    /// The existing file is kept, and the new file is named `name.1`, or `name.2` if that exists, up to 100, as in curl's
    /// `--no-clobber`.
    case numbered
  }

  /// - Parameter synchronises: Whether a copy's bytes are synchronised to the disk before the copy gets its name. For
  ///   durability, the caller also synchronises the source file before a move, and the directory after a move or copy.
  package init(source: String, destination: String, existing: ExistingFile, tag: String, synchronises: Bool = false) {
    self.source = source
    self.destination = destination
    self.existing = existing
    self.tag = tag
    self.synchronises = synchronises
  }

  /// Renames the file, or copies and deletes it if the destination is on another file system.
  ///
  /// - Returns: 0, or an errno.
  package mutating func move() -> Int32 {
    let result = place(source)
    guard result == EXDEV else { return result }
    let copied = copy()
    if copied == 0 { unlink(source) }
    return copied
  }

  /// Copies the file to a temporary name next to the destination, and then renames the copy.
  ///
  /// - Returns: 0, or an errno.
  mutating func copy() -> Int32 {
    let temporary = temporaryCopyPath
    var result = Self.copyBytes(from: source, to: temporary, synchronises: synchronises)
    if result == 0 { result = place(temporary) }
    if result != 0 { unlink(temporary) }
    return result
  }

  private mutating func place(_ path: String) -> Int32 {
    if existing == .replaced { return rename(path, destination) == 0 ? 0 : errno }
    let wanted = destination
    var result = Self.placeWithoutReplacing(path, destination)
    for number in 1...100 where existing == .numbered && result == EEXIST {
      destination = "\(wanted).\(number)"
      result = Self.placeWithoutReplacing(path, destination)
    }
    return result
  }

  /// Renames a file unless the destination exists, including as a directory or a dangling symbolic link.
  ///
  /// - Returns: 0, or an errno.
  private static func placeWithoutReplacing(_ path: String, _ destination: String) -> Int32 {
    if link(path, destination) == 0 {
      unlink(path)
      return 0
    }
    // Some file systems do not support hard links, so an exclusive rename is tried instead.
    guard [EPERM, ENOTSUP, EMLINK].contains(errno) else { return errno }
    let result = xp_rename_exclusive(path, destination)
    return [EINVAL, ENOSYS, ENOTSUP].contains(result) ? placeByReserving(path, destination) : result
  }

  /// Creates an empty file at the destination and renames the source over it, for file systems with neither hard links nor
  /// exclusive renaming.
  private static func placeByReserving(_ path: String, _ destination: String) -> Int32 {
    let descriptor = xp_open(destination, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return errno }
    close(descriptor)
    guard rename(path, destination) != 0 else { return 0 }
    let problem = errno
    unlink(destination)
    return problem
  }

  private var temporaryCopyPath: String {
    // Searches bytes, as the system does: Swift sees a slash with a combining mark as a different character.
    let slash = destination.utf8.lastIndex(of: UInt8(ascii: "/"))
    let directory = slash.map { destination[...$0] } ?? ""
    return "\(directory).xfer-\(tag).copy"
  }

  /// Copies a file to a new file that only the owner may read.
  ///
  /// - Returns: 0, or an errno.
  static func copyBytes(from source: String, to target: String, synchronises: Bool) -> Int32 {
    let input = xp_open(source, O_RDONLY | O_CLOEXEC, 0)
    guard input >= 0 else { return errno }
    defer { close(input) }
    let output = xp_open(target, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard output >= 0 else { return errno }
    var result = transfer(from: input, to: output)
    if result == 0, synchronises { result = xp_sync(output, nil, 0) }
    let closed: Int32 = close(output) == 0 ? 0 : errno
    return result != 0 ? result : closed
  }

  private static func transfer(from input: Int32, to output: Int32) -> Int32 {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = read(input, buffer.baseAddress, buffer.count)
      if count == 0 { return 0 }
      if count < 0 {
        if errno == EINTR { continue }
        return errno
      }
      var offset = 0
      while offset < count {
        let written = write(output, buffer.baseAddress! + offset, count - offset)
        if written < 0, errno != EINTR { return errno }
        offset += max(0, written)
      }
    }
  }
}
