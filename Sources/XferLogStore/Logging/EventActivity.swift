public import XferEvents

/// One stretch of work that code is about: messages and signposts that are written within it carry its id, through all
/// that it awaits and all child tasks.
///
/// ```swift
/// try await EventActivity.within("import", log: log) { try await importer.run() }
/// ```
public struct EventActivity: Hashable, Sendable {
  public let id: CorrelationID

  /// That of the calling task; `nil` outside of any.
  @TaskLocal public static var current: EventActivity?

  /// Runs `operation` within a new activity, which begins within the current one.
  public static func within<Result, Failure: Error>(
    _ name: LogName, log: EventLog, _ operation: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let activity = begin(name, log)
    defer { log.emit(ActivityEnded(activity: activity.id, name: name.text)) }
    // `withValue` is older than typed errors, and throws any.
    return try $current.withValue(activity) { () -> Swift.Result<Result, Failure> in
      Swift.Result(catching: operation)
    }.get()
  }

  /// Runs `operation` within a new activity, which begins within the current one.
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

/// A name that stands in the source code: a literal, so that no private value gets into what is always public.
public struct LogName: ExpressibleByStringLiteral, Hashable, Sendable {
  public let text: String

  public init(stringLiteral value: String) { text = value }
}
