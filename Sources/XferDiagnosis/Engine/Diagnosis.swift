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
  package private(set) var undecided: [Undecided: Int] = [:]
  package var world: World { replay.world }
  package var findings: [Finding] { ledger.findings }

  private let rules: [any DiagnosisRule]
  private let taskRules: TaskRules
  private let subjectRules: SubjectRules

  // What the rules have made of each subject, by its index; tasks apart, which are asked about by the million.
  private var tasks: [Progress] = []
  private var others = [[Progress]](repeating: [], count: Subject.Kind.allCases.count)
  /// Wakes of which something is still to be said: those of a session may be many, and most are long over.
  private var openWakes: [Int] = []
  /// How many wakes there were when it was last looked.
  private var knownWakes = 0
  /// Memory that is used for one question after another.
  private var answers = TaskAnswers()
  /// Tasks that were acknowledged or forgotten, oldest first: closed when nothing can be said of them any more.
  private var ended = Ring<TaskTable.Place>()
  private let onTaskEnd: (TaskLifecycle, World) -> Void
  private var counted: [Tally]
  private var silences = Silences()
  private var ledger = FindingLedger()
  private var deadlines: [DeadlineQueue<Question>] = []
  /// The user's own rules; what they cost is nothing where there are none.
  private var monitors: UserMonitors
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

  private struct Progress {
    /// Rules that have answered for good.
    var settled = RulePlaces()
    /// Rules that only what comes late could still move.
    var quiet = RulePlaces()
    /// Rules that asked for a deadline; each waits for one at a time.
    var waiting = RulePlaces()
    /// Rules that presuppose what was not seen so far.
    var idle = RulePlaces()
    // Not `[]`, which another module's option set has from the protocol, by way of its metadata.
    var traits = TaskLifecycle.Traits(rawValue: 0)
    var hasFinding = false
    /// Of the place; another generation is another subject.
    var generation: UInt32 = 0
    /// Place of the process by whose log it waits; not kept of tasks.
    var process: Int?

    mutating func note(_ answer: Answer, of rule: Int) {
      switch answer {
      case .settled: settled.insert(rule)
      case .quiet: quiet.insert(rule)
      case .waits: waiting.insert(rule)
      case .open: break
      }
    }
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
    if change.fact.kind.family == "daemon" { makeRoom(for: replay.world.tasks.lifecycles.count - 1) }
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

  private mutating func makeRoom(for task: Int) {
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

  // MARK: Asking about tasks

  private mutating func ask(_ concerned: RulePlaces, task: Int, _ cause: Occasion.Cause) {
    makeRoom(for: task)
    let left = concerned.subtracting(tasks[task].settled)
    let (idle, open) = (left.intersection(tasks[task].idle), left.subtracting(tasks[task].idle))
    if !idle.isEmpty { leaveOut(idle, task: task, cause) }
    guard !open.isEmpty else { return }
    let (glance, generation) = (replay.world.tasks.glance(at: task), replay.world.tasks.generation(of: task))
    let occasion = Occasion(cause: cause, coveredUntil: replay.world.processes[glance.process].coveredUntil)
    taskRules.ask(open, on: task, in: replay.world, occasion, &answers)
    settleSilence(of: task, generation, isFinal: occasion.isEndOfLog)
    for place in answers.others.indices {
      let (rule, verdict) = answers.others[place]
      let question = Question(rule: rule, subject: .task(task), generation: generation)
      if case .finding = verdict { tasks[task].hasFinding = true }
      let answer = settle(verdict, question, process: glance.process, isWaiting: tasks[task].waiting.contains(rule), occasion)
      tasks[task].note(answer, of: rule)
    }
    answers.removeAll()
  }

  /// As `settle` does for each rule, for all that have found nothing.
  private mutating func settleSilence(of task: Int, _ generation: UInt32, isFinal: Bool) {
    var (silent, open) = (answers.silent, answers.open)
    if isFinal {
      silent = silent.union(answers.silentSoFar)
    } else {
      tasks[task].quiet = tasks[task].quiet.union(answers.silentSoFar)
    }
    tasks[task].settled = tasks[task].settled.union(silent)
    while let rule = silent.popFirst() { if !hasFound(rule, on: task, generation) { counted[rule].silent += 1 } }
    guard isFinal else { return }
    tasks[task].settled = tasks[task].settled.union(open)
    while let rule = open.popFirst() { if !hasFound(rule, on: task, generation) { counted[rule].inFlight += 1 } }
  }

  /// What was found before stays found.
  private func hasFound(_ rule: Int, on task: Int, _ generation: UInt32) -> Bool {
    tasks[task].hasFinding && ledger.hasFinding(for: Question(rule: rule, subject: .task(task), generation: generation))
  }

  /// What rules presuppose is not there.
  private mutating func leaveOut(_ idle: RulePlaces, task: Int, _ cause: Occasion.Cause) {
    switch cause {
    // It may still come, late.
    case .taskEnded: tasks[task].quiet = tasks[task].quiet.union(idle)
    case .endOfLog: countSilent(idle)
    case .change, .processEnded: break
    }
  }

  private mutating func countSilent(_ rules: RulePlaces) {
    silences.note(rules)?.add(to: &counted)
  }

  /// Of one task after another the same rules have nothing to say; so they are counted as one.
  private struct Silences {
    private var rules = RulePlaces()
    private var count = 0

    /// - Returns: what was counted so far, where these rules are others.
    mutating func note(_ rules: RulePlaces) -> Silences? {
      if rules == self.rules {
        count += 1
        return nil
      }
      let before = self
      (self.rules, count) = (rules, 1)
      return before
    }

    func add(to tallies: inout [Tally]) {
      var rules = rules
      while let rule = rules.popFirst() { tallies[rule].silent += count }
    }
  }

  // MARK: Asking about anything else

  private mutating func ask(about subject: Subject, _ kind: EventKind) {
    for watcher in subjectRules.watching(kind, of: subject.kind) { ask(watcher, about: subject, .change) }
    // What was read up to here is a subject of its own.
    for watcher in subjectRules.watching(kind, of: .log) where subject.kind != .log { ask(watcher, about: .log, .change) }
  }

  private mutating func askAll(about subject: Subject, _ cause: Occasion.Cause) {
    for watcher in subjectRules.all(subject.kind) { ask(watcher, about: subject, cause) }
  }

  private mutating func ask(_ watcher: SubjectRules.Watcher, about subject: Subject, _ cause: Occasion.Cause) {
    let (kind, index) = (subject.kind.rawValue, subject.index)
    while others[kind].count <= index { others[kind].append(Progress()) }
    let generation = replay.world.generation(of: subject)
    if others[kind][index].generation != generation { others[kind][index] = Progress(generation: generation) }
    guard !others[kind][index].settled.contains(watcher.index),
      type(of: watcher.rule).concerns(index, in: replay.world)
    else { return }
    let process = replay.world.process(of: subject)
    // What goes on in another life waits by that one's log.
    if others[kind][index].process != process {
      (others[kind][index].process, others[kind][index].waiting) = (process, RulePlaces())
    }
    let covered = process.map { replay.world.processes[$0].coveredUntil } ?? .min
    let occasion = Occasion(cause: cause, coveredUntil: covered)
    let verdict = watcher.rule.verdict(about: index, in: replay.world, asked: occasion)
    let question = Question(rule: watcher.index, subject: subject, generation: generation)
    let isWaiting = others[kind][index].waiting.contains(watcher.index)
    let answer = settle(verdict, question, process: process, isWaiting: isWaiting, occasion)
    others[kind][index].note(answer, of: watcher.index)
  }

  // MARK: Settling

  private enum Answer {
    /// For good.
    case settled
    /// For good, unless something comes late.
    case quiet
    /// Asked again at a deadline.
    case waits
    case open
  }

  private mutating func settle(
    _ verdict: Verdict?, _ question: Question, process: Int?, isWaiting: Bool, _ occasion: Occasion
  ) -> Answer {
    let isFinal = occasion.isEndOfLog
    if case .wait(let delay, let fact)? = verdict, !isFinal, let process, let start = fact.monotonic {
      // A question that waits already keeps its first moment: asked then, the rule says how long is left.
      if !isWaiting { wait(delay, from: start, question, process) }
      return .waits
    }
    if case .silentSoFar? = verdict, !isFinal { return .quiet }
    // Most answers are silence; a process is only looked at for the others.
    let lifecycle = if case .finding? = verdict { process.map { replay.world.processes[$0] } } else { nil as ProcessLifecycle? }
    return settle(verdict, question, process: lifecycle, isFinal: isFinal) ? .settled : .open
  }

  private mutating func settle(
    _ verdict: Verdict?, _ question: Question, process: ProcessLifecycle?, isFinal: Bool
  ) -> Bool {
    let rule = question.rule
    switch verdict {
    case nil, .wait:
      if isFinal, !ledger.hasFinding(for: question) { counted[rule].inFlight += 1 }
      return isFinal
    case .silent, .silentSoFar:
      // What was found before stays found.
      if !ledger.hasFinding(for: question) { counted[rule].silent += 1 }
      return true
    case .undecidable(let needs):
      note(undecided: rule, needs)
      return true
    case .finding(let draft):
      let description = descriptions[rule]
      switch Guards(world: replay.world).grade(draft, of: description, writers: process.map { [$0] } ?? []) {
      case .silent: counted[rule].silent += 1
      case .undecidable(let needs): note(undecided: rule, needs)
      case .finding(let certainty, let lowered):
        let finding = Finding(
          draft, of: description, about: Finding.About(question.subject, in: replay.world), launch: process?.launch,
          certainty: certainty, lowered: lowered)
        if ledger.note(finding, for: question) { counted[rule].findings += 1 }
        // What is not certain may become so.
        return certainty == .certain || isFinal
      }
      return true
    }
  }

  private mutating func note(undecided rule: Int, _ needs: String) {
    counted[rule].undecidable += 1
    undecided[Undecided(rule: counted[rule].rule, needs: needs), default: 0] += 1
  }

  // MARK: The user's rules

  @inline(never)
  private mutating func show(_ event: EventView, _ change: Change?) {
    settle(monitors.take(event, change, in: replay.world))
    guard let change else { return }
    switch (change.fact.kind, change.subject) {
    case (.processExited, .process(let process)), (.processExitObserved, .process(let process)):
      settle(monitors.close(process, in: replay.world))
    case (.logClosed, _): settle(monitors.close(change.process, in: replay.world))
    default: break
    }
  }

  private mutating func finishMonitors() {
    settle(monitors.finish(in: replay.world))
    for rule in 0..<(counted.count - rules.count) {
      let place = rules.count + rule
      counted[place].inFlight += monitors.open(rule)
      counted[place].silent += monitors.unmet(rule)
      let tally = counted[place]
      guard tally.silent + tally.undecidable + tally.findings + tally.inFlight == 0 else { continue }
      if let needs = monitors.neverKept(rule, in: replay.world) { note(undecided: place, needs) }
    }
  }

  private mutating func settle(_ decisions: [UserMonitors.Decision]) {
    for decision in decisions { settle(decision) }
  }

  private mutating func settle(_ decision: UserMonitors.Decision) {
    let rule = rules.count + decision.rule
    switch decision.verdict {
    case .silent, .silentSoFar: counted[rule].silent += 1
    case .undecidable(let needs): note(undecided: rule, needs)
    case .wait: break
    case .finding(let draft):
      let writers = decision.writers.map { replay.world.processes[$0] }
      switch Guards(world: replay.world).grade(draft, of: descriptions[rule], writers: writers) {
      case .silent:
        counted[rule].silent += 1
        monitors.drop(decision)
      case .undecidable(let needs):
        if decision.earlier == nil { note(undecided: rule, needs) }
        monitors.drop(decision)
      case .finding(let certainty, let lowered):
        guard let about = decision.about else { return }
        let finding = Finding(
          draft, of: descriptions[rule], about: about, launch: writers.last?.launch, certainty: certainty, lowered: lowered)
        if decision.earlier == nil { counted[rule].findings += 1 }
        let place = ledger.note(finding, replacing: decision.earlier)
        if certainty == .certain { monitors.drop(decision) } else { monitors.note(finding: place, of: decision) }
      }
    }
  }

  // MARK: Deadlines

  private mutating func wait(_ delay: Duration, from start: Int64, _ question: Question, _ place: Int) {
    while deadlines.count <= place { deadlines.append(DeadlineQueue()) }
    // Time spent suspended does not count, so what has passed on the clock may not have passed for the process. The
    // moment always lies ahead: a question that came due again at once would be asked for ever.
    let process = replay.world.processes[place]
    let remaining = delay.nanoseconds.subtractingClamped(process.runningTime(from: start, to: process.coveredUntil))
    let earliest = process.coveredUntil.addingClamped(max(1, remaining))
    // Behind the last moment that a clock can show nothing comes.
    guard earliest > process.coveredUntil else { return }
    if deadlines[place].isCrowded { forgetAnswered(in: place) }
    deadlines[place].add(question, at: max(start.addingClamped(delay.nanoseconds), earliest))
  }

  private mutating func forgetAnswered(in place: Int) {
    // The world's fields and not `self`, all of which the closure would copy for each question.
    let (world, tasks) = (replay.world, tasks)
    deadlines[place].keep { question in
      guard Self.isCurrent(question, in: world) else { return false }
      guard case .task(let task) = question.subject else { return true }
      return !tasks[task].settled.contains(question.rule)
    }
  }

  /// Whether its subject has its place still: another one may have it by now.
  private static func isCurrent(_ question: Question, in world: World) -> Bool {
    world.generation(of: question.subject) == question.generation
  }

  private mutating func checkDeadlines(of process: Int) {
    let covered = replay.world.processes[process].coveredUntil
    while let question = deadlines[process].take(upTo: covered) {
      guard Self.isCurrent(question, in: replay.world) else { continue }
      if case .task(let task) = question.subject {
        tasks[task].waiting.remove(question.rule)
        ask(RulePlaces([question.rule]), task: task, .change)
      } else if let watcher = subjectRules.watcher(question.rule) {
        others[question.subject.kind.rawValue][question.subject.index].waiting.remove(question.rule)
        ask(watcher, about: question.subject, .change)
      }
    }
  }
}

/// What a rule is asked about.
struct Question: Hashable {
  let rule: Int
  let subject: Subject
  /// Of the subject's place, which may be another's by the time the question comes up again.
  var generation: UInt32 = 0
}
