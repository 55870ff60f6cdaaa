import CXferPlatform

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A log as a directory: which files are its segments, and where logs are kept.
public enum LogDirectory {
  /// What a log directory's name ends with.
  public static let suffix = ".xlog"
  static let segmentSuffix = ".seg"
  /// Stands beside the segment of a dead writer whose end is recorded.
  static let observedSuffix = ".observed"
  /// What a segment is called once it is to be removed.
  static let retiredSuffix = ".retired"
  /// What the name of a segment's sealed copy ends with until it takes the original's place.
  static let draftSuffix = ".sealing"

  /// Where a process keeps its log: `$XFERLOG_DIR`, else `log.xlog` in xferlog's state directory.
  public static func standard(environment: [String: String]) -> String {
    if let given = environment["XFERLOG_DIR"], !given.isEmpty { return given }
    return stateDirectory(environment: environment) + "/log" + suffix
  }

  /// `$XDG_STATE_HOME/xferlog`, else `~/.local/state/xferlog`.
  public static func stateDirectory(environment: [String: String]) -> String {
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/xferlog" }
    return (environment["HOME"] ?? "/") + "/.local/state/xferlog"
  }

  /// The file of this number, or what stands beside it.
  static func path(of number: UInt32, in directory: String, _ suffix: String = segmentSuffix) -> String {
    "\(directory)/\(name(of: number, suffix))"
  }

  static func name(of number: UInt32, _ suffix: String = segmentSuffix) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 6 - digits.count)) + digits + suffix
  }

  /// The segments of a log, by number.
  static func segments(in directory: String) -> [(number: UInt32, path: String)] { numbered(segmentSuffix, in: directory) }

  /// The same, for who has to know whether they are all.
  static func listedSegments(in directory: String) throws(SystemError) -> [(number: UInt32, path: String)] {
    numbered(segmentSuffix, names: try listedNames(in: directory), in: directory)
  }

  /// Files that are named by a number and this suffix, by number.
  static func numbered(_ suffix: String, in directory: String) -> [(number: UInt32, path: String)] {
    numbered(suffix, names: names(in: directory), in: directory)
  }

  private static func numbered(
    _ suffix: String, names: [String], in directory: String
  ) -> [(number: UInt32, path: String)] {
    names.compactMap { name in number(of: name, suffix).map { ($0, "\(directory)/\(name)") } }.sorted { $0.number < $1.number }
  }

  /// The number of a segment by its file's name; `nil` for any other file.
  static func number(of name: String, _ suffix: String = segmentSuffix) -> UInt32? {
    name.hasSuffix(suffix) ? UInt32(name.dropLast(suffix.count)) : nil
  }

  /// Entry names, sorted; empty for what cannot be read.
  package static func names(in directory: String) -> [String] { (try? listedNames(in: directory)) ?? [] }

  private static func listedNames(in directory: String) throws(SystemError) -> [String] {
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

  /// Brings the names of the directory's files to the disk.
  static func synchronise(_ directory: String) {
    let descriptor = xp_open(directory, O_RDONLY | O_CLOEXEC | O_DIRECTORY, 0)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    close(descriptor)
  }

  /// Whether there is a directory.
  package static func exists(_ directory: String) -> Bool {
    var status = stat()
    return stat(directory, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Makes the directory and those above it, for their owner alone.
  package static func create(_ directory: String) throws(LogError) {
    var made = directory.hasPrefix("/") ? "" : "."
    for part in directory.split(separator: "/") {
      made += "/\(part)"
      if mkdir(made, 0o700) != 0, errno != EEXIST, errno != EISDIR {
        // A parent that exists but may not be written to says EACCES or EROFS; only the last answer counts.
        let problem = errno
        var status = stat()
        if stat(made, &status) != 0 {
          throw LogError(
            .cannotCreate, place: directory, problem: "the directory cannot be made (\(systemText(problem)))",
            advice: "Choose another place with $XFERLOG_DIR or --log.", osError: problem)
        }
      }
    }
    if !exists(directory) {
      throw LogError(
        .cannotCreate, place: directory, problem: "it is not a directory",
        advice: "A log is a directory; choose another place with $XFERLOG_DIR or --log.", osError: ENOTDIR)
    }
  }
}

/// What the system calls an errno.
package func systemText(_ number: Int32) -> String { String(cString: strerror(number)) }
