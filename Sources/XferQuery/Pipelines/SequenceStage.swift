import XferEvents
import XferPredicate

/// `| seq`: finds events that follow each other.
///
/// The events of a scope are compared with one step after the other. The first step is always the latest event that meets its
/// condition, as long as the second step has not been reached. If the time from the first to a later step exceeds the limit, the
/// attempt is given up. After a complete sequence, the next one begins.
final class SequenceStage: Stage {
  private let steps: [EventTest]
  private let limit: Int64?
  private let scope: QueryScope
  private let ledger: SubjectLedger?
  private var partials: [ScopeKey: [Seen]] = [:]

  private struct Seen {
    let clock: EventClock
    let place: String
    let subject: [ResultValue]

    init(_ event: EventView) {
      clock = EventClock(event)
      place = "\(event.reference)"
      subject = StageColumns.values(of: event)
    }
  }

  init(
    _ steps: [Predicate], _ limit: Int64?, _ scope: QueryScope, _ ledger: SubjectLedger?, _ next: any QuerySink
  ) {
    self.steps = steps.map(EventTest.init)
    (self.limit, self.scope, self.ledger) = (limit, scope, ledger)
    super.init(next)
  }

  static func columns(_ steps: Int) -> [QueryField] {
    let places: [TableColumns.Column] = (1...steps).map { ("place\($0)", .text, "The place of event \($0).") }
    return TableColumns.named(
      StageColumns.subject + [
        ("began", .time, "The time of the first event."), ("ended", .time, "The time of the last event."),
        ("took", .duration, "The time from the first to the last event."),
      ] + places)
  }

  override func take(_ event: RecordedEvent) throws {
    guard let key = ScopeKey(event.view, scope) else { return }
    var seen = partials[key] ?? []
    if let limit, let first = seen.first, let time = first.clock.time(to: EventClock(event.view)), time > limit { seen = [] }
    if !seen.isEmpty, steps[seen.count].truth(of: event.view, ledger) == .yes {
      let next = Seen(event.view)
      let time = seen[0].clock.time(to: next.clock)
      if limit.map({ limit in time.map { $0 <= limit } ?? false }) ?? true {
        seen.append(next)
        if seen.count == steps.count {
          try hand(seen, time)
          seen = []
        }
        partials[key] = seen.isEmpty ? nil : seen
        return
      }
      seen = []
    }
    // Once the second step is reached, a repeated first step begins no new attempt.
    if seen.count <= 1, steps[0].truth(of: event.view, ledger) == .yes { seen = [Seen(event.view)] }
    partials[key] = seen.isEmpty ? nil : seen
  }

  private func hand(_ seen: [Seen], _ time: Int64?) throws {
    let (first, last) = (seen[0], seen[seen.count - 1])
    try next.take(
      first.subject + [ResultValue(first.clock.wall), ResultValue(last.clock.wall)]
        + [time.map(ResultValue.number) ?? .null] + seen.map { .text($0.place) })
  }
}

/// The columns that several stages share.
enum StageColumns {
  static let subject: [TableColumns.Column] = [
    ("session", .text, "The session of the event or of its task."), ("number", .count, "The number of the task in its session."),
    ("uid", .text, "The uid of the task."),
  ]

  /// Returns the values of the columns `subject` for an event.
  static func values(of event: EventView) -> [ResultValue] {
    [
      (event.task?.session ?? event.session).map(ResultValue.text) ?? .null,
      event.task.map { .number(Int64($0.number)) } ?? .null, event.task.map { .text("\($0.uid)") } ?? .null,
    ]
  }
}

extension ResultValue {
  init(_ wall: WallTime?) { self = wall.map { .number($0.nanoseconds) } ?? .null }
}
