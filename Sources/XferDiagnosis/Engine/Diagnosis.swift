package import XferEvents
package import XferLifecycle
package import XferReplay

/// Replays a log and decides the rules as it goes: a rule is asked when an event it watches arrives, when a deadline it
/// asked for is covered by the log, and when its subject's scope closes. `replay` and `tail` use the same.
package struct Diagnosis {
  package private(set) var replay = Replay()
  package private(set) var findings: [Finding] = []
  package private(set) var tallies: [Tally]
  package private(set) var undecided: [Undecided: Int] = [:]
  package var world: World { replay.world }

  private let rules: [any DiagnosisRule]
  private let taskRules: TaskRules
  private let sessionRules: Watchers<any SessionRule>
  private let wakeRules: Watchers<any WakeRule>
  private let processRules: Watchers<any ProcessRule>
  private let keepaliveRules: Watchers<any KeepaliveRule>
  private let gapRules: [(index: Int, rule: any GapRule)]

  // What the rules have made of each subject, by its index.
  private var tasks: [Progress] = []
  /// Memory that is used for one question after another.
  private var answers = TaskAnswers()
  private var sessions: [Progress] = []
  private var wakes: [Progress] = []
  private var processes: [Progress] = []
  private var keepalives: [Progress] = []
  /// Tasks that were acknowledged or forgotten, oldest first: closed when nothing can be said of them any more.
  private var ended = Ring<TaskTable.Place>()
  private let onTaskEnd: (TaskLifecycle, World) -> Void
  private var settledGaps: [NumberSet] = []
  /// Finding of a rule on a subject, so that a later and surer one replaces it.
  private var findingOf: [Question: Int] = [:]
  private var deadlines: [DeadlineQueue] = []

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

  struct Question: Hashable {
    let rule: Int
    let subject: Subject
    /// Of a task's place, which may be another task's by the time the question comes up again.
    var generation: UInt32 = 0
  }

  private struct Progress {
    /// Rules that have answered for good.
    var settled = NumberSet()
    /// Rules that only what comes late could still move.
    var quiet = NumberSet()
    /// Rules that asked for a deadline; each waits for one at a time.
    var waiting = NumberSet()
    /// Rules that presuppose what was not seen so far.
    var idle = NumberSet()
    var traits: TaskLifecycle.Traits = []
    var hasFinding = false

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
  ///   - endedLimit: how many tasks that are over stay in the world, for what apps say of them afterwards.
  ///   - onTaskEnd: called once for each task: when it is closed, or at the end of the log.
  package init(
    rules: [any DiagnosisRule] = RuleCatalogue.rules, endedLimit: Int = 256,
    onTaskEnd: @escaping (TaskLifecycle, World) -> Void = { _, _ in }
  ) {
    self.rules = rules
    self.endedLimit = endedLimit
    self.onTaskEnd = onTaskEnd
    tallies = rules.map { Tally(rule: type(of: $0).description.id) }
    taskRules = TaskRules(rules)
    sessionRules = Watchers(rules)
    wakeRules = Watchers(rules)
    processRules = Watchers(rules)
    keepaliveRules = Watchers(rules)
    gapRules = rules.enumerated().compactMap { index, rule in (rule as? any GapRule).map { (index, $0) } }
  }

  // MARK: As the log comes

  /// - Returns: findings that were decided, or became surer, by this member: places in `findings`.
  @discardableResult
  package mutating func apply(_ member: LogMember) -> [Int] {
    let before = decided
    guard let change = replay.apply(member) else {
      if case .gap = member { ask(gap: replay.world.gaps.count - 1, isFinal: false) }
      return decided == before ? [] : drainDecided()
    }
    switch change.subject {
    case .task(let task):
      let glance = replay.world.tasks.glance(at: task)
      note(change.fact.kind, glance.traits, of: task)
      let watching = taskRules.watching(
        change.fact.kind, isCompleted: glance.isCompleted, waiting: tasks[task].waiting)
      if !watching.isEmpty() { ask(watching, task: task, .change) }
      switch change.fact.kind {
      case .taskAcknowledged, .taskForgotten: end(task, change.fact)
      // The engine says nothing more of such a task; an app that hands over itself may still cancel.
      case .taskHandedOff where replay.world.tasks.lifecycles[task].attempt?.end == .handedOff: end(task, change.fact)
      default: break
      }
      if !replay.world.keepalives.isEmpty { askTouched(by: change.fact) }
    case .wake(let wake):
      for watcher in wakeRules.watching(change.fact.kind) { ask(watcher, wake: wake, .change) }
    case .session(let session):
      for watcher in sessionRules.watching(change.fact.kind) { ask(watcher, session: session, .change) }
      for watcher in processRules.watching(change.fact.kind) { ask(watcher, process: change.process, .change) }
      askWakes(of: session, change.fact)
    case .process(let process):
      // It may have told of tasks of which nothing else had.
      if change.fact.kind.family == "daemon" { makeRoom(for: replay.world.tasks.lifecycles.count - 1) }
      for watcher in processRules.watching(change.fact.kind) { ask(watcher, process: process, .change) }
      askWakes(ofProcess: process, change.fact)
      if !replay.world.keepalives.isEmpty { askTouched(by: change.fact) }
      switch change.fact.kind {
      case .processExited, .processExitObserved: close(process, change.fact)
      case .processStarted: ask(lifeBefore: replay.world.processes[process].earlierLife, change.fact.kind)
      case .daemonStarted: ask(lifeBefore: replay.world.processes[process].daemon?.earlier, change.fact.kind)
      default: break
      }
    case .keepalive(let keepalive):
      for watcher in keepaliveRules.watching(change.fact.kind) { ask(watcher, keepalive: keepalive, .change) }
      askTouched(by: change.fact)
    case .log: if change.fact.kind == .logClosed { close(change.process, change.fact) }
    }
    checkDeadlines(of: change.process)
    return decided == before ? [] : drainDecided()
  }

  @inline(__always)
  private mutating func note(_ kind: EventKind, _ traits: TaskLifecycle.Traits, of task: Int) {
    makeRoom(for: task)
    let fulfilled = taskRules.fulfilled(by: kind)
    if !fulfilled.isEmpty() { tasks[task].idle = tasks[task].idle.subtracting(fulfilled) }
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
    for task in open {
      ask(taskRules.all, task: task, .endOfLog)
    }
    for session in replay.world.sessions.indices {
      for watcher in sessionRules.all { ask(watcher, session: session, .endOfLog) }
    }
    for wake in replay.world.wakes.indices {
      for watcher in wakeRules.all { ask(watcher, wake: wake, .endOfLog) }
    }
    for process in replay.world.processes.indices {
      for watcher in processRules.all { ask(watcher, process: process, .endOfLog) }
    }
    for keepalive in replay.world.keepalives.indices {
      for watcher in keepaliveRules.all { ask(watcher, keepalive: keepalive, .endOfLog) }
    }
    for gap in replay.world.gaps.indices { ask(gap: gap, isFinal: true) }
    // A log that was read without a gap is an answer, too; one without an event is none.
    if replay.world.gaps.isEmpty, replay.counts.events > 0 { for (index, _) in gapRules { tallies[index].silent += 1 } }
    for task in open { Self.hand(task, of: replay.world, to: onTaskEnd) }
    sortFindings()
    return drainDecided()
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
    for session in replay.world.sessions.indices where replay.world.sessions[session].process == process {
      for watcher in sessionRules.all { ask(watcher, session: session, .processEnded(end)) }
    }
    for wake in replay.world.wakes.indices where replay.world.wakes[wake].place == process {
      for watcher in wakeRules.all { ask(watcher, wake: wake, .processEnded(end)) }
    }
    for keepalive in replay.world.keepalives.indices where replay.world.keepalives[keepalive].process == process {
      for watcher in keepaliveRules.all { ask(watcher, keepalive: keepalive, .processEnded(end)) }
    }
    for watcher in processRules.all { ask(watcher, process: process, .processEnded(end)) }
    guard !replay.world.gaps.isEmpty, let launch = replay.world.processes[process].launch else { return }
    for gap in replay.world.gaps.indices where replay.world.gaps[gap].launch == launch { ask(gap: gap, isFinal: false) }
  }

  /// Before the log's end only what is shown by positive evidence is decided; nothing that follows can change that.
  private mutating func ask(gap place: Int, isFinal: Bool) {
    while settledGaps.count <= place { settledGaps.append(NumberSet()) }
    let world = replay.world
    let gap = world.gaps[place]
    let process = gap.launch.flatMap { launch in world.processes.first { $0.launch == launch } }
    guard isFinal || process?.firstSeen != nil else { return }
    for (index, rule) in gapRules where !settledGaps[place].contains(index) {
      let verdict = rule.verdict(on: gap, process: process, in: world)
      if !isFinal {
        guard case .finding(let draft)? = verdict, case .presence = draft.claim else { continue }
      }
      settle(verdict, Question(rule: index, subject: .log), process: process, isFinal: true)
      settledGaps[place].insert(index)
    }
  }

  /// What a process's next life shows of it.
  private mutating func ask(lifeBefore process: Int?, _ kind: EventKind) {
    guard let process else { return }
    for watcher in processRules.watching(kind) { ask(watcher, process: process, .change) }
    let watching = keepaliveRules.watching(kind)
    guard !watching.isEmpty else { return }
    for keepalive in replay.world.keepalives.indices where replay.world.keepalives[keepalive].process == process {
      for watcher in watching { ask(watcher, keepalive: keepalive, .change) }
    }
  }

  private mutating func askTouched(by fact: Fact) {
    for keepalive in replay.keepalives(touchedBy: fact) {
      for watcher in keepaliveRules.watching(fact.kind) { ask(watcher, keepalive: keepalive, .change) }
    }
  }

  private mutating func askWakes(of session: Int, _ fact: Fact) {
    let watching = wakeRules.watching(fact.kind)
    guard !watching.isEmpty else { return }
    let identifier = replay.world.sessions[session].identifier
    for wake in replay.world.wakes.indices where replay.world.wakes[wake].session == identifier {
      for watcher in watching { ask(watcher, wake: wake, .change) }
    }
  }

  private mutating func askWakes(ofProcess process: Int, _ fact: Fact) {
    let watching = wakeRules.watching(fact.kind)
    guard !watching.isEmpty else { return }
    for wake in replay.world.wakes.indices where replay.world.wakes[wake].place == process {
      for watcher in watching { ask(watcher, wake: wake, .change) }
    }
  }

  // MARK: Asking

  private mutating func ask(_ concerned: NumberSet, task: Int, _ cause: Occasion.Cause) {
    makeRoom(for: task)
    let left = concerned.subtracting(tasks[task].settled)
    let (idle, open) = (left.intersection(tasks[task].idle), left.subtracting(tasks[task].idle))
    if !idle.isEmpty() { leaveOut(idle, task: task, cause) }
    guard !open.isEmpty() else { return }
    let glance = replay.world.tasks.glance(at: task)
    let occasion = Occasion(cause: cause, coveredUntil: replay.world.processes[glance.process].coveredUntil)
    taskRules.ask(open, on: task, in: replay.world, occasion, &answers)
    settleSilence(of: task, glance.generation, isFinal: occasion.isEndOfLog)
    for place in answers.others.indices {
      let (rule, verdict) = answers.others[place]
      let question = Question(rule: rule, subject: .task(task), generation: glance.generation)
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
    while let rule = silent.popFirst() { if !hasFound(rule, on: task, generation) { tallies[rule].silent += 1 } }
    guard isFinal else { return }
    tasks[task].settled = tasks[task].settled.union(open)
    while let rule = open.popFirst() { if !hasFound(rule, on: task, generation) { tallies[rule].inFlight += 1 } }
  }

  /// What was found before stays found.
  private func hasFound(_ rule: Int, on task: Int, _ generation: UInt32) -> Bool {
    tasks[task].hasFinding && findingOf[Question(rule: rule, subject: .task(task), generation: generation)] != nil
  }

  /// What rules presuppose is not there.
  private mutating func leaveOut(_ idle: NumberSet, task: Int, _ cause: Occasion.Cause) {
    switch cause {
    // It may still come, late.
    case .taskEnded: tasks[task].quiet = tasks[task].quiet.union(idle)
    case .endOfLog: countSilent(idle)
    case .change, .processEnded: break
    }
  }

  private mutating func countSilent(_ rules: NumberSet) {
    var rules = rules
    while let rule = rules.popFirst() { tallies[rule].silent += 1 }
  }

  private mutating func ask(_ watcher: Watchers<any SessionRule>.Watcher, session: Int, _ cause: Occasion.Cause) {
    while sessions.count <= session { sessions.append(Progress()) }
    guard !sessions[session].settled.contains(watcher.index) else { return }
    let process = replay.world.sessions[session].process
    let occasion = Occasion(cause: cause, coveredUntil: replay.world.processes[process].coveredUntil)
    let verdict = watcher.rule.verdict(on: replay.world.sessions[session], in: replay.world, asked: occasion)
    let question = Question(rule: watcher.index, subject: .session(session))
    let answer = settle(
      verdict, question, process: process, isWaiting: sessions[session].waiting.contains(watcher.index), occasion)
    sessions[session].note(answer, of: watcher.index)
  }

  private mutating func ask(_ watcher: Watchers<any WakeRule>.Watcher, wake: Int, _ cause: Occasion.Cause) {
    while wakes.count <= wake { wakes.append(Progress()) }
    guard !wakes[wake].settled.contains(watcher.index) else { return }
    let process = replay.world.wakes[wake].place
    let covered = process.map { replay.world.processes[$0].coveredUntil } ?? .min
    let occasion = Occasion(cause: cause, coveredUntil: covered)
    let verdict = watcher.rule.verdict(on: replay.world.wakes[wake], in: replay.world, asked: occasion)
    let question = Question(rule: watcher.index, subject: .wake(wake))
    let answer = settle(verdict, question, process: process, isWaiting: wakes[wake].waiting.contains(watcher.index), occasion)
    wakes[wake].note(answer, of: watcher.index)
  }

  private mutating func ask(_ watcher: Watchers<any ProcessRule>.Watcher, process: Int, _ cause: Occasion.Cause) {
    while processes.count <= process { processes.append(Progress()) }
    guard !processes[process].settled.contains(watcher.index) else { return }
    let occasion = Occasion(cause: cause, coveredUntil: replay.world.processes[process].coveredUntil)
    let verdict = watcher.rule.verdict(
      on: replay.world.processes[process], tasks: replay.world.tasks.indexes(ofProcess: process), in: replay.world,
      asked: occasion)
    let question = Question(rule: watcher.index, subject: .process(process))
    let answer = settle(
      verdict, question, process: process, isWaiting: processes[process].waiting.contains(watcher.index), occasion)
    processes[process].note(answer, of: watcher.index)
  }

  private mutating func ask(_ watcher: Watchers<any KeepaliveRule>.Watcher, keepalive: Int, _ cause: Occasion.Cause) {
    while keepalives.count <= keepalive { keepalives.append(Progress()) }
    let subject = replay.world.keepalives[keepalive]
    guard !keepalives[keepalive].settled.contains(watcher.index), type(of: watcher.rule).concerns(subject) else { return }
    let occasion = Occasion(cause: cause, coveredUntil: replay.world.processes[subject.process].coveredUntil)
    let verdict = watcher.rule.verdict(on: subject, in: replay.world, asked: occasion)
    let question = Question(rule: watcher.index, subject: .keepalive(keepalive))
    let answer = settle(
      verdict, question, process: subject.process, isWaiting: keepalives[keepalive].waiting.contains(watcher.index), occasion)
    keepalives[keepalive].note(answer, of: watcher.index)
  }

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
    var queue = deadlines[place]
    deadlines[place] = DeadlineQueue()
    queue.keep { question in
      guard case .task(let task) = question.subject else { return true }
      return replay.world.tasks.place(task).generation == question.generation && !tasks[task].settled.contains(question.rule)
    }
    deadlines[place] = queue
  }

  @discardableResult
  private mutating func settle(
    _ verdict: Verdict?, _ question: Question, process: ProcessLifecycle?, isFinal: Bool
  ) -> Bool {
    let rule = question.rule
    switch verdict {
    case nil, .wait:
      if isFinal, findingOf[question] == nil { tallies[rule].inFlight += 1 }
      return isFinal
    case .silent, .silentSoFar:
      // What was found before stays found.
      if findingOf.isEmpty || findingOf[question] == nil { tallies[rule].silent += 1 }
      return true
    case .undecidable(let needs):
      note(undecided: rule, needs)
      return true
    case .finding(let draft):
      let description = type(of: rules[rule]).description
      switch Guards(world: replay.world).grade(draft, of: description, process: process) {
      case .silent: tallies[rule].silent += 1
      case .undecidable(let needs): note(undecided: rule, needs)
      case .finding(let certainty, let lowered):
        record(draft, description, question, process: process, certainty: certainty, lowered: lowered)
        // What is not certain may become so.
        return certainty == .certain || isFinal
      }
      return true
    }
  }

  private mutating func note(undecided rule: Int, _ needs: String) {
    tallies[rule].undecidable += 1
    undecided[Undecided(rule: tallies[rule].rule, needs: needs), default: 0] += 1
  }

  // MARK: Findings

  private var decided = 0
  private var fresh: [Int] = []

  private mutating func drainDecided() -> [Int] {
    defer { fresh = [] }
    return fresh
  }

  private mutating func record(
    _ draft: Draft, _ description: RuleDescription, _ question: Question, process: ProcessLifecycle?, certainty: Certainty,
    lowered: [String]
  ) {
    let (world, subject) = (replay.world, question.subject)
    var task: TaskLifecycle?
    var wake: WakeLifecycle?
    var session: String?
    /// Of what has no session.
    var name: String?
    switch subject {
    case .task(let place):
      task = world.tasks[place]
      session = task?.identity.session
    case .session(let place): session = world.sessions[place].identifier
    case .wake(let place):
      wake = world.wakes[place]
      session = wake?.session
    case .keepalive(let place): name = world.keepalives[place].name
    case .process, .log: break
    }
    let finding = Finding(
      rule: description.id, variant: draft.variant, severity: draft.severity ?? description.severity, certainty: certainty,
      summary: draft.summary, remedy: description.remedy, evidence: Self.inOrder(draft.evidence), missing: draft.missing,
      unless: draft.unless, lowered: lowered, task: task?.identity, session: session,
      wake: wake?.handler, launch: process?.launch, tasks: draft.tasks,
      fingerprint: Fingerprint.make(
        rule: description.id, variant: draft.variant, session: session ?? name, method: task?.method, host: task?.host),
      causedBy: nil)
    decided += 1
    if subject != .log, let known = findingOf[question] {
      if finding.certainty > findings[known].certainty || finding.variant != findings[known].variant {
        findings[known] = finding
        fresh.append(known)
      }
      return
    }
    findingOf[question] = findings.count
    fresh.append(findings.count)
    findings.append(finding)
    tallies[question.rule].findings += 1
  }

  /// As it happened; rules name what they rest on by its weight. Where a time is not known they keep their order.
  private static func inOrder(_ evidence: [Fact]) -> [Fact] {
    evidence.contains { $0.wall == nil } ? evidence : evidence.sorted { $0.wall! < $1.wall! }
  }

  /// In the order of what happened, each consequence pointing at its root.
  private mutating func sortFindings() {
    let order = findings.indices.sorted { left, right in
      let (first, second) = (findings[left], findings[right])
      let (early, late) = (first.evidence[0], second.evidence[0])
      if let one = early.wall, let other = late.wall, one != other { return one < other }
      if early.reference != late.reference { return early.reference < late.reference }
      return first.rule < second.rule
    }
    let places = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    findings = order.map { findings[$0] }
    fresh = fresh.compactMap { places[$0] }
    let descriptions = Dictionary(
      uniqueKeysWithValues: rules.map { (type(of: $0).description.id, type(of: $0).description) })
    let roots = Roots(findings, rules: Set(descriptions.values.flatMap(\.consequenceOf)))
    for place in findings.indices {
      let rules = descriptions[findings[place].rule]?.consequenceOf ?? []
      findings[place].causedBy = rules.isEmpty ? nil : roots.first(of: rules, for: place, in: findings)
    }
  }

  // MARK: Deadlines

  private mutating func checkDeadlines(of process: Int) {
    guard process < deadlines.count else { return }
    let covered = replay.world.processes[process].coveredUntil
    while let question = deadlines[process].take(upTo: covered) {
      switch question.subject {
      case .task(let task):
        // Another task may have the place by now.
        guard replay.world.tasks.place(task).generation == question.generation else { continue }
        tasks[task].waiting.remove(question.rule)
        ask(NumberSet([question.rule]), task: task, .change)
      case .wake(let wake):
        wakes[wake].waiting.remove(question.rule)
        if let watcher = wakeRules.watcher(question.rule) { ask(watcher, wake: wake, .change) }
      case .process(let process):
        processes[process].waiting.remove(question.rule)
        if let watcher = processRules.watcher(question.rule) { ask(watcher, process: process, .change) }
      case .session(let session):
        sessions[session].waiting.remove(question.rule)
        if let watcher = sessionRules.watcher(question.rule) { ask(watcher, session: session, .change) }
      case .keepalive(let keepalive):
        keepalives[keepalive].waiting.remove(question.rule)
        if let watcher = keepaliveRules.watcher(question.rule) { ask(watcher, keepalive: keepalive, .change) }
      case .log: break
      }
    }
  }
}
