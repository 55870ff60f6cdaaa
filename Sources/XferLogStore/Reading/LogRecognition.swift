import CXferPlatform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What stands at a path, as far as logs are concerned.
package enum LogRecognition {
  case nothing
  /// A directory without anything but levels that were set beforehand: a place for logs that has none.
  case emptyDirectory
  case inputs([LogReader.Input])
  /// Something is there, but no log, or it cannot be opened.
  case refused(LogError)

  /// Looks at a log directory, a segment, or a directory that holds logs.
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
    default: self = .refused(Self.notALog(path, "it is neither a file nor a directory"))
    }
  }

  private static func directory(_ path: String) -> LogRecognition {
    guard let stream = opendir(path) else { return .refused(cannotOpen(path, errno)) }
    closedir(stream)
    var name = path[...]
    while name.count > 1, name.hasSuffix("/") { name.removeLast() }
    if name.hasSuffix(LogDirectory.suffix) || !LogDirectory.segments(in: path).isEmpty { return .inputs([.directory(path)]) }
    let names = LogDirectory.names(in: path).filter { $0 != LevelFile.name }
    if names.isEmpty { return .emptyDirectory }
    let logs = names.filter { $0.hasSuffix(LogDirectory.suffix) }
    if logs.isEmpty { return .refused(notALog(path, "the directory holds neither segments (.seg) nor logs (.xlog)")) }
    return .inputs(logs.map { .directory("\(path)/\($0)") })
  }

  private static func file(_ path: String) -> LogRecognition {
    let descriptor = xp_open(path, O_RDONLY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { return .refused(cannotOpen(path, errno)) }
    defer { _ = close(descriptor) }
    var magic: UInt64 = 0
    let count = withUnsafeMutableBytes(of: &magic) { pread(descriptor, $0.baseAddress, $0.count, 0) }
    let begins = count == 8 && UInt64(littleEndian: magic) == SegmentFormat.magic
    // A segment that was damaged at its very beginning still has its name, and its reader says what is wrong.
    if begins || path.hasSuffix(LogDirectory.segmentSuffix) { return .inputs([.segment(path)]) }
    return .refused(notALog(path, count == 0 ? "the file is empty" : "its first bytes are not those of a segment"))
  }

  private static func notALog(_ path: String, _ problem: String) -> LogError {
    LogError(
      .notALog, place: path, problem: "not a log: \(problem)",
      advice: "Name a .xlog directory, one of its .seg segments, or a directory that holds .xlog directories.")
  }

  private static func cannotOpen(_ path: String, _ problem: Int32) -> LogError {
    LogError(
      .cannotOpen, place: path, problem: "it cannot be opened (\(systemText(problem)))", advice: "Check that you may read it.",
      osError: problem)
  }
}
