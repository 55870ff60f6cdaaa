import XferEvents

/// The subject by which a stage joins events. `nil` for an event without such a subject.
enum ScopeKey: Hashable {
  case task(TaskUID)
  case session(String)
  case process(LaunchID)
  /// A source whose process life is unknown.
  case source(Int)
  case log

  init?(_ event: EventView, _ scope: QueryScope) {
    switch scope {
    case .task:
      guard let task = event.task else { return nil }
      self = .task(task.uid)
    case .session:
      guard let session = event.task?.session ?? event.session else { return nil }
      self = .session(session)
    case .process: self = event.source.writer.launch.map { .process($0) } ?? .source(event.sourceIndex)
    case .log: self = .log
    }
  }
}

/// The clocks of an event, for the time between two events.
struct EventClock {
  let boot: BootID?
  let monotonic: Int64?
  let wall: WallTime?

  init(_ event: EventView) {
    (boot, monotonic, wall) = (event.source.writer.boot, event.monotonic, event.wall)
  }

  /// Returns the nanoseconds until a later event, by the monotonic clock within one boot, else by the wall clock; `nil` if neither is
  /// known for both.
  func time(to later: EventClock) -> Int64? {
    if boot == later.boot, let monotonic, let other = later.monotonic { return other.subtractingClamped(monotonic) }
    if let wall, let other = later.wall { return other.nanoseconds.subtractingClamped(wall.nanoseconds) }
    return nil
  }
}
