package import XferEvents
import XferPredicate

/// A running query: takes the events of a log and hands the result to a sink.
package final class Pipeline {
  package struct Counts: Sendable {
    package var events = 0
    package var matched = 0
    /// The number of events about which the condition could not be decided, because values are masked, cut or lost.
    package var undecided = 0
  }

  package private(set) var counts = Counts()
  /// The number of triggers of `| absent` whose time limit lies after the end of the log.
  package var open: Int { absences.reduce(0) { $0 + $1.open } }

  private let test: EventTest
  private let ledger: SubjectLedger?
  private let first: any QuerySink
  private var absences: [AbsenceStage] = []

  /// - Parameter ledger: the subjects of the log; `nil` if the query names none.
  package init(_ query: Query, _ ledger: SubjectLedger?, to sink: any QuerySink) {
    test = EventTest(query.predicate)
    self.ledger = ledger
    var next = sink
    for stage in query.stages.reversed() {
      next = Self.stage(stage, ledger, next)
      if let absence = next as? AbsenceStage { absences.append(absence) }
    }
    first = next
  }

  /// Whether further events cannot change the result.
  package var isFull: Bool { first.isFull && absences.isEmpty }

  package func take(_ event: EventView) throws {
    counts.events += 1
    for absence in absences { absence.see(event) }
    let truth = test.truth(of: event, ledger)
    if truth == .unknown { counts.undecided += 1 }
    if truth == .yes { counts.matched += 1 }
    if let context = first as? ContextStage {
      context.take(RecordedEvent(event), isMatch: truth == .yes)
    } else if truth == .yes {
      try first.take(RecordedEvent(event))
    }
  }

  /// Adds what a scan has computed from other events.
  package func add(_ scan: StatisticsScan) {
    (first as? StatisticsStage)?.merge(scan.groups)
    add(events: scan.counts.events, matched: scan.counts.matched, undecided: scan.counts.undecided)
  }

  /// Adds events that were only counted.
  package func add(events: Int, matched: Int, undecided: Int = 0) {
    counts.events += events
    counts.matched += matched
    counts.undecided += undecided
  }

  /// Whether the result of the first stage depends on the order of the events, although `Query.allowsScan` is true.
  package var dependsOnOrder: Bool { (first as? StatisticsStage)?.groups.dependsOnOrder ?? true }

  package func finish() throws { try first.finish() }

  private static func stage(_ stage: QueryStage, _ ledger: SubjectLedger?, _ next: any QuerySink) -> any QuerySink {
    switch stage {
    case .filter(let predicate): FilterStage(predicate, ledger, next)
    case .statistics(let aggregates, let keys, let slice): StatisticsStage(aggregates, keys, slice, ledger, next)
    case .top(let count, let field):
      SortStage([QueryStage.SortKey(field: field, isDescending: true)], limit: count, ledger, next)
    case .sort(let keys): SortStage(keys, limit: nil, ledger, next)
    case .fields(let fields): ProjectionStage(fields, ledger, next)
    case .limit(let count): LimitStage(count, next)
    case .context(let count, let scope): ContextStage(count, scope, next)
    case .tasks: TasksStage(ledger, next)
    case .findings: FindingsStage(ledger, next)
    case .sequence(let steps, let limit, let scope): SequenceStage(steps, limit, scope, ledger, next)
    case .absence(let expected, let limit, let trigger, let scope):
      AbsenceStage(expected, limit, trigger, scope, ledger, next)
    }
  }
}
