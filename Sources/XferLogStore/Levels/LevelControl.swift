import CXferPlatform
public import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reads and changes the levels of a log while other processes write it.
public struct LevelControl: Sendable {
  public let directory: String

  public init(directory: String) { self.directory = directory }

  /// The level rules and the number of times they were changed.
  public typealias State = (generation: UInt64, rules: LevelRules)

  /// Returns the current levels.
  ///
  /// - Throws: `LogError` if the file of levels exists but cannot be read.
  public func current() throws(LogError) -> State {
    guard let file = try open(mode: O_RDONLY) else { return (0, LevelRules()) }
    return try state(file)
  }

  /// Changes the rules. Writers adopt them at their next event.
  ///
  /// Several processes may call this method concurrently: they take turns, and no change is lost. A process that is killed during
  /// a change leaves either the old rules or the new ones.
  ///
  /// - Parameters:
  ///   - fromScratch: Whether to discard the existing rules, including rules that cannot be read.
  ///   - body: Edits the rules.
  /// - Returns: The new rules and generation.
  /// - Throws: `LogError` if the rules cannot be read or written.
  public func change(fromScratch: Bool = false, _ body: (inout LevelRules) -> Void) throws(LogError) -> State {
    let lock = try lock()
    defer { close(lock) }
    while true {
      let old = try open(mode: O_RDWR)
      let readable = old.flatMap { try? $0.content.get() }
      if let old, readable == nil, !fromScratch { _ = try state(old) }
      var rules = fromScratch ? LevelRules() : readable?.rules ?? LevelRules()
      body(&rules)
      if let readable, readable.rules == rules { return (readable.generation, rules) }
      let new = LevelFile(generation: (readable?.generation ?? 0) + 1, rules: rules)
      do throws(SystemError) {
        // Only the holder of the lock uses this file name.
        let draft = LevelFile.path(in: directory) + ".draft"
        defer { unlink(draft) }
        try new.write(to: draft)
        guard let old else {
          if link(draft, LevelFile.path(in: directory)) == 0 { return (new.generation, rules) }
          // A writer has started in the meantime, and has created and watches a file of its own. Replace the writer's file.
          if errno == EEXIST { continue }
          throw SystemError(number: errno)
        }
        // Mark the old file before replacing it. A writer that sees the mark before the new file exists checks again later.
        try LevelFile.markSuperseded(old.descriptor)
        guard rename(draft, LevelFile.path(in: directory)) == 0 else { throw SystemError(number: errno) }
        return (new.generation, rules)
      } catch {
        throw failure("the levels cannot be changed", error.number)
      }
    }
  }

  private func open(mode: Int32) throws(LogError) -> LevelFile.Opened? {
    do throws(SystemError) {
      return try LevelFile.open(in: directory, mode: mode)
    } catch {
      if error.number == ENOENT { return nil }
      throw failure("the levels cannot be opened", error.number)
    }
  }

  private func state(_ file: LevelFile.Opened) throws(LogError) -> State {
    switch file.content {
    case .success(let file): return (file.generation, file.rules)
    case .failure(let damage):
      throw LogError(
        .badLevels, place: LevelFile.path(in: directory), problem: "the file of levels cannot be read: \(damage.problem)",
        advice: "Writers keep their previous levels. Run `xferlog config level --reset` to replace the file.")
    }
  }

  /// Locks the log against other changers; writers never take this lock. The system releases it when its holder terminates.
  private func lock() throws(LogError) -> Int32 {
    let descriptor = xp_open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw failure("the log's directory cannot be opened", errno) }
    let problem = xp_lock_file(descriptor)
    guard problem == 0 else {
      close(descriptor)
      throw failure("the log's directory cannot be locked", problem)
    }
    return descriptor
  }

  private func failure(_ problem: String, _ number: Int32) -> LogError {
    LogError(
      .badLevels, place: LevelFile.path(in: directory), problem: "\(problem) (\(systemText(number)))",
      advice: "Check that the directory is writable and that the disk is not full.", osError: number)
  }
}
