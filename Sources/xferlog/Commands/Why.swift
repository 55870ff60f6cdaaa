import ArgumentParser
import XferDiagnosis
import XferEvents
import XferLifecycle
import XferQuery
import XferReplay
import XferReport

struct Why: ReadingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Say why a task waits, or how it came to its end.",
    discussion: """
      Of a task that waits: what it needs to go on, what of that is there and what is not, since when, who has it, which of \
      these decides, and when something can change next. Of one that is over: the fewest events of which each explains the \
      next. Of one whose completion has not come: how far it got. What the log cannot tell is said, too.
      """)

  enum Form: String, ExpressibleByArgument, CaseIterable { case text, json }

  @Argument(help: "The task: NUMBER, SESSION/NUMBER, a uid or its beginning, or the key of the app's intent.")
  var task: String

  @Argument(help: "Logs to look in.")
  var log: [String] = []

  @Option(name: .shortAndLong, help: "text or json: one document.")
  var output: Form = .text

  @OptionGroup(title: "By which rules")
  var rules: RuleOptions

  @OptionGroup(title: "Where a log is damaged")
  var damage: RecoveryOptions

  @OptionGroup(title: "What counts as success")
  var outcome: OutcomeOptions

  func run(_ surroundings: Surroundings) throws {
    let rules = try rules.inForce()
    let inputs = try LogInputs(log, surroundings)
    let uid = try candidates(inputs).only(task)
    guard let uid else { return }
    var story = TaskStory(uid: uid)
    var found: (task: TaskLifecycle, world: World)?
    let log = try DiagnosedLog(
      inputs, rules: rules, recovery: damage.recovery,
      onTaskEnd: { task, world in if task.identity.uid == uid { found = (task, world) } },
      each: { if case .event(let event) = $0 { story.take(event) } })
    guard let found else { throw CommandExit(.failed, "\(task) is named in the log, but no event of it can be read") }
    let answer = WhyAnswer(found.task, in: found.world, story: story, findings: log.diagnosis.findings)
    let output = StandardOutput(descriptor: surroundings.output)
    switch self.output {
    case .text: output.buffer.append(answer.text)
    case .json: try output.appendLine { answer.writeJSON(to: &$0) }
    }
    try output.flush()
    try DiagnosedLog.end(log.completeness(outcome))
  }

  private func candidates(_ inputs: LogInputs) throws -> TaskCandidates {
    let source = try inputs.source(recovery: damage.recovery)
    var candidates = TaskCandidates()
    while let member = source.next() {
      guard case .event(let event) = member else { continue }
      candidates.take(event)
      if candidates.events & 0xFFFF == 0 { try Interruption.check() }
    }
    if candidates.events > 0 { return candidates }
    if let part = source.unreadable.first { throw CommandExit(.failed, "nothing could be read: \(part.error.problem)") }
    if outcome.allowEmpty { return candidates }
    throw CommandExit(.nothingAnalysed, "the log holds no event")
  }
}
