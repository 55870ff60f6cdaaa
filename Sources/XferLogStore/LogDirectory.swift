import CXferPlatform
import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The naming and location of logs: a log is a directory of numbered segment files.
public enum LogDirectory {
  /// The suffix of a log directory's name.
  public static let suffix = ".xlog"
  static let segmentSuffix = ".seg"
  /// The suffix of an empty marker file. The marker means that the termination of the segment's writer has been recorded in
  /// the log.
  static let observedSuffix = ".observed"
  /// The suffix that retention gives a segment before deleting it.
  static let retiredSuffix = ".retired"
  /// The suffix of a sealed copy until it replaces the original segment.
  static let draftSuffix = ".sealing"

  /// Returns the default log path: `$XFERLOG_DIR`, or `log.xlog` in xferlog's state directory when that is not set.
  public static func standard(environment: [String: String]) -> String {
    if let given = environment.withoutEmptyVariables["XFERLOG_DIR"] { return given }
    return stateDirectory(environment: environment) + "/log" + suffix
  }

  /// Returns the part of a path behind its last slash.
  static func fileName(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.utf8.index(after: $0)...]) } ?? path
  }

  /// Returns xferlog's state directory: `$XDG_STATE_HOME/xferlog`, or `~/.local/state/xferlog` when that is not set. On
  /// iOS, the directory `xferlog` in Application Support, because an app cannot create `.local` in its container.
  public static func stateDirectory(environment: [String: String]) -> String {
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/xferlog" }
    let home = environment.withoutEmptyVariables["HOME"] ?? ""
    #if canImport(Darwin) && !os(macOS)
      return home + "/Library/Application Support/xferlog"
    #else
      return home + "/.local/state/xferlog"
    #endif
  }

  /// Returns the path of a segment file, or of a companion file with another suffix.
  static func path(of number: UInt32, in directory: String, _ suffix: String = segmentSuffix) -> String {
    "\(directory)/\(name(of: number, suffix))"
  }

  static func name(of number: UInt32, _ suffix: String = segmentSuffix) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 6 - digits.count)) + digits + suffix
  }

  /// Returns the log's segments in ascending order of number, or an empty array if the directory cannot be read.
  static func segments(in directory: String) -> [(number: UInt32, path: String)] { numbered(segmentSuffix, in: directory) }

  /// Returns the log's segments in ascending order of number, and throws if the directory cannot be listed completely.
  static func listedSegments(in directory: String) throws(SystemError) -> [(number: UInt32, path: String)] {
    try listedFiles(in: directory).segments
  }

  /// Returns the log's segments in ascending order of number, and the numbers of those that retention is removing.
  static func listedFiles(
    in directory: String
  ) throws(SystemError) -> (segments: [(number: UInt32, path: String)], retired: [UInt32]) {
    let names = try listedNames(in: directory)
    return (numbered(segmentSuffix, names: names, in: directory), names.compactMap { number(of: $0, retiredSuffix) })
  }

  /// Returns the files whose names consist of a number and the suffix, in ascending order of number.
  static func numbered(_ suffix: String, in directory: String) -> [(number: UInt32, path: String)] {
    numbered(suffix, names: names(in: directory), in: directory)
  }

  private static func numbered(
    _ suffix: String, names: [String], in directory: String
  ) -> [(number: UInt32, path: String)] {
    names.compactMap { name in number(of: name, suffix).map { ($0, "\(directory)/\(name)") } }.sorted { $0.number < $1.number }
  }

  /// Returns the number in a segment's file name, or `nil` for any other file.
  static func number(of name: String, _ suffix: String = segmentSuffix) -> UInt32? {
    name.hasSuffix(suffix) ? UInt32(name.dropLast(suffix.count)) : nil
  }

  /// Returns the directory of a path: the part before its last slash, or "." if there is none.
  package static func parent(of path: String) -> String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." }

  /// Returns the directory's entry names in sorted order, or an empty array if the directory cannot be read.
  package static func names(in directory: String) -> [String] { (try? listedNames(in: directory)) ?? [] }

  static func listedNames(in directory: String) throws(SystemError) -> [String] {
    guard let stream = opendir(directory) else { throw SystemError(number: errno) }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw SystemError(number: errno) }
        break
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Syncs the directory's entries to disk.
  static func synchronise(_ directory: String) {
    _ = xp_sync_directory(directory)
  }

  /// Returns whether the path is an existing directory.
  package static func exists(_ directory: String) -> Bool {
    var status = stat()
    return stat(directory, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Creates one directory unless the path exists.
  ///
  /// - Returns: 0 or the errno value.
  private static func make(_ path: String) -> Int32 {
    let problem = xp_make_directory(path, 0o700)
    if problem == 0 || problem == EEXIST || problem == EISDIR { return 0 }
    // If the parent is not writable, `mkdir` may fail with EACCES or EROFS although the directory exists, so check whether it
    // does.
    var status = stat()
    return stat(path, &status) == 0 ? 0 : problem
  }

  /// Creates a directory and its missing parents.
  ///
  /// - Parameter make: Creates one directory unless the path exists, and returns 0 or the errno value.
  /// - Returns: 0 or the errno value.
  static func createWithParents(_ directory: String, _ make: (String) -> Int32 = make) -> Int32 {
    let parts = directory.split(separator: "/")
    func path(_ count: Int) -> String {
      (directory.hasPrefix("/") ? "/" : "./") + parts[..<count].joined(separator: "/")
    }
    // Try the whole path first, because a sandboxed app may have no access to the parents of its own directory.
    var count = parts.count
    var problem = count > 0 ? make(path(count)) : 0
    while problem == ENOENT, count > 1 {
      count -= 1
      problem = make(path(count))
    }
    while problem == 0, count < parts.count {
      count += 1
      problem = make(path(count))
    }
    return problem
  }

  /// Creates the directory and its missing parents with mode 0700.
  package static func create(_ directory: String) throws(LogError) {
    let problem = createWithParents(directory)
    if problem != 0 {
      throw LogError(
        .cannotCreate, place: directory, problem: "the directory cannot be created (\(systemText(problem)))",
        advice: "Choose another place with $XFERLOG_DIR or --log.", osError: problem)
    }
    if !exists(directory) {
      throw LogError(
        .cannotCreate, place: directory, problem: "it is not a directory",
        advice: "A log is a directory; choose another place with $XFERLOG_DIR or --log.", osError: ENOTDIR)
    }
  }
}

/// Returns the system's description of an errno value.
package func systemText(_ number: Int32) -> String { String(cString: strerror(number)) }
