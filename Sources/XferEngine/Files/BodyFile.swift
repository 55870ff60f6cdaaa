internal import CXferPlatform
internal import XferEvents

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A download's temporary file while the engine writes it. Engine thread only.
///
/// There is none before it has to be found or has more than the buffer takes: most are small, and made and finished at once.
final class BodyFile {
  let path: String
  /// libcurl hands bytes over 16 KiB at a time; the file system takes large writes a fifth faster.
  let buffer: WriteBuffer
  /// Bytes that were there when it was opened.
  let start: Int64
  /// Negative while there is no file.
  private var descriptor: Int32 = -1
  /// Known once somebody asked.
  private var inode: UInt64 = 0
  /// Without a name nothing is left of it when the process dies.
  private var isNamed = false
  /// Of the bytes that are in the file; `nil` when nobody wants it.
  private var digest: ContentDigest?

  /// - Parameters:
  ///   - path: where it will be; nothing may be there.
  ///   - buffer: empty, and the file's own until it is finished or removed.
  init(path: String, buffer: WriteBuffer, digests: Bool) {
    self.path = path
    self.buffer = buffer
    digest = digests ? ContentDigest() : nil
    start = 0
  }

  /// Makes the file, if there is none; nobody else may read it.
  private func create(named: Bool) throws(TransferError) {
    guard descriptor < 0 else { return }
    if !named { descriptor = xp_open_unnamed(path, 0o600) }
    isNamed = descriptor < 0
    if isNamed { descriptor = xp_open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600) }
    if descriptor >= 0 { return }
    isNamed = false
    throw .file(.cannotCreateFile, errno, "the temporary file \(path) cannot be created")
  }

  /// Goes on with a file that another task left. It is renamed, so that only one can have it.
  ///
  /// - Parameters:
  ///   - offset: how many of its bytes are wanted; `nil` for all that it has.
  ///   - limit: no more than these.
  init(
    adopting partial: PartialFile, as path: String, offset: Int64?, limit: Int64, buffer: WriteBuffer, digests: Bool
  ) throws(TransferError) {
    self.path = path
    self.buffer = buffer
    inode = partial.inode
    isNamed = true
    let descriptor = xp_open(partial.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
    guard descriptor >= 0 else { throw .file(.cannotOpenFile, errno, "the partial file \(partial.path) cannot be opened") }
    var status = stat()
    let isFound = fstat(descriptor, &status) == 0
    let start = min(offset ?? Int64(status.st_size), limit)
    // One byte more than is wanted may be there: the last of a resource whose end nobody has written down.
    let isTooLong = Int64(status.st_size) > limit && Int64(status.st_size) - limit > 1
    guard isFound, UInt64(status.st_ino) == partial.inode, status.st_mode & S_IFMT == S_IFREG, start >= 0, !isTooLong,
      // Bytes that somebody else may have written are of no version.
      status.st_uid == geteuid(), status.st_nlink == 1, status.st_mode & 0o077 == 0, Int64(status.st_size) >= start,
      ftruncate(descriptor, off_t(start)) == 0,
      lseek(descriptor, off_t(start), SEEK_SET) == off_t(start)
    else {
      close(descriptor)
      throw .file(.cannotOpenFile, ENOENT, "the partial file \(partial.path) is not the one that was left")
    }
    guard rename(partial.path, path) == 0 else {
      let problem = errno
      close(descriptor)
      throw .file(.cannotOpenFile, problem, "the partial file \(partial.path) cannot be renamed")
    }
    (self.descriptor, self.start) = (descriptor, start)
    if digests { digest = digestOfContents(upTo: start) }
  }

  /// - Returns: `nil` when the file cannot be read: then nothing is said of what it has.
  private func digestOfContents(upTo end: Int64) -> ContentDigest? {
    var digest = ContentDigest()
    var offset: Int64 = 0
    while offset < end {
      let count = buffer.fill(upTo: Int(clamping: end - offset)) { pread(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
      guard count > 0 else { return nil }
      digest.add(buffer.contents)
      offset += Int64(count)
      buffer.clear()
    }
    return digest
  }

  /// Throws away what is there.
  ///
  /// A file that has a name makes way for another: whoever kept that name, and which version's bytes are there, finds nothing rather than
  /// the bytes of another version.
  func restart() throws(TransferError) {
    buffer.clear()
    if digest != nil { digest = ContentDigest() }
    if isNamed {
      remove()
      (isNamed, inode) = (false, 0)
      return
    }
    guard descriptor < 0 || ftruncate(descriptor, 0) == 0 && lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw .file(.cannotWriteToFile, errno, "the temporary file \(path) cannot be emptied")
    }
  }

  /// How another task finds it, once it has its name.
  func partial() throws(TransferError) -> PartialFile {
    try create(named: false)
    if inode == 0 { _ = try status() }
    return PartialFile(path: path, inode: inode)
  }

  private func status() throws(TransferError) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .file(.cannotWriteToFile, errno, "the file \(path) cannot be read back") }
    inode = UInt64(status.st_ino)
    return status
  }

  /// Makes it a file that others can find, even in another process.
  func makeFindable() throws(TransferError) {
    try create(named: true)
    if isNamed { return }
    let result = xp_name_file(descriptor, path)
    guard result == 0 else { throw .file(.cannotCreateFile, result, "the temporary file \(path) cannot be named") }
    isNamed = true
  }

  /// Closes the file, for another task to go on with it.
  func leave() throws(TransferError) -> PartialFile {
    _ = try finish()
    return PartialFile(path: path, inode: inode)
  }

  func append(_ bytes: UnsafeRawBufferPointer) throws(TransferError) {
    var rest = bytes
    while !rest.isEmpty {
      rest = buffer.take(from: rest)
      if buffer.isFull {
        try create(named: false)
        try flush()
      }
    }
  }

  private func flush() throws(TransferError) {
    var rest = buffer.contents
    while !rest.isEmpty {
      let written = write(descriptor, rest.baseAddress, rest.count)
      if written < 0 {
        if errno == EINTR { continue }
        throw .file(.cannotWriteToFile, errno, "the temporary file \(path) cannot be written")
      }
      rest = .init(rebasing: rest[written...])
    }
    digest?.add(buffer.contents)
    buffer.clear()
  }

  /// Ends writing: the file has its final bytes, and is closed unless it is still to be synchronised.
  ///
  /// - Parameter synchronises: whether the bytes have to be brought to the disk before the file is offered. The finished file then keeps
  ///   the descriptor for `UnsynchronisedFile.sync()`.
  func finish(synchronises: Bool = false) throws(TransferError) -> FinishedFile {
    try create(named: true)
    try flush()
    try makeFindable()
    let status = try status()
    var finished = FinishedFile(
      path: path, inode: inode, size: Int64(status.st_size), links: Int(status.st_nlink), content: digest?.value)
    if synchronises {
      finished.unsynchronised = UnsynchronisedFile(descriptor, path: path)
      descriptor = -1
      return finished
    }
    let closed = close(descriptor)
    descriptor = -1
    // Some file systems say only here that they have no room.
    guard closed == 0 else { throw .file(.cannotWriteToFile, errno, "the temporary file \(path) cannot be closed") }
    return finished
  }

  func remove() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
    buffer.clear()
    if isNamed { unlink(path) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}

/// Bytes on their way into a file; used for one file after the other.
final class WriteBuffer {
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 4096)
  private var count = 0

  deinit { memory.deallocate() }

  var isFull: Bool { count == memory.count }
  var contents: UnsafeRawBufferPointer { .init(rebasing: memory[..<count]) }

  func clear() { count = 0 }

  /// Has the room filled by a call like `pread`; what was there is lost.
  ///
  /// - Returns: what the call returned.
  func fill(upTo limit: Int, _ read: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    while true {
      let result = read(.init(rebasing: memory[..<min(limit, memory.count)]))
      if result < 0, errno == EINTR { continue }
      count = max(0, result)
      return result
    }
  }

  /// - Returns: what there was no room for.
  func take(from bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let taken = min(bytes.count, memory.count - count)
    UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: .init(rebasing: bytes[..<taken]))
    count += taken
    return .init(rebasing: bytes[taken...])
  }
}

/// A temporary file that is whole.
struct FinishedFile: Sendable {
  let path: String
  let inode: UInt64
  let size: Int64
  /// Names that it had when it was finished: 0 when somebody has removed it by then.
  let links: Int
  /// `nil` when nobody asked for it.
  var content: ValueDigest?
  /// Keeps the descriptor while the bytes are not on the disk; `nil` when they are, or need not be.
  var unsynchronised: UnsynchronisedFile?

  /// Copies the file for another task; only the owner may read the copy.
  ///
  /// - Parameters:
  ///   - path: must not exist.
  ///   - synchronises: whether the copy's bytes are brought to the disk.
  func copy(to path: String, synchronises: Bool) throws(TransferError) -> FinishedFile {
    var status = stat()
    let result = FilePlacement.copyBytes(from: self.path, to: path, synchronises: synchronises)
    guard result == 0, lstat(path, &status) == 0 else {
      unlink(path)
      throw .file(.cannotCreateFile, result == 0 ? errno : result, "the temporary file \(path) cannot be made")
    }
    return FinishedFile(path: path, inode: UInt64(status.st_ino), size: size, links: Int(status.st_nlink), content: content)
  }

  enum Condition: Equatable {
    case inPlace(links: Int)
    case gone
  }

  func remove() { unlink(path) }

  /// Whether the path still names this very file.
  var condition: Condition {
    var status = stat()
    guard lstat(path, &status) == 0, UInt64(status.st_ino) == inode else { return .gone }
    return .inPlace(links: Int(status.st_nlink))
  }
}

extension TransferError {
  /// An errno of a file operation: of the body's, with libcurl's own code for it; else as itself.
  static func file(_ code: Code, _ osError: Int32, _ problem: String) -> TransferError {
    let said = "\(problem): \(String(cString: strerror(osError)))"
    switch code {
    case .cannotCreateFile, .cannotWriteToFile:
      return TransferError(code, number: 23, osError: Int(osError), stage: .file, problem: said)
    default:
      return TransferError(code, domain: .posix, number: Int(osError), osError: Int(osError), stage: .file, problem: said)
    }
  }
}
