package import XferEvents
import XferReading

/// A search for a place, event by event.
package struct PlaceFinder {
  package enum Answer {
    /// The search has not reached the place yet.
    case notYet
    /// The place that is searched for lies directly before this event or gap.
    case before
    /// The place that is searched for lies directly after this event or gap.
    case after
  }

  private let place: PlaceExpression
  private var events = 0
  private var first: WallTime?
  private var last: WallTime?
  /// The names of the tasks that were read, for suggestions, up to a limit.
  private var tasks: [TaskUID: String] = [:]
  private var matched: [String] = []
  private static let tasksLimit = 10_000

  package init(_ place: PlaceExpression) { self.place = place }

  package mutating func look(at member: LogMember) -> Answer {
    guard case .event(let event) = member else { return .notYet }
    if case .number(events) = place { return .before }
    events += 1
    if first == nil { first = event.wall }
    last = event.wall ?? last
    switch place {
    case .number(let number): return number == events ? .after : .notYet
    case .reference(let reference): return event.reference == reference ? .after : .notYet
    case .time(let time): return event.wall.map { $0 > time } ?? false ? .before : .notYet
    case .event(let names, let selector): return look(at: event, names, selector)
    }
  }

  private mutating func look(at event: RecordedEvent, _ names: [String], _ selector: TaskSelector) -> Answer {
    guard let task = event.task else { return .notYet }
    let isWanted = selector.matches(task)
    if tasks.count < Self.tasksLimit, tasks[task.uid] == nil {
      tasks[task.uid] = "\(task.session)/\(task.number)"
      if isWanted { matched.append(tasks[task.uid]!) }
    }
    return isWanted && names.contains(event.layout.name) ? .after : .notYet
  }

  /// The result of a search that reached the end of the log.
  package enum End {
    /// The place that was searched for is the end of the log. The remark tells the user why; `nil` if no remark is needed.
    case here(remark: String?)
    case nowhere(String)
  }

  package func end(_ text: String) -> End {
    let count = "the log has \(events.counted("event"))"
    switch place {
    case .number(let number):
      return number == events ? .here(remark: nil) : .nowhere("there is no event \(text): \(count)")
    case .reference: return .nowhere("there is no event \(text): none of the log's \(events) events has this reference")
    case .time(let time):
      guard let last else { return .nowhere("no event of the log has a wall-clock time") }
      return .here(remark: time > last ? "\(text) is after the end of the log at \(last); showing the end" : nil)
    case .event(let names, _):
      if let task = matched.first {
        return .nowhere("\(task) has no event \(names.joined(separator: " or "))")
      }
      let wanted = text.dropFirst(5).prefix { $0 != "." }
      let near = NearNames.of(String(wanted), among: Array(Set(tasks.values)).sorted())
      return .nowhere(
        "the log has no task \(wanted)" + (near.isEmpty ? "" : ". Did you mean \(near.joined(separator: " or "))?"))
    }
  }
}
