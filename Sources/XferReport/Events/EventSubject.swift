import XferEvents
import XferPredicate

/// The subject in an event's line: a task, a session, or the process that wrote the event.
struct EventSubject {
  let name: String
  let hue: UInt8

  init(_ event: RecordedEvent) {
    name = EventTexts.subject(of: event.view)
    if let task = event.task {
      hue = Palette.hue(task.uid.low)
    } else {
      hue = Palette.hue(name)
    }
  }
}

extension Level {
  /// The level's letter: D, I, N, E or F. `default` is shown as N, after os_log's `notice`.
  package var letter: StaticString {
    switch self {
    case .debug: "D"
    case .info: "I"
    case .default: "N"
    case .error: "E"
    case .fault: "F"
    }
  }
}
