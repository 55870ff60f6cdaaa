import CXferPlatform
import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The files and directories at the paths that a reader follows. They are followed by name, as `tail -F` does: a path may lead to another
/// file later, because the log was removed and created again, was renamed, or was restored from a copy.
struct FollowedFiles {
  private enum Standing: Equatable {
    case present(FileIdentity)
    /// The reason is an errno value.
    case absent(reason: Int32)
  }

  private struct Stamp: Equatable {
    let identity: FileIdentity
    let modified: WallTime
  }

  private struct File {
    let identity: FileIdentity?
    /// The number of changes of the input when the file was found.
    let generation: Int
  }

  private var inputs: [Int: Standing] = [:]
  /// The number of changes of each input.
  private var generations: [Int: Int] = [:]
  private var files: [String: File] = [:]
  private var directories: [String: Stamp] = [:]
  private var changes: [FollowedChange] = []

  // MARK: Inputs

  /// Notes that an input exists, or why it cannot be read.
  mutating func note(_ path: String, ofInput input: Int, error: Int32? = nil) {
    let standing = error.map(Self.absent) ?? FileIdentity(path: path).map(Standing.present) ?? .absent(reason: ENOENT)
    guard let before = inputs.updateValue(standing, forKey: input), before != standing else { return }
    switch (before, standing) {
    case (_, .absent(ENOENT)): add(.removed(path), to: input)
    case (_, .absent(let reason)): add(.inaccessible(path, reason: systemText(reason)), to: input)
    case (.absent, .present): add(.appeared(path), to: input)
    case (.present, .present): add(.replaced(path), to: input)
    }
  }

  /// Notes a log that was created beside the other inputs.
  mutating func noteNewInput(_ path: String, _ input: Int) { add(.appeared(path), to: input) }

  /// A path through something that is not a directory does not exist either.
  private static func absent(_ reason: Int32) -> Standing { .absent(reason: reason == ENOTDIR ? ENOENT : reason) }

  private mutating func add(_ change: FollowedChange, to input: Int) {
    generations[input, default: 0] += 1
    changes.append(change)
  }

  /// Returns the changes since the last call.
  mutating func takeChanges() -> [FollowedChange] {
    defer { changes = [] }
    return changes
  }

  // MARK: Files

  /// Notes the file that a path leads to.
  mutating func note(_ identity: FileIdentity?, at path: String, ofInput input: Int) {
    files[path] = File(identity: identity, generation: generations[input] ?? 0)
  }

  /// Whether a path leads to another file than before.
  func isReplaced(_ path: String) -> Bool {
    guard let now = FileIdentity(path: path) else { return false }
    return files[path]?.identity != now
  }

  /// Notes that a file belongs to another log than the one before at its path. This is a change of the input if none explains it, because
  /// a new directory may have the inode of the directory that was removed.
  mutating func noteReplacement(at path: String, of name: String, input: Int) {
    if files[path]?.generation == generations[input] ?? 0 { add(.replaced(name), to: input) }
  }

  /// Whether files may have been replaced in a directory since the last call. Examining each file of a log with many segments at each
  /// poll would take too long.
  mutating func mayHaveChanged(_ directory: String) -> Bool {
    var status = stat()
    guard stat(directory, &status) == 0 else { return true }
    let stamp = Stamp(identity: FileIdentity(status), modified: WallTime(modified: status))
    let isSame = directories.updateValue(stamp, forKey: directory) == stamp
    // File systems count modification times in steps, so a second change may leave the same time.
    return !isSame || (xp_clock_wall() / 1_000_000_000).subtractingClamped(stamp.modified.nanoseconds / 1_000_000_000) < 2
  }
}
