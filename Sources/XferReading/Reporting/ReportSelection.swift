import XferEvents

/// The events that a report contains if it cannot contain all of them: those about the tasks of findings, those that prove a finding, those
/// about no task, and a sample of the other tasks.
struct ReportSelection {
  private let tasks: Set<TaskUID>
  private let evidence: Set<EventReference>
  private let hasOthers: Bool
  /// The part of the other tasks that is contained, of 65,536.
  private let sample: UInt64

  /// - Parameters:
  ///   - tasks: the tasks of findings, in the order of their importance.
  ///   - share: the part of the log that is expected to fit.
  ///   - trial: how often a selection was too large. Each one is smaller than the one before.
  init(tasks: [TaskUID], evidence: Set<EventReference>, share: Double, trial: Int) {
    self.tasks = Set(tasks.prefix(trial < 2 ? tasks.count : tasks.count >> (2 * trial - 2)))
    self.evidence = evidence
    hasOthers = trial < 2
    sample = trial == 0 ? UInt64(65_536 * min(1, max(0, share))) : 0
  }

  func contains(_ event: RecordedEvent) -> Bool {
    guard let task = event.task else { return hasOthers && event.level >= .default || evidence.contains(event.reference) }
    return contains(task.uid) || evidence.contains(event.reference)
  }

  func contains(_ task: TaskUID) -> Bool { tasks.contains(task) || Self.place(of: task) < sample }

  /// Returns a number below 65,536 that depends on the task alone, so that a report has all events of a task or none.
  private static func place(of task: TaskUID) -> UInt64 { ((task.high ^ task.low) &* 0x9E37_79B9_7F4A_7C15) >> 48 }
}
