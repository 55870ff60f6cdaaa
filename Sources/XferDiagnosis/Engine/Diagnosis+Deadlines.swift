import XferEvents
import XferLifecycle
import XferReplay

// Questions that are to be asked again when the log has covered a time.
extension Diagnosis {
  mutating func wait(_ delay: Duration, from start: Int64, _ question: Question, _ place: Int) {
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

  mutating func checkDeadlines(of process: Int) {
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
