import ArgumentParser
import XferIndex
import XferReport

struct Index: ReadingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make an SQLite index of a log, and print where it is.",
    discussion: """
      Tables: events, tasks, deliveries, findings and more; views: the figures of `xferlog stats`. An index is a cache: \
      deleting it changes no answer, and one that is still good is not made again. Without --to it is kept in \
      $XDG_CACHE_HOME/xferlog, else ~/.cache/xferlog.

      Segments that nobody writes to any more are sealed first: they take a tenth of the room, say the same, and are found \
      in faster.
      """)

  @Argument(help: "Logs to index together.")
  var log: [String] = []

  @Option(help: ArgumentHelp("Where to put it.", valueName: "file"))
  var to: String?

  @Flag(inversion: .prefixedNo, help: "Seal segments first.")
  var seal = true

  @OptionGroup(title: "By which rules")
  var rules: RuleOptions

  @OptionGroup(title: "Where a log is damaged")
  var damage: RecoveryOptions

  @OptionGroup(title: "What counts as success")
  var outcome: OutcomeOptions

  func run(_ surroundings: Surroundings) throws {
    let inputs = try LogInputs(log, surroundings)
    if seal { try inputs.seal() }
    let plan = IndexPlan(inputs, rules: try rules.sources(), recovery: damage.recovery, environment: surroundings.environment)
    guard let path = to ?? plan.standardPath else {
      throw CommandExit(.wrongUsage, "there is no place of its own for this index; name one with --to")
    }
    if to == nil { try IndexMaker.prepareDirectory(of: path) }
    try IndexMaker(plan: plan, outcome: outcome).make(at: path)
    let output = StandardOutput(descriptor: surroundings.output)
    output.buffer.append(TerminalText.escaped(path))
    output.buffer.append(UInt8(ascii: "\n"))
    try output.flush()
    let query = try IndexMaker.query(path, IndexQuery.Limits())
    try DiagnosedLog.end(DiagnosedLog.completeness(query.incompleteness(), outcome))
  }
}
