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
    let silence = settleSilence(
      of: .task(task), generation, hasFinding: tasks[task].hasFinding, isFinal: occasion.isEndOfLog)
    tasks[task].note(silence)
    for place in answers.waits.indices {
      let wait = answers.waits[place]
      let question = Question(rule: wait.rule, subject: .task(task), generation: generation)
      let isWaiting = tasks[task].waiting.contains(wait.rule)
      let answer = settle(
        waiting: wait.delay, after: wait.after, question, process: wait.process ?? glance.process, isWaiting: isWaiting, occasion)
      tasks[task].note(answer, of: wait.rule)
    }
    for place in answers.decisions.indices {
      let (rule, decision) = answers.decisions[place]
      let question = Question(rule: rule, subject: .task(task), generation: generation)
      if case .finding = decision { tasks[task].hasFinding = true }
      tasks[task].note(settle(decision, question, process: glance.process, occasion), of: rule)
    }
    answers.removeAll()
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
