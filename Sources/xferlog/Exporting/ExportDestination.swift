import CXferPlatform
import XferLogStore
import XferReading
import XferReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The place of an export: standard output, or a file that appears when it is complete.
final class ExportDestination {
  let output: StandardOutput
  private let path: String?
  private let draft: FileDraft?
  private let descriptor: Int32?
  private let replaces: Bool

  /// - Parameters:
  ///   - path: the file; `nil` or `-` for standard output.
  ///   - replaces: whether an existing file is replaced.
  ///   - isBinary: whether a terminal cannot show the export.
  ///   - option: the option that names the file, for error messages.
  init(_ path: String?, replaces: Bool, isBinary: Bool, option: String = "--output", _ surroundings: Surroundings) throws {
    self.replaces = replaces
    guard let path, path != "-" else {
      output = StandardOutput(descriptor: surroundings.output)
      (self.path, draft, descriptor) = (nil, nil, nil)
      if isBinary, output.isTerminal {
        throw CommandExit(.wrongUsage, "this format is binary, and standard output is a terminal; name a file with \(option)")
      }
      return
    }
    if path.isEmpty { throw CommandExit(.wrongUsage, "\(option) needs the name of a file") }
    self.path = path
    if let descriptor = try Self.special(path) {
      output = StandardOutput(descriptor: descriptor, name: path)
      (draft, self.descriptor) = (nil, descriptor)
      return
    }
    try Self.refuse(path, replaces: replaces, option: option)
    let draft = try Self.draft(path)
    let descriptor = xp_open(draft.path, O_WRONLY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw CommandExit(.failed, "\(path) cannot be created: \(systemText(errno))") }
    output = StandardOutput(descriptor: descriptor, name: path)
    (self.draft, self.descriptor) = (draft, descriptor)
  }

  deinit { if let descriptor { close(descriptor) } }

  /// Moves the file to its path.
  ///
  /// - Parameter isReadableByAll: whether all users may read the file, as far as the umask permits. Otherwise, only its owner may.
  func finish(isReadableByAll: Bool = false) throws {
    try output.flush()
    guard let draft, let path, let descriptor else { return }
    if isReadableByAll {
      let mask = umask(0o077)
      umask(mask)
      fchmod(descriptor, 0o644 & ~mask)
    }
    try Self.place(draft, path, replaces: replaces)
  }

  // MARK: Files

  /// Throws if a file exists that must not be replaced.
  static func refuse(_ path: String, replaces: Bool, option: String = "--output") throws {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw CommandExit(.wrongUsage, "\(path) is a directory; name a file with \(option)")
    }
    if !replaces { throw exists(path) }
  }

  static func draft(_ path: String) throws -> FileDraft {
    // Without handlers, these signals would leave the draft behind.
    Interruption.handle(SIGTERM)
    Interruption.handle(SIGHUP)
    do {
      return try FileDraft(for: path)
    } catch {
      throw CommandExit(.failed, "\(path) cannot be created: \(error).\nChoose a path in a writable directory.")
    }
  }

  static func place(_ draft: FileDraft, _ path: String, replaces: Bool) throws {
    do throws(SystemProblem) {
      try draft.place(replaces: replaces)
    } catch {
      if error.number == EEXIST { throw exists(path) }
      throw CommandExit(.failed, "\(path) cannot be created: \(error).\nChoose a path in a writable directory.")
    }
  }

  private static func exists(_ path: String) -> CommandExit {
    CommandExit(.failed, "\(path) already exists; not overwritten. Choose another path, remove the file, or use --overwrite.")
  }

  /// Opens a device or a pipe, to which the export is written directly; `nil` for other paths.
  private static func special(_ path: String) throws -> Int32? {
    var status = stat()
    guard stat(path, &status) == 0, [S_IFCHR, S_IFIFO].contains(status.st_mode & S_IFMT) else { return nil }
    let descriptor = xp_open(path, O_WRONLY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw CommandExit(.failed, "\(path) cannot be opened: \(systemText(errno))") }
    return descriptor
  }
}
