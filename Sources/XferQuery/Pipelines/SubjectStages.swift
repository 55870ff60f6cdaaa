import XferEvents
import XferPredicate

/// `| tasks`: replaces events with the tasks that they name, in the order in which they are first named.
final class TasksStage: Stage {
  private let ledger: SubjectLedger?
  private var known: Set<TaskUID> = []

  init(_ ledger: SubjectLedger?, _ next: any QuerySink) {
    self.ledger = ledger
    super.init(next)
  }

  override func take(_ event: RecordedEvent) throws {
    guard let task = event.task, known.insert(task.uid).inserted else { return }
    try next.take(TaskColumns.fields.map { ResultValue($0.reading(of: event.view, ledger)) })
  }
}

/// `| findings`: replaces events with the findings about them, in the order of `xferlog replay`.
final class FindingsStage: Stage {
  private let ledger: SubjectLedger?
  private var found: Set<Int> = []

  init(_ ledger: SubjectLedger?, _ next: any QuerySink) {
    self.ledger = ledger
    super.init(next)
  }

  override var isFull: Bool { false }

  override func take(_ event: RecordedEvent) throws {
    if let ledger { found.formUnion(ledger.findings(about: event.view)) }
  }

  override func finish() throws {
    for place in found.sorted() { if let row = ledger?.row(ofFinding: place) { try next.take(row) } }
    try next.finish()
  }
}
