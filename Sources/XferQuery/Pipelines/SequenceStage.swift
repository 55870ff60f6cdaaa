import XferEvents
import XferPredicate

/// `| seq`: finds events that follow each other.
///
/// The events of a scope are compared with one step after the other. A sequence begins with the latest event that meets the first condition
/// and is followed by the others in time. After a complete sequence, the next one begins.
final class SequenceStage: Stage {
  private let steps: [EventTest]
  private let limit: Int64?
  private let scope: QueryScope
  private let ledger: SubjectLedger?
  /// The begun sequences of each scope: at index `n`, the one that has met `n + 1` steps; empty if there is none. Of several, it is the one
  /// that began last, because every event that completes another one in time completes it, too.
  private var begun: [ScopeKey: [[Seen]]] = [:]
  private var count = 0

  private struct Seen {
    let clock: EventClock
    /// The number of the event among those that this stage has taken.
    let number: Int
    let place: String
    let subject: [ResultValue]

    init(_ event: EventView, number: Int) {
      clock = EventClock(event)
      self.number = number
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
    count += 1
    lazy var seen = Seen(event.view, number: count)
    var begun = self.begun[key] ?? []
    // The longest first, so that an event meets one step of each.
    for met in begun.indices.reversed() where !begun[met].isEmpty && steps[met + 1].truth(of: event.view, ledger) == .yes {
      let longer = begun[met] + [seen]
      let time = longer[0].clock.time(to: seen.clock)
      if let limit, time.map({ $0 > limit }) ?? true {
        begun[met] = []
        continue
      }
      if met + 1 == begun.count {
        self.begun[key] = nil
        return try hand(longer, time)
      }
      if begun[met + 1].isEmpty || begun[met + 1][0].number < longer[0].number { begun[met + 1] = longer }
    }
    if steps[0].truth(of: event.view, ledger) == .yes {
      if begun.isEmpty { begun = Array(repeating: [], count: steps.count - 1) }
      begun[0] = [seen]
    }
    self.begun[key] = begun.allSatisfy(\.isEmpty) ? nil : begun
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
