import CXferPlatform
import XferIndex
import XferLogStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Which index belongs to some logs: what it is to be made from, and where it is kept.
struct IndexPlan {
  let inputs: LogInputs
  let recovery: RecoveryMode
  let rules: RuleSources
  let origin: IndexOrigin
  /// In the user's cache, never beside the logs: whoever reads a log leaves no trace there. `nil` without a cache, and for
  /// a log from standard input, which nobody can ask for again.
  let standardPath: String?

  /// Looks at the segments; what is written from now on makes the index stale, not wrong.
  init(_ inputs: LogInputs, rules: RuleSources, recovery: RecoveryMode, environment: [String: String]) {
    self.inputs = inputs
    self.recovery = recovery
    self.rules = rules
    let sources = SegmentStamp.all(of: inputs.sources).map { stamp in
      IndexOrigin.Source(
        log: stamp.log, path: stamp.path, size: stamp.size, modified: stamp.modified, inode: stamp.inode,
        checksum: stamp.checksum)
    }
    // Other rules find other things.
    let judges = rules.identity.isEmpty ? "" : " rules \(IndexFile.digest(rules.identity))"
    origin = IndexOrigin(sources: sources, program: Self.program() + (recovery == .tail ? "" : " \(recovery)") + judges)
    let logs = inputs.inputs.map { SegmentStamp.canonical($0.source.path) }
    let isRepeatable = !inputs.inputs.contains { $0.path == "-" }
    standardPath = Self.cacheDirectory(environment).flatMap { directory in
      isRepeatable ? "\(directory)/index-\(IndexFile.digest(logs.joined(separator: "\n"))).sqlite" : nil
    }
  }

  /// `$XDG_CACHE_HOME/xferlog`, else `~/.cache/xferlog`; `nil` for a user without a home.
  private static func cacheDirectory(_ environment: [String: String]) -> String? {
    if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") { return cache + "/xferlog" }
    guard let home = environment["HOME"], home.hasPrefix("/"), access(home, F_OK) == 0 else { return nil }
    return home + "/.cache/xferlog"
  }

  /// The version and the build: another build may have other rules.
  private static func program() -> String {
    let path = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
      xp_executable_path(buffer.baseAddress!, 4096) == 0 ? String(cString: buffer.baseAddress!) : ""
    }
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
