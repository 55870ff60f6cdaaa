import CXferPlatform
public import XferEvents

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What the writers of a log are asked to keep; changed from outside, while they write.
public struct LevelControl: Sendable {
  public let directory: String

  public init(directory: String) { self.directory = directory }

  /// The rules, and how often they were changed.
  public typealias State = (generation: UInt64, rules: LevelRules)

  /// - Throws: when there is a file that cannot be read.
  public func current() throws(LogError) -> State {
    guard let file = try open(mode: O_RDONLY) else { return (0, LevelRules()) }
    return try state(file)
  }

  /// Changes the rules; writers follow with their next event.
  ///
  /// Several processes may do so at once: they take turns, and no change is lost. Who is killed meanwhile leaves either
  /// the old rules or the new ones.
  ///
  /// - Parameter fromScratch: `body` gets no rules, whatever there were, and whether they can be read or not.
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
        // Under the lock nobody else has this name.
        let draft = LevelFile.path(in: directory) + ".draft"
        defer { unlink(draft) }
        try new.write(to: draft)
        guard let old else {
          if link(draft, LevelFile.path(in: directory)) == 0 { return (new.generation, rules) }
          // A writer has begun meanwhile and made its own, which it watches.
          if errno == EEXIST { continue }
          throw SystemError(number: errno)
        }
        // First the mark: who looks too early finds the old file and looks again. After a kill in between, so does everybody.
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
        .badLevels, place: LevelFile.path(in: directory), problem: "the levels cannot be read: \(damage.problem)",
        advice: "Writers go on with the levels that they had. `xferlog config level --reset` begins anew.")
    }
  }

  /// Held by changers alone, never by a writer; the system gives it back when its holder dies.
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
      advice: "Check that you may write there, and that the disk is not full.", osError: number)
  }
}
