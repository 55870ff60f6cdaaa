import ArgumentParser
import XferDiagnosis
import XferEvents
import XferLifecycle
import XferLogStore
import XferQuery
import XferReading
import XferReplay
import XferReport

struct Why: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "why", _superCommandName: "xferlog",
    abstract: "Explain why a task waits or how it ended.",
    usage: "xferlog why [<options>] <task> [<log> ...]",
    discussion: """
      For a waiting task, prints each condition that the task needs, whether it is met and since when, which unmet condition \
      blocks the task, and what can change this next. For a finished task, prints the shortest chain of events that explains \
      its end. For a task whose completion did not reach the app, also prints the stages of the delivery and the first missing \
      stage. The answer ends with what the log cannot show.

      Example: xferlog why img/7 run.xlog
      """)

  enum Form: String, ArgumentChoice { case text, json }

  @Argument(
    help: """
      The task (NUMBER, SESSION/NUMBER, task UUID or its beginning, key declared in app.intentDeclared, URL or transferred file; \
      the newest of several with the same name).
      """, completion: .task)
  var task: String

  @Argument(help: "Logs to read (default: the standard log, see xferlog --help).", completion: .file())
  var log: [String] = []

  @Option(name: .shortAndLong, help: "Output format (json: one document).")
  var output: Form = .text

  @OptionGroup
  var form: PageOptions

  @OptionGroup(title: "Rules")
  var rules: RuleOptions

  @OptionGroup(title: "Damaged logs")
  var damage: RecoveryOptions

  @OptionGroup(title: "Exit code")
  var outcome: OutcomeOptions

  @OptionGroup(title: "Logs of other programs")
  var imported: ImportedLogOptions

  func run(_ surroundings: Surroundings) throws {
    let surroundings = try imported.applied(to: surroundings)
    let plain = try rules.sources()
    try checkOrder()
    let inputs = try LogInputs(log, surroundings, mayBeAbsent: outcome.allowEmpty)
    let rules = try rules.inForce(for: inputs, plain: plain)
    guard let choice = try candidates(inputs).only(task) else { return }
    if let remark = choice.remark { StandardError.remark(remark) }
    let uid = choice.uid
    var story = TaskStory(uid: uid)
    var found: (task: TaskLifecycle, world: World)?
    let log = try DiagnosedLog(
      inputs, rules: rules, recovery: damage.recovery,
      onTaskEnd: { task, world in if task.identity.uid == uid { found = (task, world) } },
      each: { if case .event(let event) = $0 { story.take(event) } })
    guard let found else {
      throw CommandExit(
        .failed, "\(task) occurs in the log, but none of its events can be read.\nSee `xferlog verify` for what is damaged.")
    }
    var answer = WhyAnswer(found.task, in: found.world, story: story, findings: log.diagnosis.part(of: found.world).findings)
    log.prepareQuotes(of: answer.references)
    answer.lines = log.sourceLines
    let output = StandardOutput(descriptor: surroundings.output)
    switch self.output {
    case .text: output.buffer.append(answer.text(on: form.page(surroundings, output)))
    case .json: try output.appendLine { answer.writeJSON(to: &$0) }
    }
    try output.flush()
    try DiagnosedLog.end(log.completeness(outcome))
  }

  /// Throws when the first argument is a log, because the user named the log before the task, or named no task.
  private func checkOrder() throws {
    guard case .inputs = LogRecognition(path: task) else { return }
    if let first = log.first {
      guard case .nothing = LogRecognition(path: first) else { return }
    }
    throw CommandExit(
      .wrongUsage, "\(task) is a log, not a task; name the task first: xferlog why \(log.first ?? "TASK") \(task)")
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
    if outcome.allowEmpty {
      inputs.remarkRefusals()
      return candidates
    }
    throw CommandExit(.nothingAnalysed, "the log has no events")
  }
}
