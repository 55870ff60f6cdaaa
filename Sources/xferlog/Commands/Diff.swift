import ArgumentParser
import XferDiagnosis
import XferEvents
import XferQuery
import XferReading
import XferReport

struct Diff: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", _superCommandName: "xferlog",
    abstract: "Compare the transfers of two runs.",
    usage: "xferlog diff [<options>] <first> <second>",
    discussion: """
      Aligns the tasks of both runs by the app's intent, or else by session, method and URL without numbers and identifiers, and \
      reports tasks that only one run has, other outcomes, other states, and stages whose time differs by more than noise. Ids, \
      ports, order and clocks do not count. If all tasks became slower in a stage, that is one difference. The exit code is 1 if \
      there are differences.

      Examples:

        xferlog diff before.xlog after.xlog
        xferlog diff --noise 50ms --noise-ratio 0.2 main.xlog branch.xlog
        xferlog diff -o markdown before.xlog after.xlog >>"$GITHUB_STEP_SUMMARY"
      """)

  enum Form: String, ArgumentChoice { case text, json, markdown }

  @Argument(help: "The log of the first run (file, directory, archive or pattern).", completion: .file())
  var first: String

  @Argument(help: "The log of the second run.", completion: .file())
  var second: String

  @Option(name: .shortAndLong, help: "Output format (json: one document; markdown: for a job summary or a comment).")
  var output: Form = .text

  @Option(help: ArgumentHelp("Ignore time differences up to this duration (default: 100ms).", valueName: "duration"))
  var noise: TimeSpan?

  @Option(help: ArgumentHelp("Ignore time differences up to this fraction of the first run's time.", valueName: "ratio"))
  var noiseRatio: Double = StageNoise.Limits.usual.ratio

  @Flag(help: "Compare no times.")
  var noTimes = false

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

  func validate() throws {
    if !noiseRatio.isFinite || noiseRatio < 0 { throw ValidationError("--noise-ratio must be 0 or more, such as 0.5 for half") }
  }

  func run(_ surroundings: Surroundings) throws {
    let surroundings = try imported.applied(to: surroundings)
    if first == "-", second == "-" {
      throw CommandExit(.wrongUsage, "standard input has only one log; name a file for the other")
    }
    let plain = try rules.sources()
    let firstInputs = try LogInputs([first], surroundings, mayBeAbsent: outcome.allowEmpty)
    let secondInputs = try LogInputs([second], surroundings, mayBeAbsent: outcome.allowEmpty)
    // The same rules judge both runs, because only then a difference is one of the runs.
    let rules = try rules.inForce(for: firstInputs, secondInputs, plain: plain)
    let (one, oneRun) = try read(firstInputs, rules)
    let (other, otherRun) = try read(secondInputs, rules)
    let floor = noise.map { Duration.nanoseconds($0.nanoseconds) } ?? StageNoise.Limits.usual.floor
    let limits = noTimes ? nil : StageNoise.Limits(floor: floor, ratio: noiseRatio)
    let comparison = RunComparison(oneRun, otherRun, limits: limits)
    let document = ComparisonDocument(comparison, first: account(of: one, first), second: account(of: other, second))
    let output = StandardOutput(descriptor: surroundings.output)
    switch self.output {
    case .text: output.buffer.append(document.text(on: form.page(surroundings, output)))
    case .json: try output.appendLine { document.writeJSON(to: &$0) }
    case .markdown: output.buffer.append(document.markdown)
    }
    try output.flush()
    if comparison.count > 0 { throw CommandExit(.findings, UserMessage(document.summary)) }
    try DiagnosedLog.end(
      DiagnosedLog.completeness(
        one.incompleteness.map { "A: \($0)" } + other.incompleteness.map { "B: \($0)" }, outcome))
  }

  private func read(_ inputs: LogInputs, _ rules: RuleSet) throws -> (log: DiagnosedLog, run: RunComparison.Run) {
    var run = RunComparison.Run()
    let diagnosed = try DiagnosedLog(
      inputs, rules: rules, recovery: damage.recovery,
      onTaskEnd: { task, world in run.tasks.append(TaskProfile(task, in: world)) })
    if let empty = diagnosed.emptiness(outcome), empty.status != .analysed {
      throw CommandExit(empty.status, empty.reason)
    }
    run.findings = diagnosed.diagnosis.findings
    return (diagnosed, run)
  }

  private func account(of log: DiagnosedLog, _ name: String) -> ComparisonDocument.Run {
    ComparisonDocument.Run(name: name, inputs: log.accounts, incompleteness: log.incompleteness)
  }
}
