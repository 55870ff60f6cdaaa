import XferEvents
import XferLifecycle
import XferReplay

// Asking about tasks, of which there may be millions.
extension Diagnosis {
  mutating func ask(_ concerned: RulePlaces, task: Int, _ cause: Occasion.Cause) {
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

  mutating func countSilent(_ rules: RulePlaces) {
    silences.note(rules)?.add(to: &counted)
  }
}
