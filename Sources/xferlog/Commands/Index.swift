import ArgumentParser
import XferEvents
import XferIndex
import XferReading
import XferReport

struct Index: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "index",
    abstract: "Create an SQLite index of a log and print its path.",
    usage: "xferlog index [<options>] [<log> ...]",
    discussion: """
      The index has tables (events, tasks, deliveries, findings and others) and views with the statistics of `xferlog stats`. \
      It is a cache: a current index is reused, and deleting it changes no result. The default path is in \
      $XDG_CACHE_HOME/xferlog, or ~/.cache/xferlog. Indexes there are removed after 30 days without use, and the least recently \
      used ones when the indexes exceed 1 GiB in total.

      With --seal, segments that no process writes to any more are sealed first: rewritten without loss in about a tenth of \
      their size, with a hash chain that reveals later edits (see `xferlog verify`), and with a table of contents that makes \
      filters faster. Without --seal, the log is only read.

      Example: sqlite3 -readonly "$(xferlog index run.xlog)" 'SELECT * FROM hosts'
      """)

  @Argument(help: "Logs to index together (default: the standard log, see xferlog --help).", completion: .file())
  var log: [String] = []

  @Option(help: ArgumentHelp("The path of the index (default: a path in the cache).", valueName: "file"), completion: .file())
  var to: String?

  @Flag(inversion: .prefixedNo, help: "Seal finished segments first, which compresses them (see above).")
  var seal = false

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
    let inputs = try LogInputs(log, surroundings, mayBeAbsent: outcome.allowEmpty)
    let unsealed = seal ? try inputs.seal() : 0
    let plan = IndexPlan(
      inputs, rules: try rules.sources(for: inputs), recovery: damage.recovery, imported: imported.identity,
      environment: surroundings.environment)
    guard let path = to ?? plan.standardPath else {
      throw CommandExit(
        .wrongUsage,
        """
        this index has no default path, because the log is standard input or there is no home directory.
        Give a path with --to.
        """)
    }
    if to == nil { try IndexMaker.prepareDirectory(of: path) }
    try IndexMaker(plan: plan, outcome: outcome).make(at: path)
    if to == nil {
      IndexCache(of: path).noteUse()
      IndexCache(of: path).prune()
    }
    let output = StandardOutput(descriptor: surroundings.output)
    output.buffer.append(TerminalText.escaped(path))
    output.buffer.append(UInt8(ascii: "\n"))
    try output.flush()
    // The index does not depend on the sealing.
    if unsealed > 0 { throw CommandExit(.failed, "\(unsealed.counted("segment")) could not be sealed; see above") }
    let query = try IndexMaker.query(path, IndexQuery.Limits())
    try DiagnosedLog.end(DiagnosedLog.completeness(query.incompleteness(), outcome))
  }
}
