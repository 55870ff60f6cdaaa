public import XferEvents

/// The settings for keeping debug detail about failed tasks without logging all debug events.
///
/// Events about a task that are below the log's level are written to a ring buffer of that task, inside the segment. If the
/// task succeeds, its ring is reused. If the task fails, or is unfinished when the process ends, its ring stays in the log.
public struct FlightRecorder: Sendable, Equatable {
  /// The lowest level that rings accept. Lower levels are discarded.
  public var level: Level
  /// The maximum size of a task's ring in bytes. The oldest detail is overwritten.
  ///
  /// Rounded up to a multiple of the page size, 1088 bytes, with a minimum of two pages.
  public var bytesPerTask: Int
  /// The condition under which a ring stays in the log.
  public var keeps: Keeping
  /// The maximum number of rings. A further task takes over the least recently used ring.
  public var tasks: Int

  public enum Keeping: Sendable, Equatable {
    /// Keep the ring if `task.completed` has an error.
    case onFailure
    /// Keep the ring if `task.completed` or `attempt.ended` has an error.
    case firstRetry
    /// Keep every ring.
    case always
    /// Keep the ring only if the app calls `EventLog.keep(_:)`. That call also applies in the other cases.
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

  /// The maximum number of pages of a ring. At least two: a ring with a single page would discard its newest detail whenever it
  /// reuses its oldest page.
  var pagesPerTask: Int { max(2, (bytesPerTask + RingFormat.pageSize - 1) / RingFormat.pageSize) }

  /// Returns whether an excluded event of this kind goes to its task's ring.
  func takes(_ event: EventLayout) -> Bool {
    event.level >= level && event.fields.contains { $0.id == .task }
  }
}
