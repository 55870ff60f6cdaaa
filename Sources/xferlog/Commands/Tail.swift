import ArgumentParser
import CXferPlatform
import XferEvents
import XferLogStore

struct Tail: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "tail",
    abstract: "Print the last events of a log, and with --follow new events as they are written.",
    discussion: "Example: xferlog tail -f run.xlog --level error")

  @Argument(help: "Logs to read (default: the standard log, see xferlog --help).", completion: .file())
  var log: [String] = []

  @Flag(
    name: .shortAndLong, inversion: .prefixedNo,
    help: "Print new events as they are written. Wait for logs that do not exist, also if they are removed or renamed.")
  var follow = false

  @Option(name: [.customShort("n"), .long], help: "Number of last events to begin with (or all; 0 for only new events).")
  var lines: LineLimit = .last(10)

  @Option(help: "Stop following after this time (for example 30s) and exit with 5.")
  var timeout: TimeSpan?

  @Flag(inversion: .prefixedNo, help: "Also print what the rules find, each finding after the event that triggers it.")
  var findings = true

  @OptionGroup(title: "Filters")
  var filter: FilterOptions

  @OptionGroup(title: "Output")
  var form: OutputOptions

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
    if follow, damage.recovery != .tail {
      throw CommandExit(.wrongUsage, "--follow works only with --recovery tail; leave out one of the two options")
    }
    let observer = try findings ? FindingObserver(rules.inForce()) : nil
    var filter = try filter.filter(surroundings, isUTC: form.zone == .utc, isFollowing: follow)
    let inputs = try LogInputs(log, surroundings, mayAppear: follow)
    inputs.remarkRefusals()
    try self.filter.resolve(
      &filter, in: inputs, surroundings, isUTC: form.zone == .utc, isFollowing: follow, rules: rules, recovery: damage.recovery)
    let selection = findings ? nil : filter.selection
    let followed = follow ? try inputs.followedSource(selection: selection) : nil
    let source = try followed ?? inputs.source(recovery: damage.recovery, selection: selection)
    let output = StandardOutput(descriptor: surroundings.output)
    var listing = EventListing(
      filter: filter, document: form.document(surroundings, output: output), output: output,
      findings: observer)
    do {
      try listing.write(source, limit: lines)
      if let followed { try follow(&listing, followed, output, surroundings) }
    } catch is Interrupted {
      // The document is completed after Ctrl-C too, so that JSON output remains valid.
      output.ignoresInterruption = true
      try listing.end()
      throw Interrupted()
    }
    try listing.end(incompleteBecause: source.incompleteness.map(\.reason))
    if follow { throw CommandExit(.timedOut, "--timeout \(timeout?.text ?? "") was reached") }
    try ReadingOutcome(inputs: inputs, source: source, counts: listing.counts)
      .conclude(filter: self.filter.summary, isStrict: outcome.strict, allowsEmpty: outcome.allowEmpty)
  }

  /// Follows the source until `--timeout` is reached. Without `--timeout`, only an error such as an interruption ends it.
  private func follow(
    _ listing: inout EventListing, _ source: any FollowableSource, _ output: StandardOutput, _ surroundings: Surroundings
  ) throws {
    var follower = LogFollower(source, output: surroundings.output)
    for path in follower.awaited { StandardError.remark("waiting for \(path)") }
    let deadline = timeout.map { xp_clock_monotonic().addingClamped($0.nanoseconds) }
    try follower.follow(until: deadline, onChange: { StandardError.remark($0.text) }) { source in
      let isNew = try listing.writeNew(source)
      try output.flush()
      return isNew
    }
  }
}

extension FollowedChange {
  fileprivate var text: String {
    switch self {
    case .removed(let path): "\(path) was removed or renamed; waiting for it to be created again"
    case .appeared(let path): "\(path) exists now; following it"
    case .replaced(let path): "\(path) was replaced; following the new one"
    case .inaccessible(let path, let reason): "\(path) cannot be read any more (\(reason)); waiting for it"
    }
  }
}
