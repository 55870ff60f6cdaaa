import CXferPlatform
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The bytes of a segment file, read by offset.
///
/// The file is never mapped, because a process that accesses a truncated page of a mapping is killed. Bytes are copied into
/// windows instead; a window is shorter than requested if the file lacks the bytes.
///
/// Most files keep their descriptor open. Once segments use a quarter of the process's descriptors, further files are
/// reopened for each access, so that a log may have more segments than the process may have descriptors.
final class SegmentBytes {
  /// The reason why some bytes could not be read.
  enum Failure: Equatable {
    /// The file was truncated or replaced.
    case changed
    /// A system call failed with this errno value.
    case system(Int32)
  }

  /// The path of the file; `nil` for bytes in memory.
  private let path: String?
  /// `nil` for bytes in memory.
  private(set) var identity: FileIdentity?
  /// The open descriptor; -1 if the file is reopened for each access.
  private var descriptor: Int32 = -1
  private var ownsMemory = false
  /// The bytes of a segment that is in memory; empty for a file.
  private(set) var memory = UnsafeRawBufferPointer(start: nil, count: 0)

  var isInMemory: Bool { path == nil }

  /// The file size at the last check in bytes, at most `largest`.
  private(set) var count = 0
  /// The file size in bytes without a limit.
  private(set) var fileSize: UInt64 = 0
  /// The largest file size seen so far.
  private var largestSeen: UInt64 = 0
  private var modified = (seconds: Int64(0), nanoseconds: Int64(0))
  private(set) var failure: Failure?
  /// The number of reads into windows.
  var loads = 0
  /// The bytes of a small file that no process writes to; empty for other files.
  private var unchanging: [UInt8] = []

  /// The maximum size in bytes of a file that is read at once.
  private static let small = 64 << 10
  /// The number of bytes of all such files in memory, and its maximum, because a log may have very many small segments.
  private static let readAtOnce = Atomic<Int>(0)
  private static let readAtOnceLimit = 4 << 20

  /// The maximum size of a segment in bytes: 64 MiB of chunks plus the overhead of sealing. Bytes after it are ignored.
  static let largest = 96 << 20

  /// Opens a regular file. Throws for any other file type, because reading a pipe could block and a device may never end.
  init(path: String) throws(SystemError) {
    self.path = path
    let (opened, status) = try Self.open(path)
    identity = FileIdentity(status)
    note(status)
    modified = Self.modified(status)
    if Self.kept.add(1, ordering: .relaxed).oldValue < Self.keptLimit {
      descriptor = opened
    } else {
      Self.kept.subtract(1, ordering: .relaxed)
      close(opened)
    }
  }

  /// Creates a segment from bytes in memory, which are copied.
  init(_ contents: [UInt8]) {
    path = nil
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: contents.count, alignment: 8)
    room.copyBytes(from: contents)
    memory = .init(room)
    ownsMemory = true
    (count, fileSize) = (contents.count, UInt64(contents.count))
  }

  /// Creates a view of bytes, which must stay valid while this object is used.
  init(viewing bytes: UnsafeRawBufferPointer) {
    path = nil
    memory = bytes
    (count, fileSize) = (bytes.count, UInt64(bytes.count))
  }

  deinit {
    if ownsMemory { memory.deallocate() }
    Self.readAtOnce.subtract(unchanging.count, ordering: .relaxed)
    if descriptor >= 0 {
      close(descriptor)
      Self.kept.subtract(1, ordering: .relaxed)
    }
  }

  // MARK: Descriptors

  /// The number of segment files in this process that keep their descriptor open.
  private static let kept = Atomic<Int64>(0)

  private static var keptLimit: Int64 { max(1, xp_descriptor_limit() / 4) }

  private static func open(_ path: String) throws(SystemError) -> (descriptor: Int32, status: stat) {
    // `O_NONBLOCK` keeps a pipe or device of this name from blocking the open.
    let descriptor = xp_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0)
    guard descriptor >= 0 else { throw SystemError(number: errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let problem = errno
      close(descriptor)
      throw SystemError(number: problem)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw SystemError(number: EINVAL, found: status.kind)
    }
    return (descriptor, status)
  }

  /// Calls a closure with the file's descriptor, opening the file if needed.
  private func withDescriptor<Result>(_ body: (Int32) -> Result) -> Result? {
    if descriptor >= 0 { return body(descriptor) }
    guard let path else { return nil }
    do throws(SystemError) {
      let (opened, status) = try Self.open(path)
      defer { close(opened) }
      guard FileIdentity(status) == identity else {
        failure = failure ?? .changed
        return nil
      }
      return body(opened)
    } catch {
      failure = failure ?? (error.number == ENOENT ? .changed : .system(error.number))
      return nil
    }
  }

  // MARK: Size

  /// Updates the file size.
  func refresh() {
    if path == nil { return }
    var status = stat()
    if withDescriptor({ fstat($0, &status) }) == 0 { note(status) }
  }

  private func note(_ status: stat) {
    fileSize = UInt64(max(0, status.st_size))
    largestSeen = max(largestSeen, fileSize)
    count = Int(min(fileSize, UInt64(Self.largest)))
  }

  /// Whether the file is larger than any segment.
  var isTooLarge: Bool { fileSize > UInt64(Self.largest) }

  /// Whether the file has become smaller since it was opened.
  var hasShrunk: Bool { fileSize < largestSeen }

  /// Returns whether a segment that is no longer written is unchanged since it was opened.
  func isUntouched() -> Bool {
    if path == nil { return true }
    var status = stat()
    guard withDescriptor({ fstat($0, &status) }) == 0 else { return false }
    return UInt64(max(0, status.st_size)) == fileSize && Self.modified(status) == modified
  }

  private static func modified(_ status: stat) -> (seconds: Int64, nanoseconds: Int64) {
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return (Int64(time.tv_sec), Int64(time.tv_nsec))
  }

  // MARK: Reading

  /// Reads all bytes of a small file to which no process writes, because one system call takes less time than one for each part.
  /// `isUntouched` finds out whether the file is changed nevertheless.
  func readAtOnce() {
    if path == nil || count > Self.small || Self.readAtOnce.load(ordering: .relaxed) > Self.readAtOnceLimit { return }
    let bytes = contents()
    guard bytes.count == count else { return }
    unchanging = bytes
    Self.readAtOnce.add(bytes.count, ordering: .relaxed)
  }

  /// Copies bytes from an offset on.
  ///
  /// - Returns: The number of bytes copied, which is less than requested at the end of the file or after an error.
  func read(from offset: Int, into room: UnsafeMutableRawBufferPointer) -> Int {
    guard offset >= 0, offset < Self.largest, let base = room.baseAddress else { return 0 }
    let wanted = min(room.count, Self.largest - offset)
    if offset + wanted <= unchanging.count {
      unchanging.withUnsafeBytes { room.copyMemory(from: .init(rebasing: $0[offset..<offset + wanted])) }
      return wanted
    }
    guard path != nil else {
      let present = min(wanted, max(0, memory.count - offset))
      if present > 0 { room.copyMemory(from: .init(rebasing: memory[offset..<offset + present])) }
      return present
    }
    let (got, problem) =
      withDescriptor { descriptor -> (Int, Int32?) in
        var done = 0
        while done < wanted {
          let count = pread(descriptor, base + done, wanted - done, off_t(offset + done))
          if count < 0, errno == EINTR { continue }
          if count < 0 { return (done, errno) }
          if count == 0 { break }
          done += count
        }
        return (done, nil)
      } ?? (0, nil)
    if let problem { failure = failure ?? .system(problem) }
    return got
  }

  /// Copies bytes from an offset on.
  ///
  /// - Returns: Whether all requested bytes were available.
  func copy(from offset: Int, into bytes: UnsafeMutableRawBufferPointer) -> Bool {
    read(from: offset, into: bytes) == bytes.count
  }

  /// Returns a little-endian 32-bit word of the file; 0 if the file does not contain it.
  func word(at offset: Int) -> UInt32 {
    var word: UInt32 = 0
    return withUnsafeMutableBytes(of: &word) { copy(from: offset, into: $0) } ? UInt32(littleEndian: word) : 0
  }

  /// Returns a window of bytes that the file contains. If bytes have disappeared since the last size check, the file is
  /// marked as changed.
  ///
  /// - Parameter range: The byte range, clamped to the file's size.
  func window(_ range: Range<Int>) -> FileWindow {
    let range = range.clamped(to: 0..<count)
    let window = FileWindow(self, range, loading: range.count)
    if window.bytes.count < range.count { failure = failure ?? .changed }
    return window
  }

  /// Returns the segment's header and its recorded end; `nil` if the header is damaged.
  func head() -> (header: SegmentHeader, end: SegmentHeader.End?)? {
    let head = window(0..<SegmentFormat.headerSize)
    return withExtendedLifetime(head) {
      (try? SegmentHeader.decode(head.bytes).get()).map { ($0, SegmentHeader.end(in: head.bytes)) }
    }
  }

  /// Returns all current bytes of the file.
  func contents() -> [UInt8] {
    refresh()
    return Array(unsafeUninitializedCapacity: count) { room, count in count = read(from: 0, into: .init(room)) }
  }

  /// Returns a segment in memory with a copy of this segment's bytes.
  func loaded() -> SegmentBytes {
    let loaded = SegmentBytes(contents())
    (loaded.fileSize, loaded.largestSeen) = (fileSize, largestSeen)
    loaded.failure = failure
    return loaded
  }
}

extension stat {
  /// A description of the file type for messages; `nil` for a regular file.
  var kind: String? {
    switch st_mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "a directory"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    case S_IFCHR, S_IFBLK: "a device"
    default: "not a regular file"
    }
  }
}
