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
    let settlement = settleAnswers(
      about: .task(task), generation, waiting: tasks[task].waiting, hasFinding: tasks[task].hasFinding,
      process: glance.process, occasion)
    tasks[task].note(settlement)
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
