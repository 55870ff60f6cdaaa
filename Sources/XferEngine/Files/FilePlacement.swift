internal import CXferPlatform

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Puts a whole file at its destination in one step: whoever looks sees all of it or nothing.
package struct FilePlacement {
  let source: String
  /// Where it is to go and, once it is there, where it went.
  package private(set) var destination: String
  private let existing: ExistingFile
  /// Makes the name of the passing copy unique.
  private let tag: String
  /// Whether a copy's bytes are brought to the disk before the copy gets its name.
  private let synchronises: Bool

  /// What happens to a file that has the name already.
  package enum ExistingFile: Sendable {
    case replaced
    /// It stays, and that is an error (EEXIST).
    case kept
    /// It stays, and the new one is called `name.1` or, where that is taken, `name.2`, up to 100, as with curl's `--no-clobber`.
    case numbered
  }

  /// - Parameter synchronises: whether a copy's bytes are brought to the disk before the copy gets its name. A file that is only renamed
  ///   must be synchronised beforehand, and the directory in any case afterwards.
  package init(source: String, destination: String, existing: ExistingFile, tag: String, synchronises: Bool = false) {
    self.source = source
    self.destination = destination
    self.existing = existing
    self.tag = tag
    self.synchronises = synchronises
  }

  /// - Returns: 0, or an errno.
  package mutating func move() -> Int32 {
    let result = place(source)
    guard result == EXDEV else { return result }
    let copied = copy()
    if copied == 0 { unlink(source) }
    return copied
  }

  /// - Returns: 0, or an errno.
  mutating func copy() -> Int32 {
    let passing = passingPath
    var result = Self.copyBytes(from: source, to: passing, synchronises: synchronises)
    if result == 0 { result = place(passing) }
    if result != 0 { unlink(passing) }
    return result
  }

  private mutating func place(_ path: String) -> Int32 {
    if existing == .replaced { return rename(path, destination) == 0 ? 0 : errno }
    let wanted = destination
    var result = Self.placeAnew(path, destination)
    for number in 1...100 where existing == .numbered && result == EEXIST {
      destination = "\(wanted).\(number)"
      result = Self.placeAnew(path, destination)
    }
    return result
  }

  /// Whatever has the name stays: a file, a directory, a link that leads nowhere.
  private static func placeAnew(_ path: String, _ destination: String) -> Int32 {
    if link(path, destination) == 0 {
      unlink(path)
      return 0
    }
    // Some file systems have no hard links.
    guard [EPERM, ENOTSUP, EMLINK].contains(errno) else { return errno }
    let result = xp_rename_anew(path, destination)
    return [EINVAL, ENOSYS, ENOTSUP].contains(result) ? placeByReserving(path, destination) : result
  }

  /// For file systems that have neither: the name is taken by an empty file of ours, which is then replaced.
  private static func placeByReserving(_ path: String, _ destination: String) -> Int32 {
    let descriptor = xp_open(destination, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return errno }
    close(descriptor)
    guard rename(path, destination) != 0 else { return 0 }
    let problem = errno
    unlink(destination)
    return problem
  }

  private var passingPath: String {
    // By bytes, as the system reads it: a slash with a combining mark is another character.
    let slash = destination.utf8.lastIndex(of: UInt8(ascii: "/"))
    let directory = slash.map { destination[...$0] } ?? ""
    return "\(directory).xfer-\(tag).copy"
  }

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
