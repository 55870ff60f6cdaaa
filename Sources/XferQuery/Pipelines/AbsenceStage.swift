import XferEvents
import XferPredicate

/// `| absent`: finds events that no other event follows within a time.
///
/// A trigger whose time limit lies after the end of the log is open: the log does not say whether the other event came.
final class AbsenceStage: Stage {
  private let expected: EventTest
  private let trigger: EventTest
  private let limit: Int64
  private let scope: QueryScope
  private let ledger: SubjectLedger?
  private var waits: [ScopeKey: [Wait]] = [:]
  private var number = 0
  /// The triggers without an answer in time, by their number.
  private var missed: [(number: Int, row: [ResultValue])] = []
  private var last: EventClock?
  /// The number of triggers whose time limit lies after the end of the log.
  private(set) var open = 0

  private struct Wait {
    let number: Int
    let clock: EventClock
    let row: [ResultValue]
  }

  init(
    _ expected: Predicate, _ limit: Int64, _ trigger: Predicate, _ scope: QueryScope, _ ledger: SubjectLedger?,
    _ next: any QuerySink
  ) {
    (self.expected, self.trigger) = (EventTest(expected), EventTest(trigger))
    (self.limit, self.scope, self.ledger) = (limit, scope, ledger)
    super.init(next)
  }

  static let columns: [QueryField] = TableColumns.named(
    StageColumns.subject + [
      ("time", .time, "The time of the event that should have been followed."),
      ("due", .time, "The time by which the other event was due."),
      ("event", .eventName, "The name of the event that should have been followed."),
      ("place", .text, "The place of that event."),
    ])

  override var isFull: Bool { false }

  /// Notes the time of an event of the log, whether or not it reaches the stage.
  func see(_ event: EventView) {
    if event.wall != nil || event.monotonic != nil { last = EventClock(event) }
  }

  override func take(_ event: RecordedEvent) throws {
    let view = event.view
    guard let key = ScopeKey(view, scope) else { return }
    let clock = EventClock(view)
    // An answer settles all triggers before it: those in time are answered, the others were missed.
    if waits[key] != nil, expected.truth(of: view, ledger) == .yes {
      for wait in waits.removeValue(forKey: key) ?? [] {
        if wait.clock.time(to: clock).map({ $0 > limit }) ?? false { missed.append((wait.number, wait.row)) }
      }
    }
    guard trigger.truth(of: view, ledger) == .yes else { return }
    number += 1
    waits[key, default: []].append(Wait(number: number, clock: clock, row: row(view)))
  }

  private func row(_ event: EventView) -> [ResultValue] {
    StageColumns.values(of: event) + [
      ResultValue(event.wall),
      ResultValue(event.wall.map { WallTime(nanoseconds: $0.nanoseconds.addingClamped(limit)) }), .text(event.layout.name),
      .text("\(event.reference)"),
    ]
  }

  override func finish() throws {
    for wait in waits.values.joined() {
      if let last, let time = wait.clock.time(to: last), time > limit {
        missed.append((wait.number, wait.row))
      } else {
        open += 1
      }
    }
    for (_, row) in missed.sorted(by: { $0.number < $1.number }) { try next.take(row) }
    try next.finish()
  }
}
