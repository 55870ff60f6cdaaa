package import XferEvents
package import XferLogStore
package import XferPredicate
package import XferQuery
package import XferReading
package import XferReport

/// The conditions on events to show. Conditions of different kinds are combined with *and*, those of one kind with *or*.
package struct EventFilter {
  package var level: LevelLimit?
  package var since: WallTime?
  package var until: WallTime?
  package var tasks: [TaskSelector] = []
  package var sessions: [GlobPattern] = []
  package var hosts: [GlobPattern] = []
  /// Patterns for names of events, with or without their family.
  package var events: [GlobPattern] = []
  package var search: EventSearch?
  /// Patterns for keys of intents. The tasks of these intents match, too.
  package var intents: [GlobPattern] = []
  /// Tasks that match because of their intent, URL or file.
  package var chosen: Set<TaskUID> = []

  /// The condition of `--predicate`.
  package var predicate: EventTest?
  /// The subjects whose fields the condition names.
  package var subjects: SubjectLedger?
  /// The number of events about which the condition could not be decided, because values are masked, truncated or lost.
  package private(set) var undecided = 0
  /// The tasks of the events that met the condition.
  private var tasksOfPredicate: Set<TaskUID> = []

  /// The tasks that have used one of `hosts`. Their events without a host match, too.
  private var tasksOfHosts: Set<TaskUID> = []
  /// Whether each task matches, by source and symbol: a cache that saves comparing names for each event.
  private var verdicts: [SymbolTable<Bool>] = []

  package init() {}

  package var isEmpty: Bool {
    level == nil && since == nil && until == nil && tasks.isEmpty && sessions.isEmpty && hosts.isEmpty && events.isEmpty
      && search == nil && predicate == nil
  }

  /// Whether an event may match because of what earlier events say, or only the beginning of the log may have matches.
  package var needsBeginning: Bool { !hosts.isEmpty || !intents.isEmpty || !chosen.isEmpty || subjects != nil || until != nil }

  /// The part of a log that can match; `nil` means the whole log.
  package var selection: BlockSelection? {
    if isEmpty { return nil }
    var selection = BlockSelection()
    let bounds = predicate.map { BlockBounds($0.predicate) } ?? BlockBounds()
    if let wanted = BlockSelection(bounds) { selection = wanted }
    if let level { selection.levels &= Level.allCases.filter(level.admits).reduce(0) { $0 | 1 << $1.rawValue } }
    if let since { selection.since = max(since, selection.since ?? since) }
    if let until { selection.until = min(until, selection.until ?? until) }
    // With intents, no block can be skipped because of its tasks: an event about an intent may name no task.
    if !tasks.isEmpty, intents.isEmpty {
      let isWanted = isWanted
      let other = selection.isTaskWanted
      selection.isTaskWanted = { task in isWanted(task) && other?(task) ?? true }
    }
    if !sessions.isEmpty {
      let isWanted = isSessionWanted
      let other = selection.isSessionWanted
      selection.isSessionWanted = { session in isWanted(session) && other?(session) ?? true }
    }
    return selection
  }

  @inline(__always)
  package mutating func admits(_ event: RecordedEvent) -> Bool {
    if let level, !level.admits(event.level) { return false }
    if since != nil || until != nil, !isInTime(event.wall) { return false }
    if !tasks.isEmpty || !sessions.isEmpty, !isOfTaskOrSession(event) { return false }
    if !hosts.isEmpty, !isOfHost(event) { return false }
    if !events.isEmpty, !isOfKind(event) { return false }
    guard search?.finds(event) ?? true else { return false }
    return predicate == nil || meetsPredicate(event)
  }

  private mutating func meetsPredicate(_ event: RecordedEvent) -> Bool {
    switch predicate?.truth(of: event.view, subjects) {
    case .no: return false
    case .unknown:
      undecided += 1
      return false
    case .yes, nil:
      if let task = event.task { tasksOfPredicate.insert(task.uid) }
      return true
    }
  }

  /// Whether the user selected this kind of event by name (`--event`).
  package func names(_ event: RecordedEvent) -> Bool { !events.isEmpty && isOfKind(event) }

  private func isOfKind(_ event: RecordedEvent) -> Bool {
    let name = event.layout.name
    let short = name.firstIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? name
    return events.contains { $0.matches(name) || $0.matches(short) }
  }

  /// Whether a gap may contain matching events. Its events are unknown, so only its time can exclude it.
  package func admits(_ gap: LogGap) -> Bool {
    if let until, let after = gap.after?.wall, after >= until { return false }
    if let since, let before = gap.before?.wall, before < since { return false }
    return true
  }

  /// Whether a finding matches by its tasks, session, level and time. A finding about the whole log matches any task and session.
  package func admits(_ inset: EventInset) -> Bool {
    if let level, !level.admits(inset.level) { return false }
    if !isInTime(inset.wall) { return false }
    if !events.isEmpty, !events.contains(where: { $0.matches("finding") }) { return false }
    if let search, !search.finds(inset) { return false }
    if predicate != nil, !inset.tasks.isEmpty, !inset.tasks.contains(where: { tasksOfPredicate.contains($0.uid) }) {
      return false
    }
    if inset.tasks.isEmpty, inset.session == nil { return true }
    if !tasks.isEmpty || !sessions.isEmpty {
      let isOfTask = inset.tasks.contains(where: isWanted)
      guard isOfTask || tasks.isEmpty && isSessionWanted(inset.session) else { return false }
    }
    return hosts.isEmpty || inset.tasks.contains { tasksOfHosts.contains($0.uid) }
  }

  /// Whether a time is within the limits. An unknown time counts as within.
  private func isInTime(_ wall: WallTime?) -> Bool {
    guard let wall else { return true }
    if let since, wall < since { return false }
    if let until, wall >= until { return false }
    return true
  }

  private mutating func isOfTaskOrSession(_ event: RecordedEvent) -> Bool {
    if !intents.isEmpty, let intent = event.intent?.key, intents.contains(where: { $0.matches(intent) }) {
      if let task = event.task { chosen.insert(task.uid) }
      return isSessionWanted(event.session ?? event.task?.session)
    }
    if !chosen.isEmpty, let task = event.task, chosen.contains(task.uid) { return isSessionWanted(task.session) }
    if let symbol = event.taskSymbol { return isWanted(symbol, of: event) || isSuccessorWanted(event) }
    return tasks.isEmpty && isSessionWanted(event.session)
  }

  private func isSuccessorWanted(_ event: RecordedEvent) -> Bool { event.successor.map(isWanted) ?? false }

  private mutating func isWanted(_ symbol: UInt32, of event: RecordedEvent) -> Bool {
    let source = event.source.index
    while verdicts.count <= source { verdicts.append(SymbolTable()) }
    if let verdict = verdicts[source][symbol] { return verdict }
    // The task's definition may be read later, so this answer is not cached.
    guard let task = event.task else { return false }
    let verdict = isWanted(task)
    verdicts[source].set(verdict, at: symbol)
    return verdict
  }

  private func isWanted(_ task: TaskIdentity) -> Bool {
    (tasks.isEmpty || chosen.contains(task.uid) || tasks.contains { $0.matches(task) }) && isSessionWanted(task.session)
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
