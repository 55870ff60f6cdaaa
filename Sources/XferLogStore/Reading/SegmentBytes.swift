import CXferPlatform
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The bytes of a segment file, read by position.
///
/// The file is never mapped: whoever truncates a mapped file kills every process that looks at the missing pages. What is read is
/// copied into windows, and a window whose bytes are missing is shorter than asked for.
///
/// Most files keep their descriptor. Once a quarter of the process's descriptors is in use for segments, further files are opened
/// for each window, so that a log may have more segments than the process may have descriptors.
final class SegmentBytes {
  /// Why some of the bytes could not be had.
  enum Failure: Equatable {
    /// The file was truncated, or another file took its place.
    case changed
    case system(Int32)
  }

  fileprivate struct Identity: Equatable {
    let device: UInt64
    let inode: UInt64
  }

  /// `nil` for bytes in memory.
  private let path: String?
  private var identity = Identity(device: 0, inode: 0)
  /// -1 between two windows of a file that does not keep its descriptor.
  private var descriptor: Int32 = -1
  private var ownsMemory = false
  /// All bytes of a segment that is in memory; empty for a file.
  private(set) var memory = UnsafeRawBufferPointer(start: nil, count: 0)

  var isInMemory: Bool { path == nil }

  /// The file's size when it was last looked at, at most `largest`.
  private(set) var count = 0
  /// The file's size, however large.
  private(set) var fileSize: UInt64 = 0
  /// The largest size that the file has had.
  private var largestSeen: UInt64 = 0
  private var modified = (seconds: Int64(0), nanoseconds: Int64(0))
  private(set) var failure: Failure?
  /// How often a window was filled.
  var loads = 0

  /// No segment is larger: 64 MiB of chunks, and what sealing adds to each of them. What a file has behind that is not read.
  static let largest = 96 << 20

  /// Opens a regular file. Anything else is refused: a pipe would never answer, and a device never end.
  init(path: String) throws(SystemError) {
    self.path = path
    let (opened, status) = try Self.open(path)
    identity = Identity(status)
    note(status)
    modified = Self.modified(status)
    if Self.kept.add(1, ordering: .relaxed).oldValue < Self.keptLimit {
      descriptor = opened
    } else {
      Self.kept.subtract(1, ordering: .relaxed)
      close(opened)
    }
  }

  /// What was made in memory, as if it were a file.
  init(_ contents: [UInt8]) {
    path = nil
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: contents.count, alignment: 8)
    room.copyBytes(from: contents)
    memory = .init(room)
    ownsMemory = true
    (count, fileSize) = (contents.count, UInt64(contents.count))
  }

  /// Bytes that stay where they are for as long as this is used.
  init(viewing bytes: UnsafeRawBufferPointer) {
    path = nil
    memory = bytes
    (count, fileSize) = (bytes.count, UInt64(bytes.count))
  }

  deinit {
    if ownsMemory { memory.deallocate() }
    if descriptor >= 0 {
      close(descriptor)
      Self.kept.subtract(1, ordering: .relaxed)
    }
  }

  // MARK: Descriptors

  /// Segment files that keep their descriptor, in the whole process.
  private static let kept = Atomic<Int64>(0)

  private static var keptLimit: Int64 { max(1, xp_descriptor_limit() / 4) }

  private static func open(_ path: String) throws(SystemError) -> (descriptor: Int32, status: stat) {
    // Whatever else stands under this name must make nobody wait.
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

  /// Runs a body with the file's descriptor, which is opened for it where it is not kept.
  private func withDescriptor<Result>(_ body: (Int32) -> Result) -> Result? {
    if descriptor >= 0 { return body(descriptor) }
    guard let path else { return nil }
    do throws(SystemError) {
      let (opened, status) = try Self.open(path)
      defer { close(opened) }
      guard Identity(status) == identity else {
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

  /// Looks at the file's size again.
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

  /// Whether the file is shorter than it has been.
  var hasShrunk: Bool { fileSize < largestSeen }

  /// Whether nobody has written to the file since it was opened; for one that nobody writes to.
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

  // MARK: Bytes

  /// Copies what the file has from an offset on.
  ///
  /// - Returns: how many bytes those were; fewer than there is room for where the file ends, or cannot be read.
  func read(from offset: Int, into room: UnsafeMutableRawBufferPointer) -> Int {
    guard offset >= 0, offset < Self.largest, let base = room.baseAddress else { return 0 }
    let wanted = min(room.count, Self.largest - offset)
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

  /// Copies bytes where the file has them all.
  func copy(from offset: Int, into bytes: UnsafeMutableRawBufferPointer) -> Bool {
    read(from: offset, into: bytes) == bytes.count
  }

  /// A word of the file; 0 where the file has none.
  func word(at offset: Int) -> UInt32 {
    var word: UInt32 = 0
    return withUnsafeMutableBytes(of: &word) { copy(from: offset, into: $0) } ? UInt32(littleEndian: word) : 0
  }

  /// Bytes that the file is known to have; where it has them no more, it was changed.
  ///
  /// - Parameter range: cut to what the file has.
  func window(_ range: Range<Int>) -> FileWindow {
    let range = range.clamped(to: 0..<count)
    let window = FileWindow(self, range, loading: range.count)
    if window.bytes.count < range.count { failure = failure ?? .changed }
    return window
  }

  /// All that the file has now.
  func contents() -> [UInt8] {
    refresh()
    return Array(unsafeUninitializedCapacity: count) { room, count in count = read(from: 0, into: .init(room)) }
  }

  /// The same, in memory.
  func loaded() -> SegmentBytes {
    let loaded = SegmentBytes(contents())
    (loaded.fileSize, loaded.largestSeen) = (fileSize, largestSeen)
    loaded.failure = failure
    return loaded
  }
}

extension stat {
  /// What stands under a name, for people; `nil` for a regular file.
  var kind: String? {
    switch st_mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "a directory"
    case S_IFIFO: "a pipe"
    case S_IFSOCK: "a socket"
    case S_IFCHR, S_IFBLK: "a device"
    default: "no regular file"
    }
  }
}

extension SegmentBytes.Identity {
  fileprivate init(_ status: stat) {
    self.init(
      device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino))
  }
}
