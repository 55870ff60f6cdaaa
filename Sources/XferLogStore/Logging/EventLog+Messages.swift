public import XferEvents

/// Where in its source code a program speaks.
public struct SourceLocation: Hashable, Sendable {
  /// As `#fileID` has it.
  public let fileID: String
  public let function: String
  /// From 1.
  public let line: Int

  public init(fileID: String, function: String, line: Int) {
    self.fileID = fileID
    self.function = function
    self.line = line
  }
}

extension EventLog {
  /// Writes a message that the caller has found to be kept, with the activity that it belongs to.
  public func record(
    _ message: LogMessage, level: Level, subsystem: String, category: String, task: TaskIdentity? = nil,
    place: SourceLocation? = nil
  ) {
    hand(message, level: level, subsystem: subsystem, category: category, task: task, place: place, to: Recording(log: self))
  }

  /// Takes a message that the caller has found to be left out: it goes to its task's ring.
  func recordDetail(_ message: LogMessage, level: Level, subsystem: String, category: String, task: TaskIdentity?) {
    hand(message, level: level, subsystem: subsystem, category: category, task: task, place: nil, to: Detailing(log: self))
  }

  /// As `record`, for those who want to know where the message stands; it has survived when this returns.
  ///
  /// - Throws: why it could not be written; it is counted, as every event that could not be.
  public func append(
    _ message: LogMessage, level: Level, subsystem: String, category: String, task: TaskIdentity? = nil,
    place: SourceLocation? = nil
  ) throws(LogError) -> EventReference {
    try hand(
      message, level: level, subsystem: subsystem, category: category, task: task, place: place, to: Appending(log: self)
    ).get()
  }

  /// One event for each level: an event's level is fixed, and known to readers without its fields.
  @inline(__always)
  private func hand<Taker: EventTaker>(
    _ message: LogMessage, level: Level, subsystem: String, category: String, task: TaskIdentity?, place: SourceLocation?,
    to taker: Taker
  ) -> Taker.Result {
    let activity = EventActivity.current?.id
    switch level {
    case .debug:
      return taker.take(
        MessageDebug(
          subsystem: subsystem, category: category, eventMessage: message, activity: activity, task: task,
          fileID: place?.fileID, function: place?.function, line: place?.line))
    case .info:
      return taker.take(
        MessageInfo(
          subsystem: subsystem, category: category, eventMessage: message, activity: activity, task: task,
          fileID: place?.fileID, function: place?.function, line: place?.line))
    case .default:
      return taker.take(
        MessageDefault(
          subsystem: subsystem, category: category, eventMessage: message, activity: activity, task: task,
          fileID: place?.fileID, function: place?.function, line: place?.line))
    case .error:
      return taker.take(
        MessageError(
          subsystem: subsystem, category: category, eventMessage: message, activity: activity, task: task,
          fileID: place?.fileID, function: place?.function, line: place?.line))
    case .fault:
      return taker.take(
        MessageFault(
          subsystem: subsystem, category: category, eventMessage: message, activity: activity, task: task,
          fileID: place?.fileID, function: place?.function, line: place?.line))
    }
  }
}

/// What is done with the event that a message becomes.
private protocol EventTaker {
  associatedtype Result
  func take(_ event: some TransferEvent) -> Result
}

private struct Recording: EventTaker {
  let log: EventLog
  @inline(__always)
  func take(_ event: some TransferEvent) { log.record(event) }
}

private struct Detailing: EventTaker {
  let log: EventLog
  func take(_ event: some TransferEvent) { log.recordDetail(event) }
}

private struct Appending: EventTaker {
  let log: EventLog

  func take(_ event: some TransferEvent) -> Result<EventReference, LogError> {
    do throws(LogError) { return .success(try log.appendKept(event)) } catch { return .failure(error) }
  }
}
