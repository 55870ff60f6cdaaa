import XferEvents
import XferLifecycle
import XferReplay

// The effect of a verdict on findings and tallies.
extension Diagnosis {
  /// Settles the answers of the rules that were asked about a subject.
  ///
  /// - Parameters:
  ///   - waiting: The rules that already wait for a deadline.
  ///   - hasFinding: Whether any rule has a finding about the subject.
  ///   - process: The index of the process on whose clock the rules wait, unless they name another; `nil` if unknown.
  mutating func settleAnswers(
    about subject: Subject, _ generation: UInt32, waiting: RulePlaces, hasFinding: Bool, process: Int?, _ occasion: Occasion
  ) -> Settlement {
    var settlement = settleSilence(of: subject, generation, hasFinding: hasFinding, isFinal: occasion.isEndOfLog)
    for place in answers.waits.indices {
      let wait = answers.waits[place]
      let question = Question(rule: wait.rule, subject: subject, generation: generation)
      let isWaiting = waiting.contains(wait.rule)
      let answer = settle(
        waiting: wait.delay, after: wait.after, question, process: wait.process ?? process, isWaiting: isWaiting, occasion)
      settlement.note(answer, of: wait.rule)
    }
    for place in answers.decisions.indices {
      let (rule, decision) = answers.decisions[place]
      let question = Question(rule: rule, subject: subject, generation: generation)
      if case .finding = decision { settlement.hasFinding = true }
      settlement.note(settle(decision, question, process: process, occasion), of: rule)
    }
    answers.removeAll()
    return settlement
  }

  /// Counts all silent and undecided answers about a subject in one step.
  private mutating func settleSilence(
    of subject: Subject, _ generation: UInt32, hasFinding: Bool, isFinal: Bool
  ) -> Settlement {
    let silent = isFinal ? answers.silent.union(answers.silentSoFar) : answers.silent
    let open = isFinal ? answers.open : RulePlaces()
    var rules = silent
    while let rule = rules.popFirst() {
      let question = Question(rule: rule, subject: subject, generation: generation)
      // Silence does not withdraw an earlier finding of the rule about this subject.
      if !hasFinding || !ledger.hasFinding(for: question) { counted[rule].silent += 1 }
    }
    rules = open
    while let rule = rules.popFirst() { noteInFlight(Question(rule: rule, subject: subject, generation: generation)) }
    return Settlement(settled: silent.union(open), quiet: isFinal ? RulePlaces() : answers.silentSoFar)
  }

  /// Settles the verdict `wait`.
  ///
  /// - Parameter process: the index of the process on whose clock the rule waits; `nil` if unknown.
  private mutating func settle(
    waiting delay: Duration, after fact: Fact, _ question: Question, process: Int?, isWaiting: Bool, _ occasion: Occasion
  ) -> Answer {
    if occasion.isEndOfLog {
      noteInFlight(question)
      return .settled
    }
    guard let process, let start = replay.world.processes[process].reading(of: fact) else { return .open }
    // A question that already waits keeps its first deadline. If the rule still waits when asked at that deadline, `wait` sets
    // another deadline for the remaining time.
    if !isWaiting { wait(delay, from: start, question, process) }
    return .waits
  }

  /// Notes that a rule is undecided about a subject at the end of the log.
  private mutating func noteInFlight(_ question: Question) {
    if !ledger.hasFinding(for: question) { counted[question.rule].inFlight += 1 }
  }

  /// Settles any other verdict.
  private mutating func settle(
    _ decision: RuleAnswers.Decision, _ question: Question, process: Int?, _ occasion: Occasion
  ) -> Answer {
    let rule = question.rule
    switch decision {
    case .excused(let reason):
      if ledger.withdraw(question, reason) { counted[rule].findings -= 1 }
      counted[rule].silent += 1
    case .undecidable(let needs): note(undecided: rule, needs)
    case .finding(let draft):
      let description = descriptions[rule]
      let processes = process.map { [$0] } ?? []
      let writers = processes.map { replay.world.processes[$0] }
      let isShared = isShared(question.subject)
      switch Guards(world: replay.world).grade(draft, of: description, writers: writers, isShared: isShared) {
      case .silent: counted[rule].silent += 1
      case .undecidable(let needs, let lack): note(undecided: rule, needs, lack)
      case .finding(let certainty, let lowered):
        let finding = Finding(
          draft, of: description, about: Finding.About(question.subject, in: replay.world), launch: writers.first?.launch,
          certainty: certainty, lowered: lowered, &fingerprints)
        let basis = FindingBasis(draft, rule: rule, of: description, processes: processes, isShared: isShared)
        if ledger.note(finding, basis, for: question) { counted[rule].findings += 1 }
        // A finding that is not certain may still become certain, so its question stays open.
        if certainty != .certain, !occasion.isEndOfLog { return .open }
      }
    }
    return .settled
  }

  /// Whether both an app and the daemon write events about a subject.
  private func isShared(_ subject: Subject) -> Bool {
    switch subject {
    case .task(let place): replay.world.mayOutliveProcess(replay.world.tasks[place])
    case .session(let place): replay.world.sessions[place].kind == .background
    // Only the process that was woken handles the wake.
    case .wake, .process, .keepalive, .intent, .upload, .boot, .gap, .log: false
    }
  }

  /// - Parameter lack: what would decide; `nil` if the rule only names it.
  mutating func note(undecided rule: Int, _ needs: String, _ lack: Lack? = nil) {
    counted[rule].undecidable += 1
    undecided[Undecided(rule: counted[rule].rule, needs: needs, graded: lack), default: 0] += 1
  }

  /// Brings the figures in the summaries up to date. A finding is made when the evidence suffices, and its fault may go on afterwards.
  mutating func restateFindings() {
    let (world, tasks, rules, watchers) = (replay.world, tasks, rules, subjectRules)
    ledger.restate { question, finding in
      if case .task(let place) = question.subject {
        guard world.generation(of: question.subject) == question.generation else { return nil }
        return rules[question.rule].taskRule?.finalSummary(
          of: finding, on: world.tasks[place], (tasks[place].memories, question.rule), in: world)
      }
      return watchers.watcher(question.rule)?.rule.finalSummary(of: finding, about: question.subject.index, in: world)
    }
  }
}
