import CXferPlatform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The classification of a path as a log input.
package enum LogRecognition {
  case nothing
  /// A directory that is empty or contains only a file of levels. Logs may be written there later.
  case emptyDirectory
  /// The logs, and what else a searched directory contains.
  case inputs([LogReader.Input], LogSearch? = nil)
  /// The path exists, but is not a log or cannot be opened.
  case refused(LogError)

  /// Classifies a path: a log directory, a segment file, or a directory that contains logs.
  package init(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let problem = errno
      self = problem == ENOENT || problem == ENOTDIR ? .nothing : .refused(Self.cannotOpen(path, problem))
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: self = Self.directory(path)
    case S_IFREG: self = Self.file(path)
    case S_IFIFO: self = .refused(Self.notALog(path, "it is a pipe; to read a segment from a pipe, pass `-`"))
    case S_IFSOCK: self = .refused(Self.notALog(path, "it is a socket"))
    case S_IFCHR, S_IFBLK: self = .refused(Self.notALog(path, "it is a device"))
    default: self = .refused(Self.notALog(path, "it is neither a regular file nor a directory"))
    }
  }

  /// Returns whether a file with these first bytes is a segment. Eight bytes are enough.
  package static func isSegment(beginningWith bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= 8 && UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)) == SegmentFormat.magic
  }

  /// Returns whether a file is a segment.
  package static func isSegment(at path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return withUnsafeTemporaryAllocation(byteCount: 8, alignment: 8) { bytes in
      pread(descriptor, bytes.baseAddress, 8, 0) == 8 && isSegment(beginningWith: UnsafeRawBufferPointer(bytes))
    }
  }

  /// The maximum size of a segment file in bytes.
  package static var largestSegment: Int { SegmentBytes.largest }

  private static func directory(_ path: String) -> LogRecognition {
    let search = LogSearch(path)
    if !search.inputs.isEmpty { return .inputs(search.inputs, search) }
    if let problem = search.problems.first { return .refused(problem) }
    if search.ignored.isEmpty { return .emptyDirectory }
    return .refused(notALog(path, "the directory contains neither segments (.seg) nor logs (.xlog)"))
  }

  private static func file(_ path: String) -> LogRecognition {
    let descriptor = xp_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0)
    guard descriptor >= 0 else { return .refused(cannotOpen(path, errno)) }
    defer { _ = close(descriptor) }
    // The file may have been replaced since `stat`, so check its type again.
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return .refused(notALog(path, "it is not a regular file"))
    }
    var magic: UInt64 = 0
    let count = withUnsafeMutableBytes(of: &magic) { pread(descriptor, $0.baseAddress, $0.count, 0) }
    let begins = count == 8 && UInt64(littleEndian: magic) == SegmentFormat.magic
    // A damaged segment without magic bytes is recognised by its name, so that its reader can report the damage.
    if begins || path.hasSuffix(LogDirectory.segmentSuffix) { return .inputs([.segment(path)]) }
    return .refused(notALog(path, count == 0 ? "the file is empty" : "its first bytes are not those of a segment"))
  }

  private static func notALog(_ path: String, _ problem: String) -> LogError {
    LogError(
      .notALog, place: path, problem: "not a log: \(problem)",
      advice: "Pass a .xlog directory, one of its .seg files, or a directory that contains .xlog directories.")
  }

  static func cannotOpen(_ path: String, _ problem: Int32) -> LogError {
    LogError(
      .cannotOpen, place: path, problem: "it cannot be opened (\(systemText(problem)))", advice: "Check its permissions.",
      osError: problem)
  }
}
