import XferEvents
import XferLifecycle
import XferReplay

// Asking rules about subjects other than tasks.
extension Diagnosis {
  mutating func ask(about subject: Subject, _ kind: EventKind) {
    ask(subjectRules.watching(kind, of: subject.kind), about: subject, .change)
    // Rules about the whole log also watch events about other subjects.
    if subject.kind != .log { ask(subjectRules.watching(kind, of: .log), about: .log, .change) }
  }

  mutating func askAll(about subject: Subject, _ cause: Occasion.Cause) {
    ask(subjectRules.all(subject.kind), about: subject, cause)
  }

  mutating func ask(_ watchers: [SubjectRules.Watcher], about subject: Subject, _ cause: Occasion.Cause) {
    guard !watchers.isEmpty else { return }
    let (kind, index) = (subject.kind.rawValue, subject.index)
    while others[kind].count <= index { others[kind].append(Progress()) }
    let (generation, process) = replay.world.standing(of: subject)
    if others[kind][index].generation != generation { others[kind][index] = Progress(generation: generation) }
    // If the subject continues in another process life, deadlines on the clock of the earlier life no longer apply.
    if others[kind][index].process != process {
      (others[kind][index].process, others[kind][index].waiting) = (process, RulePlaces())
    }
    let occasion = Occasion(cause: cause)
    SubjectRules.ask(watchers, except: others[kind][index].settled, about: index, in: replay.world, occasion, &answers)
    let settlement = settleAnswers(
      about: subject, generation, waiting: others[kind][index].waiting, hasFinding: others[kind][index].hasFinding,
      process: process, occasion)
    others[kind][index].note(settlement)
  }
}
