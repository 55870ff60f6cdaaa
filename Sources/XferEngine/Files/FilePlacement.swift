internal import CXferPlatform

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// Puts a whole file at its destination in one step: whoever looks sees all of it or nothing.
struct FilePlacement {
  let source: String
  let destination: String
  /// Whether a file that is there already is replaced; otherwise that is an error (EEXIST).
  let replacing: Bool
  /// Makes the name of the passing copy unique.
  let tag: String

  /// - Returns: 0, or an errno.
  func move() -> Int32 {
    let result = place(source)
    guard result == EXDEV || result == EPERM else { return result }
    // Another file system, or one without hard links.
    let copied = copy()
    if copied == 0 { unlink(source) }
    return copied
  }

  /// - Returns: 0, or an errno.
  func copy() -> Int32 {
    let passing = passingPath
    var result = Self.copyBytes(from: source, to: passing)
    if result == 0 { result = place(passing) }
    if result == EPERM { result = placeWithoutLinks(passing) }
    if result != 0 { unlink(passing) }
    return result
  }

  private func place(_ path: String) -> Int32 {
    if replacing { return rename(path, destination) == 0 ? 0 : errno }
    // A link, unlike a rename, never replaces anything.
    guard link(path, destination) == 0 else { return errno }
    unlink(path)
    return 0
  }

  /// For file systems that have no hard links; somebody may come in between the look and the rename.
  private func placeWithoutLinks(_ path: String) -> Int32 {
    if !replacing, access(destination, F_OK) == 0 { return EEXIST }
    return rename(path, destination) == 0 ? 0 : errno
  }

  private var passingPath: String {
    let slash = destination.lastIndex(of: "/")
    let directory = slash.map { destination[...$0] } ?? ""
    return "\(directory).xfer-\(tag).copy"
  }

  private static func copyBytes(from source: String, to target: String) -> Int32 {
    let input = xp_open(source, O_RDONLY | O_CLOEXEC, 0)
    guard input >= 0 else { return errno }
    defer { close(input) }
    let output = xp_open(target, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard output >= 0 else { return errno }
    let result = transfer(from: input, to: output)
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
