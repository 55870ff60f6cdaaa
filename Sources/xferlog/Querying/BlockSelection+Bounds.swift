import XferEvents
package import XferLogStore
package import XferPredicate

extension BlockSelection {
  /// The blocks that can contain events within limits; `nil` if the limits exclude nothing.
  package init?(_ bounds: BlockBounds) {
    if bounds.isOpen { return nil }
    self.init()
    levels = bounds.levels
    if bounds.since > .min { since = WallTime(nanoseconds: bounds.since) }
    if bounds.until < .max { until = WallTime(nanoseconds: bounds.until + 1) }
    let (tasks, sessions) = (bounds.tasks, bounds.sessions)
    if !tasks.isEmpty { isTaskWanted = { task in tasks.allSatisfy { $0(task) } } }
    wantedNumber = bounds.taskNumber
    if !sessions.isEmpty { isSessionWanted = { session in sessions.allSatisfy { $0(session) } } }
  }
}
