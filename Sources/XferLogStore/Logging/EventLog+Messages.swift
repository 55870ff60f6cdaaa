public import XferEvents

/// A location in the program's source code.
public struct SourceLocation: Hashable, Sendable {
  /// The file in the form of `#fileID`.
  public let fileID: String
  public let function: String
  /// The line number, starting at 1.
  public let line: Int

  public init(fileID: String, function: String, line: Int) {
    self.fileID = fileID
    self.function = function
    self.line = line
  }
}

extension EventLog {
  /// Writes a message together with the current activity. The caller has checked that its level is logged.
  public func record(
    _ message: LogMessage, level: Level, subsystem: String, category: String, task: TaskIdentity? = nil,
    place: SourceLocation? = nil
  ) {
    dispatch(message, level: level, subsystem: subsystem, category: category, task: task, place: place, to: Recording(log: self))
  }

  /// Offers a message below the logged levels to its task's detail ring.
  func recordDetail(_ message: LogMessage, level: Level, subsystem: String, category: String, task: TaskIdentity?) {
    dispatch(message, level: level, subsystem: subsystem, category: category, task: task, place: nil, to: Detailing(log: self))
  }

  /// Writes a message and returns its location in the log. The message survives a killed process once the method returns.
  ///
  /// - Throws: `LogError` if the message cannot be written. It is then counted as dropped.
  public func append(
    _ message: LogMessage, level: Level, subsystem: String, category: String, task: TaskIdentity? = nil,
    place: SourceLocation? = nil
  ) throws(LogError) -> EventReference {
    try dispatch(
      message, level: level, subsystem: subsystem, category: category, task: task, place: place, to: Appending(log: self)
    ).get()
  }

  /// Builds the event type that matches the level. An event type has a fixed level, so that readers know it without
  /// decoding fields.
  @inline(__always)
  private func dispatch<Destination: EventDestination>(
    _ message: LogMessage, level: Level, subsystem: String, category: String, task: TaskIdentity?, place: SourceLocation?,
    to destination: Destination
  ) -> Destination.Result {
    let activity = EventActivity.current?.id
    switch level {
    case .debug:
      return destination.take(
        MessageDebug(
          subsystem: subsystem, category: category, eventMessage: message, activity: activity, task: task,
          fileID: place?.fileID, function: place?.function, line: place?.line))
    case .info:
      return destination.take(
        MessageInfo(
          subsystem: subsystem, category: category, eventMessage: message, activity: activity, task: task,
          fileID: place?.fileID, function: place?.function, line: place?.line))
    case .default:
      return destination.take(
        MessageDefault(
          subsystem: subsystem, category: category, eventMessage: message, activity: activity, task: task,
          fileID: place?.fileID, function: place?.function, line: place?.line))
    case .error:
      return destination.take(
        MessageError(
          subsystem: subsystem, category: category, eventMessage: message, activity: activity, task: task,
          fileID: place?.fileID, function: place?.function, line: place?.line))
    case .fault:
      return destination.take(
        MessageFault(
          subsystem: subsystem, category: category, eventMessage: message, activity: activity, task: task,
          fileID: place?.fileID, function: place?.function, line: place?.line))
    }
  }
}

/// A destination for the event that is built from a message.
private protocol EventDestination {
  associatedtype Result
  func take(_ event: some TransferEvent) -> Result
}

private struct Recording: EventDestination {
  let log: EventLog
  @inline(__always)
  func take(_ event: some TransferEvent) { log.record(event) }
}

private struct Detailing: EventDestination {
  let log: EventLog
  func take(_ event: some TransferEvent) { log.recordDetail(event) }
}

private struct Appending: EventDestination {
  let log: EventLog

  func take(_ event: some TransferEvent) -> Result<EventReference, LogError> {
    do throws(LogError) { return .success(try log.appendKept(event)) } catch { return .failure(error) }
  }
}
