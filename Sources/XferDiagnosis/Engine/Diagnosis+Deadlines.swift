import XferEvents
import XferLifecycle
import XferReplay

// Asks rules again when the log covers the deadlines that they set.
extension Diagnosis {
  mutating func wait(_ delay: Duration, from start: Int64, _ question: Question, _ place: Int) {
    while deadlines.count <= place { deadlines.append(DeadlineQueue()) }
    // Time in which the process was suspended does not count, so the clock may be ahead of the process's running time.
    // The deadline must lie in the future: `checkDeadlines` would ask a question that is due again immediately in an endless loop.
    let process = replay.world.processes[place]
    let remaining = delay.nanoseconds.subtractingClamped(process.runningTime(from: start, to: process.coveredUntil))
    let earliest = process.coveredUntil.addingClamped(max(1, remaining))
    // If the clock is at the end of its range, the addition above is clamped to `coveredUntil`: the deadline can never come due.
    guard earliest > process.coveredUntil else { return }
    if deadlines[place].isCrowded { forgetAnswered(in: place) }
    deadlines[place].add(question, at: max(start.addingClamped(delay.nanoseconds), earliest))
  }

  private mutating func forgetAnswered(in place: Int) {
    // The closure captures only these two fields. If it captured `self`, it would copy all of `self` for each question.
    let (world, tasks) = (replay.world, tasks)
    deadlines[place].keep { question in
      guard Self.isCurrent(question, in: world) else { return false }
      guard case .task(let task) = question.subject else { return true }
      return !tasks[task].settled.contains(question.rule)
    }
  }

  /// Whether the subject's index still belongs to the question's subject. The index may have been reused for another subject.
  private static func isCurrent(_ question: Question, in world: World) -> Bool {
    world.generation(of: question.subject) == question.generation
  }

  mutating func checkDeadlines(of process: Int) {
    let covered = replay.world.processes[process].coveredUntil
    while let question = deadlines[process].take(upTo: covered) {
      guard Self.isCurrent(question, in: replay.world) else { continue }
      if case .task(let task) = question.subject {
        tasks[task].waiting.remove(question.rule)
        ask(RulePlaces([question.rule]), task: task, .change)
      } else if let watcher = subjectRules.watcher(question.rule) {
        others[question.subject.kind.rawValue][question.subject.index].waiting.remove(question.rule)
        ask([watcher], about: question.subject, .change)
      }
    }
  }
}

/// A rule and the subject that the rule is asked about.
struct Question: Hashable {
  let rule: Int
  let subject: Subject
  /// The generation of the subject's index, which tells whether the index has been reused since.
  var generation: UInt32 = 0
}
