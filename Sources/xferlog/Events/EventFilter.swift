package import XferEvents
package import XferLogStore
package import XferReport

/// The conditions on events to show. Conditions of different kinds are combined with *and*, those of one kind with *or*.
package struct EventFilter {
  package var level: LevelLimit?
  package var since: WallTime?
  package var until: WallTime?
  package var tasks: [TaskSelector] = []
  package var sessions: [GlobPattern] = []
  package var hosts: [GlobPattern] = []

  /// The tasks that have used one of `hosts`. Their events without a host match, too.
  private var tasksOfHosts: Set<TaskUID> = []
  /// Whether a task matches, by source and symbol, so that its name is not compared for each event.
  private var verdicts: [SymbolTable<Bool>] = []

  package init() {}

  package var isEmpty: Bool {
    level == nil && since == nil && until == nil && tasks.isEmpty && sessions.isEmpty && hosts.isEmpty
  }

  /// The part of a log that can match; `nil` means the whole log.
  package var selection: BlockSelection? {
    if isEmpty { return nil }
    var selection = BlockSelection()
    if let level { selection.levels = Level.allCases.filter(level.admits).reduce(0) { $0 | 1 << $1.rawValue } }
    (selection.since, selection.until) = (since, until)
    if !tasks.isEmpty { selection.isTaskWanted = isWanted }
    if !sessions.isEmpty { selection.isSessionWanted = isSessionWanted }
    return selection
  }

  @inline(__always)
  package mutating func admits(_ event: RecordedEvent) -> Bool {
    if let level, !level.admits(event.level) { return false }
    if since != nil || until != nil, !isInTime(event.wall) { return false }
    if !tasks.isEmpty || !sessions.isEmpty, !isOfTaskOrSession(event) { return false }
    return hosts.isEmpty || isOfHost(event)
  }

  /// Whether a gap may have held matching events. The missing events are unknown, so only the time can exclude a gap.
  package func admits(_ gap: LogGap) -> Bool {
    if let until, let after = gap.after?.wall, after >= until { return false }
    if let since, let before = gap.before?.wall, before < since { return false }
    return true
  }

  /// Whether a finding is about something that matches. A finding about the whole log always matches.
  package func admits(_ inset: EventInset) -> Bool {
    if let level, !level.admits(inset.level) { return false }
    if !isInTime(inset.wall) { return false }
    if inset.tasks.isEmpty, inset.session == nil { return true }
    if !tasks.isEmpty || !sessions.isEmpty {
      let isOfTask = inset.tasks.contains(where: isWanted)
      guard isOfTask || tasks.isEmpty && isSessionWanted(inset.session) else { return false }
    }
    return hosts.isEmpty || inset.tasks.contains { tasksOfHosts.contains($0.uid) }
  }

  /// Whether a time is within the limits. An unknown time is.
  private func isInTime(_ wall: WallTime?) -> Bool {
    guard let wall else { return true }
    if let since, wall < since { return false }
    if let until, wall >= until { return false }
    return true
  }

  private mutating func isOfTaskOrSession(_ event: RecordedEvent) -> Bool {
    if let symbol = event.taskSymbol { return isWanted(symbol, of: event) || isSuccessorWanted(event) }
    return tasks.isEmpty && isSessionWanted(event.session)
  }

  private func isSuccessorWanted(_ event: RecordedEvent) -> Bool { event.successor.map(isWanted) ?? false }

  private mutating func isWanted(_ symbol: UInt32, of event: RecordedEvent) -> Bool {
    let source = event.source.index
    while verdicts.count <= source { verdicts.append(SymbolTable()) }
    if let verdict = verdicts[source][symbol] { return verdict }
    // A missing definition may still be read later, so the answer is not cached.
    guard let task = event.task else { return false }
    let verdict = isWanted(task)
    verdicts[source].set(verdict, at: symbol)
    return verdict
  }

  private func isWanted(_ task: TaskIdentity) -> Bool {
    (tasks.isEmpty || tasks.contains { $0.matches(task) }) && isSessionWanted(task.session)
  }

  private func isSessionWanted(_ session: String?) -> Bool {
    if sessions.isEmpty { return true }
    guard let session else { return false }
    return sessions.contains { $0.matches(session) }
  }

  private mutating func isOfHost(_ event: RecordedEvent) -> Bool {
    if let host = event.host {
      guard hosts.contains(where: { $0.matches(host) }) else { return false }
      if let task = event.task { tasksOfHosts.insert(task.uid) }
      return true
    }
    return event.task.map { tasksOfHosts.contains($0.uid) } ?? false
  }
}
