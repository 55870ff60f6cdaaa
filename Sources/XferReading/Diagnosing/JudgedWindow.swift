package import XferDiagnosis
package import XferEvents
package import XferLifecycle
import XferReplay
import XferReport

/// The part of a log that a replay judges: a span of time, and tasks and sessions. The whole log is read, so that what happened
/// before the window is known.
///
/// A task is judged if the options select it, and if one of its events lies in the span or it is still open when the log ends. A
/// finding is judged if one of its tasks is judged, or, without tasks, if its session is selected and its process wrote in the
/// span; and if the time from its first evidence to its last one, or to the time at which a missing event was due, touches the
/// span. The findings that explain a judged finding are judged, too.
package final class JudgedWindow {
  let since: WallTime?
  let until: WallTime?
  /// The options as typed, for documents.
  let tasks: [String]
  let sessions: [String]
  private let selectors: [TaskSelector]
  private let sessionPatterns: [GlobPattern]
  /// Tasks that are selected by their intent, URL or file.
  private let chosen: Set<TaskUID>

  /// The numbers of judged events, tasks and findings.
  private(set) var events = 0
  private(set) var judged: Set<TaskUID> = []
  private(set) var allTasks = 0
  private var taskTimes: [TaskUID: ClosedRange<WallTime>] = [:]
  private var processTimes: [LaunchID: ClosedRange<WallTime>] = [:]

  package init(since: WallTime?, until: WallTime?, tasks: [String], chosen: Set<TaskUID>, sessions: [String]) {
    (self.since, self.until, self.tasks, self.chosen, self.sessions) = (since, until, tasks, chosen, sessions)
    selectors = tasks.map(TaskSelector.init)
    sessionPatterns = sessions.map(GlobPattern.init)
  }

  private var hasSpan: Bool { since != nil || until != nil }

  // MARK: While the log is read

  /// Notes the time of an event for its task and its process.
  package func take(_ member: LogMember) {
    guard case .event(let event) = member else { return }
    guard let wall = event.wall else { return events += 1 }
    if isInSpan(wall...wall) { events += 1 }
    guard hasSpan else { return }
    if let launch = event.source.writer.launch { Self.extend(&processTimes[launch], to: wall) }
    if let task = event.task { Self.extend(&taskTimes[task.uid], to: wall) }
  }

  private static func extend(_ times: inout ClosedRange<WallTime>?, to wall: WallTime) {
    times = min(times?.lowerBound ?? wall, wall)...max(times?.upperBound ?? wall, wall)
  }

  /// Returns whether a task that has ended is judged. Called once for each task.
  package func takes(_ task: TaskLifecycle) -> Bool {
    allTasks += 1
    guard isSelected(task.identity), isInSpan(times(of: task)) else { return false }
    judged.insert(task.identity.uid)
    return true
  }

  private func isSelected(_ task: TaskIdentity) -> Bool {
    let isNamed = tasks.isEmpty || chosen.contains(task.uid) || selectors.contains { $0.matches(task) }
    return isNamed && isSelected(session: task.session)
  }

  private func isSelected(session: String?) -> Bool {
    sessionPatterns.isEmpty || session.map { session in sessionPatterns.contains { $0.matches(session) } } ?? false
  }

  /// The time of a task's events. An open task lasts until after the end of the log. `nil` if no event has a time.
  private func times(of task: TaskLifecycle) -> ClosedRange<WallTime>? {
    var times = taskTimes[task.identity.uid]
    // The event that ends the task is noted only after the task was handed over.
    for fact in [task.completed, task.acknowledged, task.forgotten] { if let wall = fact?.wall { Self.extend(&times, to: wall) } }
    guard task.result == .open, let start = times?.lowerBound else { return times }
    return start...WallTime(nanoseconds: .max)
  }

  /// An unknown time counts as in the span.
  private func isInSpan(_ times: ClosedRange<WallTime>?) -> Bool {
    guard let times else { return true }
    if let since, times.upperBound < since { return false }
    if let until, times.lowerBound >= until { return false }
    return true
  }

  // MARK: After the log was read

  /// Returns whether a finding is judged. All tasks must have been handed over.
  package func takes(_ finding: Finding) -> Bool {
    let named = finding.task.map { [$0] } ?? finding.tasks
    if !named.isEmpty {
      guard named.contains(where: { judged.contains($0.uid) }) else { return false }
    } else {
      guard tasks.isEmpty, isSelected(session: finding.session) else { return false }
      if let launch = finding.launch, !isInSpan(processTimes[launch]) { return false }
    }
    return isInSpan(times(of: finding))
  }

  private func times(of finding: Finding) -> ClosedRange<WallTime>? {
    var times: ClosedRange<WallTime>?
    // An exit may be observed long after it happened.
    for fact in finding.evidence where fact.kind != .processExitObserved {
      if let wall = fact.wall { Self.extend(&times, to: wall) }
    }
    for missing in finding.missing { if times != nil, let due = missing.dueBy?.wall { Self.extend(&times, to: due) } }
    return times
  }

  /// Whether a gap may lie in the span.
  func takes(_ gap: LogGap) -> Bool {
    if let until, let after = gap.after?.wall, after >= until { return false }
    if let since, let before = gap.before?.wall, before < since { return false }
    return true
  }

  /// Whether the window has nothing to judge.
  func isEmpty(findings: Int) -> Bool {
    judged.isEmpty && findings == 0 && (events == 0 || !tasks.isEmpty || !sessions.isEmpty)
  }

  func document(findings: Int, of allFindings: Int) -> ReplayDocument.Window {
    ReplayDocument.Window(
      since: since, until: until, tasks: tasks, sessions: sessions, events: events, judgedTasks: judged.count, allTasks: allTasks,
      judgedFindings: findings, allFindings: allFindings, isEmpty: isEmpty(findings: findings))
  }
}
