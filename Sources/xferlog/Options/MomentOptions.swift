import ArgumentParser

/// Options that show the state at one place of a log, or step through a log.
struct MomentOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Print what there was right after an event, or at a time: #12, a reference as show -o verbose prints it, \
      task:SESSION/NUMBER.EVENT (as task:img/7.resumed, the first such event), or a time as show --since takes it.
      """, valueName: "event|time"))
  var at: String?

  @Flag(help: "Go through the log event by event, to and fro, on a terminal; ? lists the keys. With --at it begins there.")
  var step = false

  @Option(
    name: .shortAndLong,
    help: "With --at or --step, only this task: NUMBER, SESSION/NUMBER, a uid or its beginning. Repeatable; globs.")
  var task: [String] = []

  @Option(help: "With --at or --step, only this session. Repeatable; globs.")
  var session: [String] = []

  @Option(help: .hidden)
  var keys: String?

  /// - Returns: whether one of the options was given. The command is then done.
  func run(
    _ log: [String], isJSON: () throws -> Bool, _ rules: RuleOptions, _ damage: RecoveryOptions, _ outcome: OutcomeOptions,
    _ surroundings: Surroundings
  ) throws -> Bool {
    guard at != nil || step else {
      if task.isEmpty, session.isEmpty, keys == nil { return false }
      throw CommandExit(
        .wrongUsage,
        """
        --task and --session go with --at or --step; a verdict is about the whole log. `xferlog why TASK` tells of one task, \
        `xferlog show --task TASK` shows its events
        """)
    }
    let inputs = try LogInputs(log, surroundings)
    let scope = StateScope(tasks: task.map(TaskSelector.init), sessions: session.map(GlobPattern.init))
    if step {
      if try isJSON() { throw CommandExit(.wrongUsage, "--step is for people; --at EVENT -o json prints one state") }
      try StepSession(scope: scope, keys: keys, beginning: at).run(
        inputs, rules: rules.inForce(), recovery: damage.recovery, surroundings)
    } else if let at {
      let isJSON = try isJSON()
      try StateAt(text: at, scope: scope, isJSON: isJSON, outcome: outcome).run(inputs, recovery: damage.recovery, surroundings)
    }
    return true
  }
}
