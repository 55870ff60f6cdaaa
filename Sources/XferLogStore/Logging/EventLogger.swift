public import XferEvents

/// Writes messages to a log, with an interface modelled on `os.Logger`.
///
/// ```swift
/// static let log = EventLogger(subsystem: "com.example.app", category: "import", log: appLog)
/// log.notice("Imported \(count) rows of \(path)")
/// ```
///
/// A message that is not logged costs a comparison, and its arguments are not evaluated. A logged message survives the
/// death of the process as soon as the call returns, and messages of up to 256 bytes need no allocation. Messages of level
/// default and above are always logged; debug and info messages are logged if the log's levels include them. The flight
/// recorder buffers excluded messages about a task.
public struct EventLogger: Sendable {
  public var subsystem: String { level.subsystem }
  public var category: String { level.category }
  /// The task that all messages of this logger belong to; `nil` for none.
  public let task: TaskIdentity?
  private let level: CategoryLevel
  /// The lowest level that the flight recorder accepts for the task; above all levels if the logger has no task or the log
  /// has no flight recorder.
  private let detailLevel: UInt8

  /// Creates a logger.
  ///
  /// - Parameters:
  ///   - subsystem: The subsystem in reverse domain notation, for example `com.example.app`. Stored as public.
  ///   - category: A part of the subsystem. Stored as public.
  ///   - log: The log that receives the messages.
  public init(subsystem: String, category: String, log: EventLog) {
    self.init(CategoryLevel(subsystem: subsystem, category: category, log: log), task: nil)
  }

  private init(_ level: CategoryLevel, task: TaskIdentity?) {
    self.level = level
    self.task = task
    detailLevel = task == nil ? .max : level.log.detailLevel
  }

  /// Returns a logger for the same subsystem and category whose messages belong to a task.
  public func with(task: TaskIdentity) -> EventLogger {
    EventLogger(level, task: task)
  }

  /// Returns whether a message of this level would be logged or buffered by the flight recorder. The logging methods call
  /// this before evaluating their message.
  public func isEnabled(_ level: Level) -> Bool {
    // The slow path is a tail call in a separate function, so that the fast path need not save registers.
    guard let known = self.level.knownToKeep(level) else { return isEnabledAfterRefresh(level) }
    return known || level.rawValue >= detailLevel
  }

  @inline(never)
  private func isEnabledAfterRefresh(_ level: Level) -> Bool { self.level.keeps(level) || level.rawValue >= detailLevel }

  @inlinable
  public func log(level: Level = .default, _ message: @autoclosure () -> LogMessage) {
    if isEnabled(level) { write(message(), level: level) }
  }

  /// Writes a debug message: detail for the author of the code.
  @inlinable
  public func debug(_ message: @autoclosure () -> LogMessage) {
    if isEnabled(.debug) { write(message(), level: .debug) }
  }

  /// Writes an info message: context that helps to explain a later error.
  @inlinable
  public func info(_ message: @autoclosure () -> LogMessage) {
    if isEnabled(.info) { write(message(), level: .info) }
  }

  /// Writes a message at the default level: information that troubleshooting generally needs.
  @inlinable
  public func notice(_ message: @autoclosure () -> LogMessage) {
    if isEnabled(.default) { write(message(), level: .default) }
  }

  /// Writes an error message: an operation failed.
  @inlinable
  public func error(_ message: @autoclosure () -> LogMessage) {
    if isEnabled(.error) { write(message(), level: .error) }
  }

  /// Writes a fault message: the program itself has a defect.
  @inlinable
  public func fault(_ message: @autoclosure () -> LogMessage) {
    if isEnabled(.fault) { write(message(), level: .fault) }
  }

  /// Writes a message at the level debug, like `debug`.
  @inlinable
  public func trace(_ message: @autoclosure () -> LogMessage) { debug(message()) }
  /// Writes a message at the level error, like `error`.
  @inlinable
  public func warning(_ message: @autoclosure () -> LogMessage) { error(message()) }
  /// Writes a message at the level fault, like `fault`.
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
