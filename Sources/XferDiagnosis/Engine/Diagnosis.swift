package import XferEvents
package import XferLifecycle
package import XferReplay

/// Replays a log and decides the rules as it goes: a rule is asked when an event it watches arrives, when a deadline it
/// asked for is covered by the log, and when its subject's scope closes. `replay` and `tail` use the same.
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

  let rules: [any DiagnosisRule]
  let taskRules: TaskRules
  let subjectRules: SubjectRules

  // What the rules have made of each subject, by its index; tasks apart, which are asked about by the million.
  var tasks: [Progress] = []
  var others = [[Progress]](repeating: [], count: Subject.Kind.allCases.count)
  /// Wakes of which something is still to be said: those of a session may be many, and most are long over.
  private var openWakes: [Int] = []
  /// How many wakes there were when it was last looked.
  private var knownWakes = 0
  /// Memory that is used for one question after another.
  var answers = TaskAnswers()
  /// Tasks that were acknowledged or forgotten, oldest first: closed when nothing can be said of them any more.
  private var ended = Ring<TaskTable.Place>()
  private let onTaskEnd: (TaskLifecycle, World) -> Void
  var counted: [Tally]
  var silences = Silences()
  var ledger = FindingLedger()
  var deadlines: [DeadlineQueue<Question>] = []
  /// The user's own rules; what they cost is nothing where there are none.
  var monitors: UserMonitors
  /// Of all rules, in the order of `tallies`.
  package let descriptions: [RuleDescription]

  /// How often a rule answered what.
  package struct Tally: Hashable, Sendable {
    package let rule: String
    package var silent = 0
    package var undecidable = 0
    package var findings = 0
    /// Asked at the end of the log and still open.
    package var inFlight = 0
  }

  package struct Undecided: Hashable, Sendable {
    package let rule: String
    package let needs: String
  }

  /// How many tasks that are over stay in the world.
  private let endedLimit: Int

  /// - Parameters:
  ///   - userRules: those that are no part of the catalogue.
  ///   - endedLimit: how many tasks that are over stay in the world, for what apps say of them afterwards.
  ///   - onTaskEnd: called once for each task: when it is closed, or at the end of the log.
  package init(
    rules: [any DiagnosisRule] = RuleCatalogue.rules, userRules: [UserRule] = [], endedLimit: Int = 256,
    onTaskEnd: @escaping (TaskLifecycle, World) -> Void = { _, _ in }
  ) {
    self.rules = rules
    self.endedLimit = endedLimit
    self.onTaskEnd = onTaskEnd
    descriptions = rules.map { type(of: $0).description } + userRules.map(\.description)
    counted = descriptions.map { Tally(rule: $0.id) }
    monitors = UserMonitors(userRules)
    taskRules = TaskRules(rules)
    subjectRules = SubjectRules(rules)
  }

  // MARK: As the log comes

  /// - Returns: findings that were decided, or became surer, by this member: places in `findings`.
  @discardableResult
  package mutating func apply(_ member: LogMember) -> [Int] {
    switch member {
    case .event(let event): apply(event.view)
    case .gap(let gap): apply(gap)
    }
    return ledger.takeFresh()
  }

  /// - Parameter each: sees every member once it has been applied, in that order.
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

  private mutating func apply(
    _ events: ContiguousArray<EventView>, _ places: Range<Int>, _ each: ((LogMember) throws -> Void)?
  ) throws {
    for place in places {
      apply(events[place])
      try each?(.event(RecordedEvent(events[place])))
    }
  }

  package mutating func apply(_ gap: LogGap) {
    _ = replay.apply(.gap(gap))
    askAll(about: .gap(replay.world.gaps.count - 1), .change)
  }

  package mutating func apply(_ event: EventView) {
    guard let change = replay.apply(event) else {
      if !monitors.isEmpty { show(event, nil) }
      return
    }
    if case .task(let task) = change.subject { note(change, task: task) } else { note(change) }
    if !replay.world.touched.isEmpty { askTouched(change.fact.kind) }
    let process = change.process
    if process < deadlines.count, deadlines[process].earliest <= replay.covered { checkDeadlines(of: process) }
    if !monitors.isEmpty { show(event, change) }
  }

  @inline(__always)
  private mutating func note(_ change: Change, task: Int) {
    ask(changed: task, change.fact.kind)
    switch change.fact.kind {
    case .taskAcknowledged, .taskForgotten: end(task, change.fact)
    // The engine says nothing more of such a task; an app that hands over itself may still cancel.
    case .taskHandedOff where replay.world.tasks.lifecycles[task].attempt?.end == .handedOff: end(task, change.fact)
    default: break
    }
  }

  private mutating func note(_ change: Change) {
    // It may have told of tasks of which nothing else had.
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
    case .task, .wake, .keepalive, .intent, .upload, .boot, .gap: break
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

  /// What a process's next life shows of it, and of what it had going.
  private mutating func ask(lifeBefore process: Int?, _ kind: EventKind) {
    guard let process else { return }
    ask(about: .process(process), kind)
    for keepalive in replay.world.keepalives.indices where replay.world.keepalives[keepalive].process == process {
      ask(about: .keepalive(keepalive), kind)
    }
  }

  private mutating func askTouched(_ kind: EventKind) {
    for subject in replay.world.touched {
      if case .task(let task) = subject { ask(changed: task, kind) } else { ask(about: subject, kind) }
    }
  }

  @inline(__always)
  private mutating func ask(changed task: Int, _ kind: EventKind) {
    let glance = replay.world.tasks.glance(at: task)
    note(kind, glance.traits, of: task)
    let watching = taskRules.watching(kind, isCompleted: glance.isCompleted, waiting: tasks[task].waiting)
    // Most of those that watch have answered, or presuppose what is not there.
    let open = watching.subtracting(tasks[task].settled).subtracting(tasks[task].idle)
    if !open.isEmpty { ask(open, task: task, .change) }
  }

  @inline(__always)
  private mutating func note(_ kind: EventKind, _ traits: TaskLifecycle.Traits, of task: Int) {
    makeRoom(for: task)
    let fulfilled = taskRules.fulfilled(by: kind)
    if !fulfilled.isEmpty { tasks[task].idle = tasks[task].idle.subtracting(fulfilled) }
    guard traits != tasks[task].traits else { return }
    tasks[task].traits = traits
    tasks[task].idle = tasks[task].idle.subtracting(taskRules.fulfilled(by: traits))
  }

  mutating func makeRoom(for task: Int) {
    while tasks.count <= task { tasks.append(Progress(idle: taskRules.presupposing)) }
  }

  /// Closes what is still open; call it once, when there is no more log.
  @discardableResult
  package mutating func finish() -> [Int] {
    let open = replay.world.tasks.indexes
    for task in open { ask(taskRules.all, task: task, .endOfLog) }
    for kind in Subject.Kind.allCases where kind != .task {
      for subject in replay.world.subjects(of: kind) { askAll(about: subject, .endOfLog) }
    }
    // A log that was read without a gap is an answer, too; one without an event is none.
    if replay.world.gaps.isEmpty, replay.counts.events > 0 {
      for watcher in subjectRules.all(.gap) { counted[watcher.index].silent += 1 }
    }
    for task in open { Self.hand(task, of: replay.world, to: onTaskEnd) }
    if !monitors.isEmpty { finishMonitors() }
    ledger.sort(descriptions)
    return ledger.takeFresh()
  }

  /// Nothing more is to come for a task. What an app says of it afterwards may; so it stays for a while.
  private mutating func end(_ task: Int, _ fact: Fact) {
    ask(taskRules.all, task: task, .taskEnded(fact))
    ended.append(replay.world.tasks.place(task))
    guard ended.count > endedLimit, let oldest = ended.popFirst(), replay.world.tasks.isCurrent(oldest) else { return }
    let index = Int(oldest.index)
    // A finding may still become surer, and an open question may still become one.
    if tasks[index].hasFinding { return }
    guard tasks[index].settled.union(tasks[index].quiet).isSuperset(of: taskRules.all) else { return ended.append(oldest) }
    countSilent(taskRules.all.subtracting(tasks[index].settled))
    tasks[index] = Progress(idle: taskRules.presupposing)
    Self.hand(index, of: replay.world, to: onTaskEnd)
    replay.close(index)
  }

  /// See `TaskRules.ask(_:on:in:_:_:)`.
  @inline(never)
  private static func hand(_ task: Int, of world: World, to take: (TaskLifecycle, World) -> Void) {
    take(world.tasks.lifecycles[task], world)
  }

  /// All of a process's open questions, now that it is over.
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
