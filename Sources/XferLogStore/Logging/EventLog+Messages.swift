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
    let activity = EventActivity.current?.id
    // One event for each level: an event's level is fixed, and known to readers without its fields.
    switch level {
    case .debug:
      record(
        MessageDebug(
          subsystem: subsystem, category: category, eventMessage: message, activity: activity, task: task,
          fileID: place?.fileID, function: place?.function, line: place?.line))
    case .info:
      record(
        MessageInfo(
          subsystem: subsystem, category: category, eventMessage: message, activity: activity, task: task,
          fileID: place?.fileID, function: place?.function, line: place?.line))
    case .default:
      record(
        MessageDefault(
          subsystem: subsystem, category: category, eventMessage: message, activity: activity, task: task,
          fileID: place?.fileID, function: place?.function, line: place?.line))
    case .error:
      record(
        MessageError(
          subsystem: subsystem, category: category, eventMessage: message, activity: activity, task: task,
          fileID: place?.fileID, function: place?.function, line: place?.line))
    case .fault:
      record(
        MessageFault(
          subsystem: subsystem, category: category, eventMessage: message, activity: activity, task: task,
          fileID: place?.fileID, function: place?.function, line: place?.line))
    }
  }
}
