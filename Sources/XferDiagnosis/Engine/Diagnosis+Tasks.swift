import XferEvents
import XferLifecycle
import XferReplay

// Rules are asked about tasks here, apart from other subjects, because a log may have millions of tasks.
extension Diagnosis {
  mutating func ask(_ concerned: RulePlaces, task: Int, _ cause: Occasion.Cause) {
    makeRoom(for: task)
    let left = concerned.subtracting(tasks[task].settled)
    let (idle, open) = (left.intersection(tasks[task].idle), left.subtracting(tasks[task].idle))
    if !idle.isEmpty { skip(idle, task: task, cause) }
    guard !open.isEmpty else { return }
    let (glance, generation) = (replay.world.tasks.glance(at: task), replay.world.tasks.generation(of: task))
    let occasion = Occasion(cause: cause)
    let memories = tasks[task].memories
    taskRules.ask(open, on: task, memories, in: replay.world, occasion, &answers)
    settleSilence(of: task, generation, isFinal: occasion.isEndOfLog)
    for place in answers.waits.indices {
      let wait = answers.waits[place]
      let question = Question(rule: wait.rule, subject: .task(task), generation: generation)
      let isWaiting = tasks[task].waiting.contains(wait.rule)
      let answer = settle(
        waiting: wait.delay, after: wait.after, question, process: wait.process ?? glance.process, isWaiting: isWaiting, occasion)
      tasks[task].note(answer, of: wait.rule)
    }
    for place in answers.others.indices {
      let (rule, verdict) = answers.others[place]
      let question = Question(rule: rule, subject: .task(task), generation: generation)
      if case .finding = verdict { tasks[task].hasFinding = true }
      let answer = settle(verdict, question, process: glance.process, isWaiting: tasks[task].waiting.contains(rule), occasion)
      tasks[task].note(answer, of: rule)
    }
    answers.removeAll()
  }

  /// Records all silent and undecided answers about a task in one step. `settle` does this for a single rule.
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

  /// Whether a rule already has a finding on a task.
  private func hasFound(_ rule: Int, on task: Int, _ generation: UInt32) -> Bool {
    tasks[task].hasFinding && ledger.hasFinding(for: Question(rule: rule, subject: .task(task), generation: generation))
  }

  /// Handles rules whose presuppositions the task has not met: they count as silent without being asked.
  private mutating func skip(_ idle: RulePlaces, task: Int, _ cause: Occasion.Cause) {
    switch cause {
    // A late event may still meet a presupposition, so the rules are not settled yet.
    case .taskEnded: tasks[task].quiet = tasks[task].quiet.union(idle)
    case .endOfLog: countSilent(idle)
    case .change, .processEnded: break
    }
  }

  mutating func countSilent(_ rules: RulePlaces) {
    silences.note(rules)?.add(to: &counted)
  }
}
