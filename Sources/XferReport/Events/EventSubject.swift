import XferEvents

/// The subject in an event's line: a task, a session, or the process that wrote the event.
struct EventSubject {
  let name: String
  let hue: UInt8

  init(_ event: RecordedEvent) {
    if let task = event.task {
      name = "\(task.session)/\(task.number)"
      hue = Palette.hue(task.uid.low)
    } else if let session = event.session {
      name = session
      hue = Palette.hue(session)
    } else {
      let role = event.source.writer.role?.name ?? "process"
      name = event.source.writer.pid.map { "\(role):\($0)" } ?? role
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
