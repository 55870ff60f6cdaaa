public import XferEvents

/// Keeps the debug detail of tasks that fail, without a log of everything.
///
/// What is said of a task below the log's level goes into a ring of the task's own, in the segment. The ring of a task that
/// ends well makes room for another's; that of one that fails stays in the log, as does that of one that has not ended when
/// its process does.
public struct FlightRecorder: Sendable, Equatable {
  /// The lowest level that rings take; what is below is left out.
  public var level: Level
  /// What a task's ring takes of the segment at most; the oldest detail makes room for the newest. Rounded up to pages of
  /// 1088 bytes, of which there are at least two.
  public var bytesPerTask: Int
  /// When a ring stays in the log.
  public var keeps: Keeping
  /// Rings at one time; one task more takes the place of the one of which nothing was said for longest.
  public var tasks: Int

  public enum Keeping: Sendable, Equatable {
    /// When `task.completed` has an error.
    case onFailure
    /// When an attempt ends with an error, too.
    case firstRetry
    case always
    /// When the app calls `EventLog.keep(_:)`, which counts in the other cases as well.
    case onRequest
  }

  public init(
    level: Level = .debug, bytesPerTask: Int = 4096, keeps: Keeping = .onFailure, tasks: Int = 1024
  ) {
    self.level = level
    self.bytesPerTask = bytesPerTask
    self.keeps = keeps
    self.tasks = tasks
  }

  /// Pages that a ring has at most. With one alone the newest detail would go with the oldest.
  var pagesPerTask: Int { max(2, (bytesPerTask + RingFormat.pageSize - 1) / RingFormat.pageSize) }

  /// Whether an event of this kind goes to its task's ring when the log leaves it out.
  func takes(_ event: EventLayout) -> Bool {
    event.level >= level && event.fields.contains { $0.id == .task }
  }
}
