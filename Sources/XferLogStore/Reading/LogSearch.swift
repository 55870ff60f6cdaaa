#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The logs in a directory and its subdirectories, and everything else that was found there.
///
/// A directory is a log if its name ends in `.xlog` or if it contains segments. Segments under other names, such as copies, are
/// recognised by their first bytes. Symbolic links are followed, and each directory is searched only once.
package struct LogSearch {
  /// The logs and single segments, in the order of their paths.
  package private(set) var inputs: [LogReader.Input] = []
  /// The paths of files that are not logs, and of directories that are hidden and therefore not searched.
  package private(set) var ignored: [String] = []
  /// The places that may contain logs but could not be searched.
  package private(set) var problems: [LogError] = []

  private var visited: Set<FileIdentity> = []
  private var entries = 0

  /// The maximum nesting of directories.
  private static let depthLimit = 16
  /// The maximum number of entries in all directories, which stops a search through a whole disk.
  private static let entryLimit = 100_000
  /// The suffixes of the files that a log's writers and readers create. `LogReader` decides about these files.
  private static let ownSuffixes = [LogDirectory.segmentSuffix, LogDirectory.observedSuffix, LogDirectory.retiredSuffix]

  /// Whether a file of a log belongs to the log. A segment that is being sealed is written to a file named after the segment and the
  /// sealing process.
  private static func isOwn(_ name: String) -> Bool {
    name.hasSuffix(LogDirectory.draftSuffix) || ownSuffixes.contains { LogDirectory.number(of: name, $0) != nil }
  }

  /// Searches a directory.
  package init(_ directory: String) {
    var path = directory[...]
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    search(directory, named: path.split(separator: "/").last ?? path, depth: 0)
  }

  private mutating func search(_ path: String, named name: Substring, depth: Int) {
    var status = stat()
    guard stat(path, &status) == 0 else { return problems.append(LogRecognition.cannotOpen(path, errno)) }
    guard visited.insert(FileIdentity(status)).inserted else { return }
    guard depth < Self.depthLimit else { return problems.append(Self.notSearched(path, "it is nested too deeply")) }
    let names: [String]
    do throws(SystemError) {
      names = try LogDirectory.listedNames(in: path)
    } catch {
      // A log's reader reports that the log cannot be listed.
      if depth > 0, name.hasSuffix(LogDirectory.suffix) { return inputs.append(.directory(path)) }
      return problems.append(LogRecognition.cannotOpen(path, error.number))
    }
    entries += names.count
    guard entries <= Self.entryLimit else {
      return problems.append(Self.notSearched(path, "its parent has more than \(Self.entryLimit) entries"))
    }
    let isLog = name.hasSuffix(LogDirectory.suffix) || names.contains { LogDirectory.number(of: $0) != nil }
    if isLog { inputs.append(.directory(path)) }
    let base = path.hasSuffix("/") ? path : path + "/"
    for name in names {
      if name == LevelFile.name || isLog && Self.isOwn(name) { continue }
      take(base + name, named: name[...], depth: depth + 1)
    }
  }

  private mutating func take(_ path: String, named name: Substring, depth: Int) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let problem = errno
      let isLog = [LogDirectory.suffix, LogDirectory.segmentSuffix].contains { name.hasSuffix($0) }
      if isLog || problem != ENOENT { return problems.append(LogRecognition.cannotOpen(path, problem)) }
      return ignored.append(path)
    }
    let isHidden = name.hasPrefix(".")
    switch status.st_mode & S_IFMT {
    case S_IFDIR where isHidden && !name.hasSuffix(LogDirectory.suffix): ignored.append(path)
    case S_IFDIR: search(path, named: name, depth: depth)
    case S_IFREG:
      switch LogRecognition(path: path) {
      case .inputs(let found, _): inputs += found
      case .refused(let error) where error.code == .cannotOpen: problems.append(error)
      case .nothing, .emptyDirectory, .refused: if !isHidden { ignored.append(path) }
      }
    default: ignored.append(path)
    }
  }

  private static func notSearched(_ path: String, _ reason: String) -> LogError {
    LogError(
      .cannotOpen, place: path, problem: "it was not searched for logs: \(reason)", advice: "Name the logs in it as arguments.",
      osError: nil)
  }
}
