public import XferEvents

/// Writes what code says in words into a log, in the manner of os.Logger.
///
/// ```swift
/// static let log = EventLogger(subsystem: "com.example.app", category: "import", log: appLog)
/// log.notice("Imported \(count) rows of \(path)")
/// ```
///
/// A message that is not kept costs a comparison: its arguments are not evaluated. One that is kept survives the death of
/// the process as soon as the call returns, and allocates nothing of its own up to 256 bytes. Debug and info are kept when
/// the log's level says so, all else always; the flight recorder takes what is said of a task below that.
public struct EventLogger: Sendable {
  public var subsystem: String { level.subsystem }
  public var category: String { level.category }
  /// The transfer that all its messages are about.
  public let task: TaskIdentity?
  private let level: CategoryLevel
  /// From here up the flight recorder takes what is said of the task; above all levels when there is none.
  private let detailLevel: UInt8

  /// - Parameters:
  ///   - subsystem: in reverse domain notation, as `com.example.app`. Public, like `category`.
  ///   - category: a part of the subsystem.
  public init(subsystem: String, category: String, log: EventLog) {
    self.init(CategoryLevel(subsystem: subsystem, category: category, log: log), task: nil)
  }

  private init(_ level: CategoryLevel, task: TaskIdentity?) {
    self.level = level
    self.task = task
    detailLevel = task == nil ? .max : level.log.detailLevel
  }

  /// The same logger, whose messages are about a transfer: they stand in its story wherever that is shown.
  public func with(task: TaskIdentity) -> EventLogger {
    EventLogger(level, task: task)
  }

  /// Whether a message of this level would be kept; asked by every method here before its message is made.
  public func isEnabled(_ level: Level) -> Bool {
    // What has to be looked up stands behind a call that is the last thing done here, so that the rest saves no registers.
    guard let known = self.level.knownToKeep(level) else { return isEnabledByNewLevels(level) }
    return known || level.rawValue >= detailLevel
  }

  @inline(never)
  private func isEnabledByNewLevels(_ level: Level) -> Bool { self.level.keeps(level) || level.rawValue >= detailLevel }

  @inlinable
  public func log(level: Level = .default, _ message: @autoclosure () -> LogMessage) {
    if isEnabled(level) { write(message(), level: level) }
  }

  /// What only its author wants to know.
  @inlinable
  public func debug(_ message: @autoclosure () -> LogMessage) {
    if isEnabled(.debug) { write(message(), level: .debug) }
  }

  /// What helps to understand an error that follows.
  @inlinable
  public func info(_ message: @autoclosure () -> LogMessage) {
    if isEnabled(.info) { write(message(), level: .info) }
  }

  /// What anybody needs who looks for a mistake; the default level.
  @inlinable
  public func notice(_ message: @autoclosure () -> LogMessage) {
    if isEnabled(.default) { write(message(), level: .default) }
  }

  /// Something failed.
  @inlinable
  public func error(_ message: @autoclosure () -> LogMessage) {
    if isEnabled(.error) { write(message(), level: .error) }
  }

  /// The program itself is wrong.
  @inlinable
  public func fault(_ message: @autoclosure () -> LogMessage) {
    if isEnabled(.fault) { write(message(), level: .fault) }
  }

  /// As `debug`.
  @inlinable
  public func trace(_ message: @autoclosure () -> LogMessage) { debug(message()) }
  /// As `error`.
  @inlinable
  public func warning(_ message: @autoclosure () -> LogMessage) { error(message()) }
  /// As `fault`.
  @inlinable
  public func critical(_ message: @autoclosure () -> LogMessage) { fault(message()) }

  @inline(never)
  @usableFromInline
  func write(_ message: LogMessage, level: Level) {
    let log = self.level.log
    if self.level.keeps(level) {
      log.record(message, level: level, subsystem: subsystem, category: category, task: task)
    } else {
      log.recordDetail(message, level: level, subsystem: subsystem, category: category, task: task)
    }
  }
}
