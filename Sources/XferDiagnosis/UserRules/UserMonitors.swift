import XferEvents
import XferLifecycle
import XferReplay

/// The state machines of all user rules, with the events that they watch and their deadlines.
struct UserMonitors: Sendable {
  private var monitors: [RuleMonitor]
  /// The indexes of the monitors that watch each kind of event.
  private var watching: [[Int]]
  private var deadlines: [DeadlineQueue<Due>] = []
  /// The index of each source's process; -1 where unknown.
  private var places: [Int] = []
  private let needsSession: Bool
  /// Whether each known session ends with its process.
  private var sessionKinds: [SessionPlace: Bool] = [:]

  private struct Due: Sendable {
    let rule: Int
    let wait: Int
  }

  private struct SessionPlace: Hashable {
    let identifier: String
    let process: Int
  }

  /// A conclusion of a rule, before the guards grade it.
  struct Decision {
    /// The rule's index among the user's rules.
    let rule: Int
    let verdict: Verdict
    /// The subject of the finding.
    let about: Finding.About?
    /// The indexes of the process lives on whose log the conclusion rests.
    let writers: [Int]
    /// The ID of the wait; `nil` if the wait has ended.
    let open: Int?
    /// The index of the wait's earlier finding, which a more certain one replaces; `nil` if there is none.
    let earlier: Int?
  }

  init(_ rules: [UserRule]) {
    monitors = rules.map(RuleMonitor.init)
    watching = [[Int]](repeating: [], count: 256)
    for (place, monitor) in monitors.enumerated() {
      for kind in monitor.kinds { watching[Int(kind.rawValue)].append(place) }
    }
    needsSession = rules.contains { $0.patterns.contains { $0.scope == .session } || $0.scope == .session }
  }

  var isEmpty: Bool { monitors.isEmpty }

  // MARK: Taking events

  /// Shows an event to the rules that watch it, and decides due deadlines.
  ///
  /// - Parameter change: the event's change to the world; `nil` if the event is about a subject that was already closed.
  mutating func take(_ event: EventView, _ change: Change?, in world: World) -> [Decision] {
    guard let kind = event.kind, let writer = process(of: event, change, in: world) else { return [] }
    var decisions: [Decision] = []
    let watchers = watching[Int(kind.rawValue)]
    if !watchers.isEmpty {
      let seen = seen(event, kind, change, writer: writer, in: world)
      for rule in watchers { take(seen, rule, in: world, &decisions) }
    }
    if case .processStarted = kind { requeue(in: world) }
    decisions += checkDeadlines(of: writer, in: world)
    return decisions
  }

  private mutating func process(of event: EventView, _ change: Change?, in world: World) -> Int? {
    let index = event.sourceIndex
    while places.count <= index { places.append(-1) }
    if places[index] >= 0 { return places[index] }
    let launch = event.source.writer.launch
    let place = change?.process ?? launch.flatMap { launch in world.processes.firstIndex { $0.launch == launch } }
    places[index] = place ?? -1
    return place
  }

  private mutating func seen(
    _ event: EventView, _ kind: EventKind, _ change: Change?, writer: Int, in world: World
  ) -> SeenEvent {
    var subject = writer
    if case .process(let place)? = change?.subject { subject = place }
    var task: TaskTable.Place?
    if case .task(let index)? = change?.subject { task = world.tasks.place(index) }
    var keys = ScopeKeys(process: subject)
    keys.task = event.task?.uid
    if needsSession, let session = event.session ?? event.task?.session {
      let endsWithProcess = endsWithProcess(session, subject, in: world)
      keys.session = .session(session, process: endsWithProcess ? subject : nil)
    }
    return SeenEvent(
      view: event, kind: kind, fact: event.fact(of: kind), process: writer, role: world.processes[writer].role, keys: keys,
      task: task)
  }

  private mutating func endsWithProcess(_ session: String, _ process: Int, in world: World) -> Bool {
    let place = SessionPlace(identifier: session, process: process)
    if let known = sessionKinds[place] { return known }
    guard let kind = world.sessions.incarnations(of: session).last(where: { $0.process == process && $0.kind != nil })?.kind
    else {
      return false
    }
    sessionKinds[place] = kind != .background
    return kind != .background
  }

  private mutating func take(_ event: SeenEvent, _ rule: Int, in world: World, _ decisions: inout [Decision]) {
    let within = monitors[rule].rule.within
    let (answers, demand) = (monitors[rule].answers, monitors[rule].rule.demand)
    let outcomes = monitors[rule].take(event, in: world) { wait, event in
      guard let within else { return false }
      if case .never = demand { return !RuleMonitor.isInTime(event, after: wait.trigger, within, in: world) }
      guard let writers = AnswerWriters(of: wait, answers[wait.answers.count], in: world) else {
        return !RuleMonitor.isInTime(event, after: wait.trigger, within, in: world)
      }
      return writers.covered(since: wait.trigger.fact, by: wait.trigger.process, in: world) > within.nanoseconds
    }
    for outcome in outcomes { decide(outcome, rule, event, in: world, &decisions) }
  }

  private mutating func decide(
    _ outcome: RuleMonitor.Outcome, _ rule: Int, _ event: SeenEvent, in world: World, _ decisions: inout [Decision]
  ) {
    switch outcome {
    case .waits(let id): queue(id, rule, in: world)
    case .silent: decisions.append(Decision(rule: rule, verdict: .silent))
    case .undecidable(let needs): decisions.append(Decision(rule: rule, verdict: .undecidable(needs: needs)))
    case .met(let wait, let met):
      let draft = monitors[rule].rule.draft(wait, met: met)
      decisions.append(Decision(rule, wait, draft, writers: Set([wait.trigger.process, met.process]).sorted()))
    case .late(let wait):
      let writers = AnswerWriters(of: wait, monitors[rule].answers[wait.answers.count], in: world)
      let draft = monitors[rule].rule.draft(wait, shownBy: .coverage, mayGoOn: false)
      decisions.append(Decision(rule, wait, draft, writers: writers?.lives ?? [event.process]))
    }
  }

  // MARK: Deadlines

  /// Sets a wait's deadline on the clock of the process that could still write the expected event.
  private mutating func queue(_ id: Int, _ rule: Int, in world: World) {
    guard case .expect = monitors[rule].rule.demand, let within = monitors[rule].rule.within, let wait = monitors[rule].waits[id]
    else { return }
    guard let writers = AnswerWriters(of: wait, monitors[rule].answers[wait.answers.count], in: world) else { return }
    let place = writers.lives[writers.lives.count - 1]
    let covered = world.processes[place].coveredUntil
    let left = within.nanoseconds.subtractingClamped(
      writers.covered(since: wait.trigger.fact, by: wait.trigger.process, in: world))
    while deadlines.count <= place { deadlines.append(DeadlineQueue()) }
    // The deadline must lie in the future: `checkDeadlines` would check a wait that is due again immediately in an endless loop.
    deadlines[place].add(Due(rule: rule, wait: id), at: covered.addingClamped(max(1, left)))
    monitors[rule].note(queuedOn: place, id)
  }

  private mutating func checkDeadlines(of process: Int, in world: World) -> [Decision] {
    guard process < deadlines.count else { return [] }
    var decisions: [Decision] = []
    let covered = world.processes[process].coveredUntil
    while let due = deadlines[process].take(upTo: covered) {
      guard let wait = monitors[due.rule].waits[due.wait], wait.finding == nil, wait.queuedOn == process else { continue }
      if let decision = conclude(due.wait, due.rule, isEndOfLog: false, in: world) {
        decisions.append(decision)
      } else {
        queue(due.wait, due.rule, in: world)
      }
    }
    return decisions
  }

  /// Resets deadlines of waits whose process has ended, because a new process life may write the answer.
  private mutating func requeue(in world: World) {
    for rule in monitors.indices {
      for (id, wait) in monitors[rule].waits.sorted(by: { $0.key < $1.key }) where wait.finding == nil {
        if let place = wait.queuedOn, world.processes[place].endFact == nil { continue }
        queue(id, rule, in: world)
      }
    }
  }

  // MARK: Ends of processes and of the log

  /// Decides the waits whose answer a process did not write by its end.
  mutating func close(_ process: Int, in world: World) -> [Decision] {
    conclude(isEndOfLog: false, in: world) { $0.lives.last == process }
  }

  /// Decides the waits that are still open at the end of the log.
  mutating func finish(in world: World) -> [Decision] { conclude(isEndOfLog: true, in: world) { _ in true } }

  private mutating func conclude(
    isEndOfLog: Bool, in world: World, where concerns: (AnswerWriters) -> Bool
  ) -> [Decision] {
    var decisions: [Decision] = []
    for rule in monitors.indices {
      guard case .expect = monitors[rule].rule.demand else {
        if isEndOfLog { decisions += doubts(rule) }
        continue
      }
      for id in monitors[rule].waits.keys.sorted() {
        let wait = monitors[rule].waits[id]!
        let writers = AnswerWriters(of: wait, monitors[rule].answers[wait.answers.count], in: world)
        guard isEndOfLog || writers.map(concerns) ?? false else { continue }
        if let decision = conclude(id, rule, isEndOfLog: isEndOfLog, in: world) { decisions.append(decision) }
      }
    }
    return decisions
  }

  /// Returns an undecidable answer for each trigger after which an event with missing values may have been the forbidden one.
  private mutating func doubts(_ rule: Int) -> [Decision] {
    let doubtful = monitors[rule].waits.filter { $0.value.doubt != nil }.sorted { $0.key < $1.key }
    for (id, _) in doubtful { monitors[rule].remove(id) }
    return doubtful.map { Decision(rule: rule, verdict: .undecidable(needs: $0.value.doubt ?? "")) }
  }

  /// Returns the decision on a wait whose answer is missing; `nil` while the answer may still come.
  private mutating func conclude(_ id: Int, _ rule: Int, isEndOfLog: Bool, in world: World) -> Decision? {
    guard let wait = monitors[rule].waits[id] else { return nil }
    let (rules, answer) = (monitors[rule].rule, monitors[rule].answers[wait.answers.count])
    guard let writers = AnswerWriters(of: wait, answer, in: world) else {
      guard isEndOfLog, wait.finding == nil else { return nil }
      monitors[rule].remove(id)
      return Decision(rule: rule, verdict: .undecidable(needs: "the log of a process that writes \(answer.kinds[0].name)"))
    }
    guard let proof = proof(wait, writers, rules.within, isEndOfLog: isEndOfLog, in: world) else { return nil }
    if let needs = wait.doubt {
      monitors[rule].remove(id)
      return Decision(rule: rule, verdict: .undecidable(needs: needs))
    }
    return Decision(
      rule, wait, rules.draft(wait, shownBy: proof, mayGoOn: writers.mayGoOn), writers: writers.lives, open: id)
  }

  private func proof(
    _ wait: RuleWait, _ writers: AnswerWriters, _ within: Duration?, isEndOfLog: Bool, in world: World
  ) -> Draft.AbsenceProof? {
    let end = world.processes[writers.lives[writers.lives.count - 1]].endFact
    // No later process life could write the answer.
    if let end, !writers.mayGoOn { return .end(end) }
    if let within, writers.covered(since: wait.trigger.fact, by: wait.trigger.process, in: world) >= within.nanoseconds {
      return .coverage
    }
    return isEndOfLog && end != nil ? .endOfLog : nil
  }

  mutating func note(finding: Int, of decision: Decision) {
    if let id = decision.open { monitors[decision.rule].note(finding: finding, of: id) }
  }

  /// Ends a decision's wait, because nothing can change the decision any more.
  mutating func drop(_ decision: Decision) {
    if let id = decision.open { monitors[decision.rule].remove(id) }
  }

  // MARK: Tallies

  /// Returns the level that a rule's trigger needs if no log in the world recorded events of that level; `nil` otherwise.
  func neverKept(_ rule: Int, in world: World) -> String? {
    let rule = monitors[rule].rule
    var needed = rule.steps
    if case .never(let pattern) = rule.demand { needed.append(pattern) }
    for pattern in needed {
      let writers = world.processes.filter { process in
        process.firstSeen != nil && pattern.kinds.contains { kind in process.role.map(kind.isWritten) ?? true }
      }
      let levels = writers.map { process in pattern.kinds.lazy.compactMap(process.levels.leavingOutAlways).first }
      guard let first = levels.first, let lowest = first, !levels.contains(where: { $0 == nil }) else { continue }
      return "level of \(pattern.kinds[0].name): the log's levels were \(lowest.text)"
    }
    return nil
  }

  /// Returns the number of a rule's triggers that still wait for an expected event.
  func open(_ rule: Int) -> Int {
    guard case .expect = monitors[rule].rule.demand else { return 0 }
    return monitors[rule].waits.values.count { $0.finding == nil }
  }

  /// Returns the number of a rule's triggers after which no forbidden event came.
  func unmet(_ rule: Int) -> Int {
    guard case .never = monitors[rule].rule.demand else { return 0 }
    return monitors[rule].waits.count
  }
}

extension UserMonitors.Decision {
  init(rule: Int, verdict: Verdict) {
    (self.rule, self.verdict) = (rule, verdict)
    (about, writers, open, earlier) = (nil, [], nil, nil)
  }

  /// - Parameter open: the ID of the wait, if the wait continues because the finding may still become certain.
  init(_ rule: Int, _ wait: RuleWait, _ draft: Draft, writers: [Int], open: Int? = nil) {
    self.rule = rule
    verdict = wait.doubt.map { .undecidable(needs: $0) } ?? .finding(draft)
    about = wait.about
    self.writers = writers
    self.open = open
    earlier = wait.finding
  }
}

extension UserRule {
  /// Returns the finding for a forbidden event that came.
  fileprivate func draft(_ wait: RuleWait, met: RuleStep) -> Draft {
    let steps = wait.steps + (met.fact == wait.trigger.fact ? [] : [met])
    return Draft(
      variant: variant, summary: summary.text(wait.about, steps), claim: .presence, evidence: steps[0].fact,
      steps.dropFirst().map(\.fact), assumedAbsent: unless.flatMap(\.kinds))
  }

  /// Returns the finding for an expected event that did not come.
  fileprivate func draft(_ wait: RuleWait, shownBy proof: Draft.AbsenceProof, mayGoOn: Bool) -> Draft {
    let steps = wait.steps + wait.answers
    var end: Fact?
    if case .end(let fact) = proof { end = fact }
    let due = within.map { wait.trigger.fact.due(within: $0) }
    return Draft(
      variant: variant, summary: summary.text(wait.about, steps),
      claim: .absence(since: steps[steps.count - 1].fact, shownBy: proof), evidence: steps[0].fact,
      steps.dropFirst().map(\.fact) + [end],
      missing: answers[wait.answers.count].kinds.map { .init($0, dueBy: due) },
      unless: mayGoOn && end == nil ? ["a later launch writes the missing event"].filter { _ in proof.isEndOfLog } : [],
      assumedAbsent: unless.flatMap(\.kinds))
  }
}

extension Draft.AbsenceProof {
  fileprivate var isEndOfLog: Bool { if case .endOfLog = self { true } else { false } }
}
