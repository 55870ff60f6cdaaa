import XferEvents
import XferLifecycle
import XferReplay

// Asking rules about subjects other than tasks.
extension Diagnosis {
  mutating func ask(about subject: Subject, _ kind: EventKind) {
    for watcher in subjectRules.watching(kind, of: subject.kind) { ask(watcher, about: subject, .change) }
    // Rules about the whole log also watch events about other subjects.
    for watcher in subjectRules.watching(kind, of: .log) where subject.kind != .log { ask(watcher, about: .log, .change) }
  }

  mutating func askAll(about subject: Subject, _ cause: Occasion.Cause) {
    for watcher in subjectRules.all(subject.kind) { ask(watcher, about: subject, cause) }
  }

  mutating func ask(_ watcher: SubjectRules.Watcher, about subject: Subject, _ cause: Occasion.Cause) {
    let (kind, index) = (subject.kind.rawValue, subject.index)
    while others[kind].count <= index { others[kind].append(Progress()) }
    let generation = replay.world.generation(of: subject)
    if others[kind][index].generation != generation { others[kind][index] = Progress(generation: generation) }
    guard !others[kind][index].settled.contains(watcher.index),
      type(of: watcher.rule).concerns(index, in: replay.world)
    else { return }
    let process = replay.world.process(of: subject)
    // If the subject continues in another process life, deadlines on the clock of the earlier life no longer apply.
    if others[kind][index].process != process {
      (others[kind][index].process, others[kind][index].waiting) = (process, RulePlaces())
    }
    let occasion = Occasion(cause: cause)
    let verdict = watcher.rule.verdict(about: index, in: replay.world, asked: occasion)
    // Before the end of the log, most rules do not decide. `settle` would change nothing, and copies the verdict.
    if verdict == nil, !occasion.isEndOfLog { return }
    let question = Question(rule: watcher.index, subject: subject, generation: generation)
    let isWaiting = others[kind][index].waiting.contains(watcher.index)
    let answer = settle(verdict, question, process: process, isWaiting: isWaiting, occasion)
    others[kind][index].note(answer, of: watcher.index)
  }
}
