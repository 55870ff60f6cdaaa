import XferDiagnosis
import XferEvents
import XferLogStore
import XferPredicate
import XferQuery
import XferReading

/// The events of inputs that meet a condition, and their tasks.
struct SelectedTasks {
  private(set) var tasks: Set<TaskUID> = []
  private(set) var events = 0
  /// The times of the earliest and the latest of the events; `nil` if none has a time.
  private(set) var span: ClosedRange<WallTime>?

  init(_ test: EventTest, _ subjects: SubjectLedger?, _ inputs: LogInputs, _ recovery: RecoveryMode) throws {
    let source = try inputs.source(recovery: recovery, selection: BlockSelection(BlockBounds(test.predicate)))
    var batch = EventBatch()
    while source.fill(&batch) {
      for event in batch.events where test.truth(of: event, subjects) == .yes {
        events += 1
        if let task = event.task { tasks.insert(task.uid) }
        if let wall = event.wall { span = min(span?.lowerBound ?? wall, wall)...max(span?.upperBound ?? wall, wall) }
      }
      batch.removeAll()
      try Interruption.check()
    }
  }

  /// Whether a finding is about one of the tasks.
  func concerns(_ finding: Finding) -> Bool {
    (finding.task.map { [$0] } ?? finding.tasks).contains { tasks.contains($0.uid) }
  }
}
