internal import CXferPlatform
internal import XferEvents

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The temporary file of a download that the engine is writing. Used only on the engine's thread.
///
/// The file is created when the buffer is full or the file needs a name, so that a small download creates and finishes it in
/// one step.
final class BodyFile {
  let path: String
  /// The buffer that gathers libcurl's chunks of 16 KiB, because large writes are about 20 % faster.
  let buffer: WriteBuffer
  /// The size of the partial file that is being resumed, in bytes. 0 for a new file.
  let start: Int64
  /// The open descriptor. Negative while the file does not exist.
  private var descriptor: Int32 = -1
  /// The file's inode number. 0 until it was queried.
  private var inode: UInt64 = 0
  /// Whether the file has a directory entry. A file without one disappears when the process ends.
  private var isNamed = false
  /// The digest of the bytes in the file. `nil` if no digest was requested.
  private var digest: ContentDigest?

  /// - Parameters:
  ///   - path: The path of the future file, which must not exist.
  ///   - buffer: An empty buffer that no other file uses until this file is finished or removed.
  ///   - digests: Whether to compute a digest of the content.
  init(path: String, buffer: WriteBuffer, digests: Bool) {
    self.path = path
    self.buffer = buffer
    digest = digests ? ContentDigest() : nil
    start = 0
  }

  /// Creates the file if it does not exist. Only its owner may read it.
  ///
  /// - Parameter named: Whether the file gets its directory entry now. Otherwise it is created without a name if the system
  ///   supports it.
  private func create(named: Bool) throws(TransferError) {
    guard descriptor < 0 else { return }
    if !named { descriptor = xp_open_unnamed(path, 0o600) }
    isNamed = descriptor < 0
    if isNamed { descriptor = xp_open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600) }
    if descriptor >= 0 { return }
    isNamed = false
    throw .file(.cannotCreateFile, errno, "the temporary file \(path) cannot be created")
  }

  /// Resumes a partial file that another task left. Renames the file, so that only one task can resume it.
  ///
  /// - Parameters:
  ///   - partial: The path and the inode of the partial file.
  ///   - path: The new path of the file.
  ///   - offset: The number of bytes to keep. `nil` means all bytes.
  ///   - limit: The maximum number of bytes to keep. One byte less than the size of the resource, if known.
  /// - Throws: An error if the file is missing, was replaced, or could have been changed by another user.
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
    // A file that contains the whole resource has one byte more than the limit, so only a longer file is rejected.
    let isTooLong = Int64(status.st_size) > limit && Int64(status.st_size) - limit > 1
    guard isFound, UInt64(status.st_ino) == partial.inode, status.st_mode & S_IFMT == S_IFREG, start >= 0, !isTooLong,
      // A file that another user can write may contain bytes from another source, so it is rejected.
      status.st_uid == geteuid(), status.st_nlink == 1, status.st_mode & 0o077 == 0, Int64(status.st_size) >= start,
      ftruncate(descriptor, off_t(start)) == 0,
      lseek(descriptor, off_t(start), SEEK_SET) == off_t(start)
    else {
      close(descriptor)
      throw .file(.cannotOpenFile, ENOENT, "the partial file \(partial.path) was replaced or changed")
    }
    guard rename(partial.path, path) == 0 else {
      let problem = errno
      close(descriptor)
      throw .file(.cannotOpenFile, problem, "the partial file \(partial.path) cannot be renamed")
    }
    (self.descriptor, self.start) = (descriptor, start)
    if digests { digest = digestOfContents(upTo: start) }
  }

  /// Returns the digest of the first `end` bytes of the file, or `nil` if the file cannot be read. The log then has no digest.
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

  /// Discards all bytes, for a download that starts from the beginning.
  ///
  /// A named file is removed instead of truncated: resume data that refers to the file must not find the bytes of another
  /// version.
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

  /// Returns the path and inode by which another task can find the file once it is named.
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

  /// Gives the file its directory entry, so that other tasks and processes can find it.
  func makeFindable() throws(TransferError) {
    try create(named: true)
    if isNamed { return }
    let result = xp_name_file(descriptor, path)
    guard result == 0 else { throw .file(.cannotCreateFile, result, "the temporary file \(path) cannot be named") }
    isNamed = true
  }

  /// Closes the file and keeps it, so that another task can resume it.
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

  /// Writes the remaining bytes, names the file and closes it.
  ///
  /// - Parameter synchronises: Whether the file must be synchronised before the app gets it. The descriptor then stays open for
  ///   `UnsynchronisedFile.sync()`.
  func finish(synchronises: Bool = false) throws(TransferError) -> FinishedFile {
    try create(named: true)
    try flush()
    try makeFindable()
    let status = try status()
    var finished = FinishedFile(
      path: path, inode: inode, size: Int64(status.st_size), content: digest?.value)
    if synchronises {
      finished.unsynchronised = UnsynchronisedFile(descriptor, path: path)
      descriptor = -1
      return finished
    }
    let closed = close(descriptor)
    descriptor = -1
    // Some file systems, such as NFS, report a full disk only when the file is closed.
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

/// A buffer of 256 KiB for the bytes of a file that is being written. Reused for one file after the other.
final class WriteBuffer {
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 4096)
  private var count = 0

  deinit { memory.deallocate() }

  var isFull: Bool { count == memory.count }
  var contents: UnsafeRawBufferPointer { .init(rebasing: memory[..<count]) }

  func clear() { count = 0 }

  /// Fills the buffer with a call such as `pread`, replacing its contents.
  ///
  /// - Returns: The result of the call.
  func fill(upTo limit: Int, _ read: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    while true {
      let result = read(.init(rebasing: memory[..<min(limit, memory.count)]))
      if result < 0, errno == EINTR { continue }
      count = max(0, result)
      return result
    }
  }

  /// Copies bytes into the buffer until it is full.
  ///
  /// - Returns: The bytes that did not fit.
  func take(from bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let taken = min(bytes.count, memory.count - count)
    UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: .init(rebasing: bytes[..<taken]))
    count += taken
    return .init(rebasing: bytes[taken...])
  }
}

/// A temporary file with the complete body of a download.
struct FinishedFile: Sendable {
  let path: String
  let inode: UInt64
  let size: Int64
  /// The digest of the content. `nil` if no digest was requested.
  var content: ValueDigest?
  /// The open descriptor while the bytes still have to be synchronised. `nil` if no synchronisation is needed.
  var unsynchronised: UnsynchronisedFile?

  /// Copies the file for another task; only the owner may read the copy.
  ///
  /// - Parameters:
  ///   - path: The path of the copy, which must not exist.
  ///   - synchronises: Whether the copy's bytes are synchronised to the disk.
  func copy(to path: String, synchronises: Bool) throws(TransferError) -> FinishedFile {
    var status = stat()
    let result = FilePlacement.copyBytes(from: self.path, to: path, synchronises: synchronises)
    guard result == 0, lstat(path, &status) == 0 else {
      unlink(path)
      throw .file(.cannotCreateFile, result == 0 ? errno : result, "the temporary file \(path) cannot be created")
    }
    return FinishedFile(path: path, inode: UInt64(status.st_ino), size: size, content: content)
  }

  enum Condition: Equatable {
    case inPlace(links: Int)
    case gone
  }

  func remove() { unlink(path) }

  /// Whether the path still names this file, judged by the inode. If it does, also the file's number of hard links.
  var condition: Condition {
    var status = stat()
    guard lstat(path, &status) == 0, UInt64(status.st_ino) == inode else { return .gone }
    return .inPlace(links: Int(status.st_nlink))
  }
}

extension TransferError {
  /// Returns the error for an errno of a file operation. The error number is libcurl's code 23 if the body could not be written,
  /// and the errno in all other cases.
  static func file(_ code: Code, _ osError: Int32, _ problem: String) -> TransferError {
    let text = "\(problem): \(String(cString: strerror(osError)))"
    switch code {
    case .cannotCreateFile, .cannotWriteToFile:
      return TransferError(code, number: 23, osError: Int(osError), stage: .file, problem: text)
    default:
      return TransferError(code, domain: .posix, number: Int(osError), osError: Int(osError), stage: .file, problem: text)
    }
  }
}
