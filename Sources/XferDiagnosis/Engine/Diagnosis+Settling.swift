import XferEvents
import XferLifecycle
import XferReplay

// The effect of a verdict on findings and tallies.
extension Diagnosis {
  mutating func settle(
    _ verdict: Verdict?, _ question: Question, process: Int?, isWaiting: Bool, _ occasion: Occasion
  ) -> Answer {
    let isFinal = occasion.isEndOfLog
    if case .wait(let delay, let fact, let other)? = verdict {
      return settle(waiting: delay, after: fact, question, process: other ?? process, isWaiting: isWaiting, occasion)
    }
    if case .silentSoFar? = verdict, !isFinal { return .quiet }
    // Most answers are silence and need no process, so the process is copied only for a finding.
    let isFinding = if case .finding? = verdict { true } else { false }
    return settle(verdict, question, process: isFinding ? process : nil, isFinal: isFinal) ? .settled : .open
  }

  /// Settles the verdict `wait`.
  ///
  /// - Parameter process: the index of the process on whose clock the rule waits; `nil` if unknown.
  mutating func settle(
    waiting delay: Duration, after fact: Fact, _ question: Question, process: Int?, isWaiting: Bool, _ occasion: Occasion
  ) -> Answer {
    guard !occasion.isEndOfLog, let process, let start = replay.world.processes[process].reading(of: fact) else {
      return settle(nil, question, process: nil, isFinal: occasion.isEndOfLog) ? .settled : .open
    }
    // A question that already waits keeps its first deadline. If the rule still waits when asked at that deadline, `wait` sets
    // another deadline for the remaining time.
    if !isWaiting { wait(delay, from: start, question, process) }
    return .waits
  }

  private mutating func settle(_ verdict: Verdict?, _ question: Question, process: Int?, isFinal: Bool) -> Bool {
    let rule = question.rule
    switch verdict {
    case nil, .wait:
      if isFinal, !ledger.hasFinding(for: question) { counted[rule].inFlight += 1 }
      return isFinal
    case .silent, .silentSoFar:
      // Silence does not withdraw an earlier finding of the rule about this subject.
      if !ledger.hasFinding(for: question) { counted[rule].silent += 1 }
      return true
    case .excused(let reason):
      if ledger.withdraw(question, reason) { counted[rule].findings -= 1 }
      counted[rule].silent += 1
      return true
    case .undecidable(let needs):
      note(undecided: rule, needs)
      return true
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
        return certainty == .certain || isFinal
      }
      return true
    }
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
