import CXferPlatform
import XferIndex
import XferLogStore
import XferReading

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The origin and the standard path of the index for some inputs.
struct IndexPlan {
  let inputs: LogInputs
  let recovery: RecoveryMode
  let rules: RuleSources
  let origin: IndexOrigin
  /// The path in the user's cache, never next to the logs, because commands that read logs do not write to their directories.
  /// `nil` without a cache directory, and for standard input, which cannot be read again.
  let standardPath: String?

  /// Creates a plan from the current state of the inputs. Events that are written later make the index stale, not wrong.
  ///
  /// - Parameters:
  ///   - imported: the options for foreign inputs, as a text.
  ///   - filter: the options that select events, as a text. Empty for all events.
  init(
    _ inputs: LogInputs, rules: RuleSources, recovery: RecoveryMode, imported: String = "", filter: String = "",
    environment: [String: String]
  ) {
    self.inputs = inputs
    self.recovery = recovery
    self.rules = rules
    let sources = SegmentStamp.all(of: inputs.segmented).map { stamp in
      IndexOrigin.Source(
        log: stamp.log, path: stamp.path, size: stamp.size, modified: stamp.modified, inode: stamp.inode,
        checksum: stamp.checksum)
    }
    let foreign = inputs.foreign.flatMap { IndexOrigin.Source.files(at: $0.file) }
    // Other rules give other findings, so the index depends on them.
    let ruleDigest = rules.identity.isEmpty ? "" : " rules \(IndexFile.digest(rules.identity))"
    let recoveryMode = recovery == .tail ? "" : " \(recovery)"
    let options = imported.isEmpty || inputs.foreign.isEmpty ? "" : " \(imported)"
    // The index stores why the log is incomplete, and an input that cannot be read is such a reason.
    let unread = inputs.unread.map { "\($0.path) \($0.problem)" }.joined(separator: "\n")
    let unreadDigest = unread.isEmpty ? "" : " unread \(IndexFile.digest(unread))"
    origin = IndexOrigin(
      sources: sources + foreign,
      program: Self.program() + recoveryMode + ruleDigest + unreadDigest + options + (filter.isEmpty ? "" : " " + filter))
    let logs = inputs.inputs.map { SegmentStamp.canonical($0.file) }
    let isRepeatable = !inputs.inputs.contains { $0.path == "-" }
    standardPath = Self.cacheDirectory(environment).flatMap { directory in
      isRepeatable ? "\(directory)/index-\(IndexFile.digest(logs.joined(separator: "\n"))).sqlite" : nil
    }
  }

  /// `$XDG_CACHE_HOME/xferlog`, else `~/.cache/xferlog`; `nil` for a user without a home directory.
  private static func cacheDirectory(_ environment: [String: String]) -> String? {
    if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") { return cache + "/xferlog" }
    guard let home = environment["HOME"], home.hasPrefix("/"), access(home, F_OK) == 0 else { return nil }
    return home + "/.cache/xferlog"
  }

  /// The version and the build of the program, because another build may have other rules.
  private static func program() -> String {
    let path = (try? ChildProgram.ownPath()) ?? ""
    var status = stat()
    guard stat(path, &status) == 0 else { return LogConfiguration.libraryVersion }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return "\(LogConfiguration.libraryVersion) \(status.st_size) \(time.tv_sec).\(time.tv_nsec)"
  }
}
