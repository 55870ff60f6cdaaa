import ArgumentParser
import XferReading

/// Options that show the state at one place of a log, or step through a log.
struct MomentOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Print the state of apps, sessions, tasks and the device after an event (see above) or at a time (as for show --since).",
      valueName: "event|time"))
  var at: String?

  @Flag(help: "Step through the log in a terminal, from the place of --at if it is given (? lists the keys).")
  var step = false

  @Option(
    name: .shortAndLong,
    help: """
      Judge only this task; with --at or --step, show only this task (NUMBER, SESSION/NUMBER, task UUID or its beginning, or a glob of these; for \
      a verdict also a URL or transferred file; repeatable).
      """, completion: .task)
  var task: [String] = []

  @Option(help: "Judge or show only this session (an identifier or a glob; repeatable).", completion: .session)
  var session: [String] = []

  @Option(help: .hidden)
  var keys: String?

  /// - Returns: whether `--at` or `--step` was given. If so, this function has done all the work of the command.
  func run(
    _ log: [String], isJSON: () throws -> Bool, _ rules: RuleOptions, _ damage: RecoveryOptions, _ outcome: OutcomeOptions,
    _ surroundings: Surroundings
  ) throws -> Bool {
    guard at != nil || step else {
      if keys == nil { return false }
      throw CommandExit(.wrongUsage, "--keys works only with --step")
    }
    let inputs = try LogInputs(log, surroundings, mayBeAbsent: outcome.allowEmpty)
    let scope = StateScope(tasks: task.map(TaskSelector.init), sessions: session.map(GlobPattern.init))
    if step {
      if try isJSON() { throw CommandExit(.wrongUsage, "--step has no JSON output; print one state with --at EVENT -o json") }
      try StepSession(scope: scope, keys: keys, beginning: at).run(
        inputs, rules: rules.inForce(for: inputs), recovery: damage.recovery, surroundings)
    } else if let at {
      let isJSON = try isJSON()
      try StateAt(text: at, scope: scope, isJSON: isJSON, outcome: outcome).run(inputs, recovery: damage.recovery, surroundings)
    }
    return true
  }
}
