package import XferEvents
package import XferLifecycle
package import XferReplay

/// A replay of a log that evaluates rules incrementally.
///
/// A rule is asked about a subject when an event that it watches arrives, when the log reaches a deadline that it set, and when the
/// subject, its process or the log ends. `xferlog replay` and `xferlog tail` both use this type.
package struct Diagnosis {
  package private(set) var replay = Replay()
  package var tallies: [Tally] {
    var all = counted
    silences.add(to: &all)
    return all
  }
  package internal(set) var undecided: [Undecided: Int] = [:]
  package var world: World { replay.world }
  package var findings: [Finding] { ledger.findings }

  private let tables: RuleTables
  var rules: [any DiagnosisRule] { tables.rules }
  // Copies of two of the tables, because they are read with every event.
  let taskRules: TaskRules
  let subjectRules: SubjectRules

  // The rules' progress on each subject, by the subject's index. Tasks have an array of their own because there may be millions.
  var tasks: [Progress] = []
  var others = [[Progress]](repeating: [], count: Subject.Kind.allCases.count)
  /// The wakes about which at least one rule is still undecided. A session may have many wakes, and all rules have decided about most of them.
  private var openWakes: [Int] = []
  /// The number of wakes when `openWakes` was last updated.
  private var knownWakes = 0
  /// The answers of the rules that are being asked about a subject. Stored here so that their memory is reused for the next subject.
  var answers = RuleAnswers()
  /// The tasks that were acknowledged, forgotten or handed off, oldest first. A task is removed from the world when `endedLimit`
  /// others have ended and no rule can change its answer about the task.
  private var ended = Ring<TaskTable.Place>()
  /// The completed tasks of foreign logs, oldest first. Most of these logs have no event that ends a task, so the oldest is removed
  /// when `completedLimit` others have completed.
  private var completed = Ring<TaskTable.Place>()
  private let onTaskEnd: (TaskLifecycle, World) -> Void
  var counted: [Tally]
  var silences = Silences()
  var ledger = FindingLedger()
  var fingerprints = FingerprintCache()
  var deadlines: [DeadlineQueue<Question>] = []
  /// The user's own rules. They cost nothing if there are none.
  var monitors: UserMonitors
  /// The descriptions of all rules, in the order of `tallies`.
  package var descriptions: [RuleDescription] { tables.descriptions }

  /// The number of subjects on which a rule gave each kind of answer.
  package struct Tally: Hashable, Sendable {
    package let rule: String
    package var silent = 0
    package var undecidable = 0
    package var findings = 0
    /// The number of subjects on which the rule was still undecided at the end of the log.
    package var inFlight = 0
  }

  package struct Undecided: Hashable, Sendable {
    package let rule: String
    package let needs: String
    /// `nil` if the rule only names what it needs.
    let graded: Lack?

    init(rule: String, needs: String, graded: Lack? = nil) { (self.rule, self.needs, self.graded) = (rule, needs, graded) }

    /// The lack that leaves the question open.
    package var lack: Lack { graded ?? Lack(naming: needs) }
  }

  /// The number of ended tasks that stay in the world.
  private let endedLimit: Int
  /// The number of completed tasks of foreign logs that stay in the world.
  private let completedLimit: Int

  /// - Parameters:
  ///   - endedLimit: the number of ended tasks that stay in the world, so that later events of apps still find them.
  ///   - completedLimit: the number of completed tasks of foreign logs that stay in the world.
  ///   - onTaskEnd: a closure that is called once for each task, when the task is closed or at the end of the log.
  package init(
    _ tables: RuleTables, endedLimit: Int = 256, completedLimit: Int = 4096,
    onTaskEnd: @escaping (TaskLifecycle, World) -> Void = { _, _ in }
  ) {
    self.tables = tables
    (self.endedLimit, self.completedLimit) = (endedLimit, completedLimit)
    self.onTaskEnd = onTaskEnd
    (taskRules, subjectRules, counted) = (tables.taskRules, tables.subjectRules, tables.tallies)
    monitors = UserMonitors(tables.users)
  }

  /// - Parameter userRules: the rules that are not part of the catalogue.
  package init(
    rules: [any DiagnosisRule] = RuleCatalogue.rules, userRules: [UserRule] = [], endedLimit: Int = 256,
    completedLimit: Int = 4096,
    onTaskEnd: @escaping (TaskLifecycle, World) -> Void = { _, _ in }
  ) {
    self.init(
      RuleTables(rules, userRules), endedLimit: endedLimit, completedLimit: completedLimit, onTaskEnd: onTaskEnd)
  }

  // MARK: As the log comes

  /// Applies an event or a gap of the log.
  ///
  /// - Returns: the indexes in `findings` of the findings that are new or have become more certain.
  @discardableResult
  package mutating func apply(_ member: LogMember) -> [Int] {
    switch member {
    case .event(let event): apply(event.view)
    case .gap(let gap):
      apply(gap)
      weakenFindings()
    }
    return ledger.takeFresh()
  }

  /// Applies a batch of a log's events and gaps.
  ///
  /// - Parameter each: a closure that is called with each event or gap right after it has been applied.
  package mutating func apply(_ batch: EventBatch, _ each: ((LogMember) throws -> Void)? = nil) throws {
    var start = 0
    for (end, gap) in batch.gaps {
      try apply(batch.events, start..<end, each)
      start = end
      apply(gap)
      try each?(.gap(gap))
    }
    try apply(batch.events, start..<batch.events.count, each)
  }

  mutating func apply(
    _ events: ContiguousArray<EventView>, _ places: Range<Int>, _ each: ((LogMember) throws -> Void)?
  ) throws {
    for place in places {
      apply(events[place])
      try each?(.event(RecordedEvent(events[place])))
    }
  }

  mutating func forgetSymbols(of source: RecordSource) { replay.forgetSymbols(ofSource: source.index) }

  package mutating func apply(_ gap: LogGap) {
    _ = replay.apply(.gap(gap))
    askAll(about: .gap(replay.world.gaps.count - 1), .change)
  }

  package mutating func apply(_ event: EventView) {
    guard let change = replay.apply(event) else {
      if !monitors.isEmpty { show(event, nil) }
      return
    }
    if case .task(let task) = change.subject { note(change, event, task: task) } else { note(change) }
    if !replay.world.touched.isEmpty { askTouched(change.fact.kind) }
    let process = change.process
    if process < deadlines.count, deadlines[process].earliest <= replay.covered { checkDeadlines(of: process) }
    if !monitors.isEmpty { show(event, change) }
  }

  @inline(__always)
  private mutating func note(_ change: Change, _ event: EventView, task: Int) {
    let remembering = taskRules.remembering(change.fact.kind, isKnown: task < tasks.count && !tasks[task].memories.isEmpty)
    if !remembering.isEmpty { remember(event, change.fact, remembering, task: task) }
    ask(changed: task, change.fact.kind)
    switch change.fact.kind {
    case .taskAcknowledged, .taskForgotten: end(task, change.fact)
    // After the engine has handed off an attempt, it writes no more events about the task. A task that the app hands off itself
    // has not ended, because the app may still cancel it.
    case .taskHandedOff where replay.world.tasks.lifecycles[task].attempt?.end == .handedOff: end(task, change.fact)
    case .taskCompleted where replay.world.processes[change.process].coverage != nil: retire(task)
    default: break
    }
  }

  private mutating func remember(_ event: EventView, _ fact: Fact, _ rules: RulePlaces, task: Int) {
    makeRoom(for: task)
    let remembering = taskRules.remember(event, fact, rules: rules, of: replay.world.tasks[task], &tasks[task].memories)
    tasks[task].idle = tasks[task].idle.subtracting(remembering)
  }

  private mutating func note(_ change: Change) {
    // A daemon's event, such as its list of tasks, may have introduced tasks that no earlier event had named.
    if case .daemon = change.fact.kind.model { makeRoom(for: replay.world.tasks.lifecycles.count - 1) }
    let kind = change.fact.kind
    ask(about: change.subject, kind)
    switch change.subject {
    case .session(let session):
      ask(about: .process(change.process), kind)
      let identifier = replay.world.sessions[session].identifier
      askWakes(kind) { $0.session == identifier }
    case .process(let process):
      askWakes(kind) { $0.place == process }
      switch kind {
      case .processExited, .processExitObserved: close(process, change.fact)
      case .processStarted: ask(lifeBefore: replay.world.processes[process].earlierLife, kind)
      case .daemonStarted: ask(lifeBefore: replay.world.processes[process].daemon?.earlier, kind)
      default: break
      }
    case .log: if kind == .logClosed { close(change.process, change.fact) }
    case .wake(let wake):
      // The call may also make up for the call of an earlier wake whose process was ended.
      if kind == .wakeHandlerCalled, let session = replay.world.wakes[wake].session { askWakes(kind) { $0.session == session } }
    case .task, .keepalive, .intent, .upload, .boot, .gap: break
    }
  }

  private mutating func askWakes(_ kind: EventKind, where concerns: (WakeLifecycle) -> Bool) {
    guard !subjectRules.watching(kind, of: .wake).isEmpty else { return }
    for wake in wakesToAsk() where concerns(replay.world.wakes[wake]) { ask(about: .wake(wake), kind) }
  }

  private mutating func wakesToAsk() -> [Int] {
    let asked = others[Subject.Kind.wake.rawValue]
    openWakes.removeAll { $0 < asked.count && asked[$0].settled.isSuperset(of: subjectRules.places(.wake)) }
    openWakes += knownWakes..<replay.world.wakes.count
    knownWakes = replay.world.wakes.count
    return openWakes
  }

  /// Asks the rules about a process life and its keepalives when the next life of the same program starts.
  private mutating func ask(lifeBefore process: Int?, _ kind: EventKind) {
    guard let process else { return }
    ask(about: .process(process), kind)
    for keepalive in replay.world.keepalives.indices where replay.world.keepalives[keepalive].process == process {
      ask(about: .keepalive(keepalive), kind)
    }
  }

  private mutating func askTouched(_ kind: EventKind) {
    for subject in replay.world.touched {
      if case .process = subject, kind == .taskCreated { reopen(subject, kind) }
      if case .task(let task) = subject { ask(changed: task, kind) } else { ask(about: subject, kind) }
    }
  }

  /// Reopens the questions about a process that have a finding, because a new task resumes a transfer that the process had lost.
  private mutating func reopen(_ subject: Subject, _ kind: EventKind) {
    let (place, generation) = (subject.index, replay.world.generation(of: subject))
    guard place < others[subject.kind.rawValue].count else { return }
    for watcher in subjectRules.watching(kind, of: subject.kind)
    where ledger.hasFinding(for: Question(rule: watcher.index, subject: subject, generation: generation)) {
      others[subject.kind.rawValue][place].settled.remove(watcher.index)
    }
  }

  @inline(__always)
  private mutating func ask(changed task: Int, _ kind: EventKind) {
    let glance = replay.world.tasks.glance(at: task)
    note(kind, glance.traits, of: task)
    let watching = taskRules.watching(kind, isCompleted: glance.isCompleted, waiting: tasks[task].waiting)
    // Most watching rules have answered already, or presuppose something that the task has not met.
    let open = watching.subtracting(tasks[task].settled).subtracting(tasks[task].idle)
    if !open.isEmpty { ask(open, task: task, .change) }
  }

  @inline(__always)
  private mutating func note(_ kind: EventKind, _ traits: TaskLifecycle.Traits, of task: Int) {
    makeRoom(for: task)
    let fulfilled = taskRules.fulfilled(by: kind)
    if !fulfilled.isEmpty { tasks[task].idle = tasks[task].idle.subtracting(fulfilled) }
    // Compares the raw values, because `!=` of an option set from another module is called through a witness table, which is
    // slower.
    guard traits.rawValue != tasks[task].traits.rawValue else { return }
    tasks[task].traits = traits
    tasks[task].idle = tasks[task].idle.subtracting(taskRules.fulfilled(by: traits))
  }

  @inline(__always)
  mutating func makeRoom(for task: Int) {
    while tasks.count <= task { tasks.append(Progress(idle: taskRules.presupposing)) }
  }

  /// Decides everything that is still open. Call this once, at the end of the log.
  ///
  /// - Returns: the indexes in `findings` of the findings that are new or have become more certain.
  @discardableResult
  package mutating func finish() -> [Int] {
    let open = replay.world.tasks.indexes
    for task in open { ask(taskRules.all, task: task, .endOfLog) }
    for kind in Subject.Kind.allCases where kind != .task {
      for subject in replay.world.subjects(of: kind) { askAll(about: subject, .endOfLog) }
    }
    // In a log without gaps, each rule about gaps counts as silent once. An empty log is not counted.
    if replay.world.gaps.isEmpty, replay.counts.events > 0 {
      for watcher in subjectRules.all(.gap) { counted[watcher.index].silent += 1 }
    }
    for task in open { Self.hand(task, of: replay.world, to: onTaskEnd) }
    if !monitors.isEmpty { finishMonitors() }
    weakenFindings(isFinal: true)
    restateFindings()
    ledger.sort(tables)
    return ledger.takeFresh()
  }

  /// Ends a task about which only the app may still write events. The task stays in the world until `endedLimit` others have ended.
  private mutating func end(_ task: Int, _ fact: Fact) {
    ask(taskRules.all, task: task, .taskEnded(fact))
    ended.append(replay.world.tasks.place(task))
    guard ended.count > endedLimit, let oldest = ended.popFirst(), replay.world.tasks.isCurrent(oldest) else { return }
    let index = Int(oldest.index)
    // A task with a finding is kept, because the finding may become more certain. A task about which a rule is undecided is
    // appended again, because the rule may still find something.
    if tasks[index].hasFinding { return }
    guard tasks[index].settled.union(tasks[index].quiet).isSuperset(of: taskRules.all) else { return ended.append(oldest) }
    countSilent(taskRules.all.subtracting(tasks[index].settled))
    tasks[index] = Progress(idle: taskRules.presupposing)
    Self.hand(index, of: replay.world, to: onTaskEnd)
    replay.close(index)
  }

  /// Notes that a task of a foreign log has completed, and removes the one that completed longest ago.
  private mutating func retire(_ task: Int) {
    completed.append(replay.world.tasks.place(task))
    guard completed.count > completedLimit, let oldest = completed.popFirst(), replay.world.tasks.isCurrent(oldest) else {
      return
    }
    let index = Int(oldest.index)
    ask(taskRules.all, task: index, .endOfLog)
    if tasks[index].hasFinding {
      // The task stays, because its finding refers to it. Its rules have given their answers.
      tasks[index].settled = taskRules.all
      return
    }
    tasks[index] = Progress(idle: taskRules.presupposing)
    Self.hand(index, of: replay.world, to: onTaskEnd)
    replay.close(index)
  }

  /// Calls `take` with a task. Not inlined, so that only the task is copied and not the world; see `TaskRules.ask`.
  @inline(never)
  private static func hand(_ task: Int, of world: World, to take: (TaskLifecycle, World) -> Void) {
    take(world.tasks.lifecycles[task], world)
  }

  /// Asks all rules about the subjects of a process that has ended.
  private mutating func close(_ process: Int, _ end: Fact) {
    for task in replay.world.tasks.indexes(ofProcess: process) {
      ask(taskRules.all, task: task, .processEnded(end))
    }
    for kind in Subject.Kind.allCases where kind != .task && kind != .log && !subjectRules.all(kind).isEmpty {
      let subjects: [Subject] =
        switch kind {
        case .session: replay.world.sessions.places(ofProcess: process).map(Subject.session)
        case .wake: wakesToAsk().map(Subject.wake)
        case .process: [.process(process)]
        default: replay.world.subjects(of: kind)
        }
      for subject in subjects where replay.world.process(of: subject) == process {
        askAll(about: subject, .processEnded(end))
      }
    }
  }
}
