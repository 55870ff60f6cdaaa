public import XferEvents

/// A named unit of work in the program.
///
/// Messages and signposts that are written within an activity carry its identifier, including those of awaited calls and
/// child tasks.
///
/// ```swift
/// try await EventActivity.within("import", log: log) { try await importer.run() }
/// ```
public struct EventActivity: Hashable, Sendable {
  public let id: CorrelationID

  /// The activity of the calling task; `nil` outside any activity.
  @TaskLocal public static var current: EventActivity?

  /// Runs `operation` within a new activity, whose parent is the current one.
  public static func within<Result, Failure: Error>(
    _ name: LogName, log: EventLog, _ operation: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let activity = begin(name, log)
    defer { log.emit(ActivityEnded(activity: activity.id, name: name.text)) }
    // `withValue` is older than typed throws and throws any error, so the outcome travels in a `Result`.
    return try $current.withValue(activity) { () -> Swift.Result<Result, Failure> in
      Swift.Result(catching: operation)
    }.get()
  }

  /// Runs `operation` within a new activity, whose parent is the current one.
  nonisolated(nonsending) public static func within<Result, Failure: Error>(
    _ name: LogName, log: EventLog, _ operation: nonisolated(nonsending) () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let activity = begin(name, log)
    defer { log.emit(ActivityEnded(activity: activity.id, name: name.text)) }
    return try await $current.withValue(
      activity,
      operation: { () async -> Swift.Result<Result, Failure> in
        do throws(Failure) { return .success(try await operation()) } catch { return .failure(error) }
      }
    ).get()
  }

  private static func begin(_ name: LogName, _ log: EventLog) -> EventActivity {
    let activity = EventActivity(id: CorrelationID(log.makeIdentifier()))
    log.emit(ActivityBegun(activity: activity.id, parentActivity: current?.id, name: name.text))
    return activity
  }
}

/// The name of an activity or signpost. Names are stored as public, so only a string literal can create one.
public struct LogName: ExpressibleByStringLiteral, Hashable, Sendable {
  public let text: String

  public init(stringLiteral value: String) { text = value }
}
