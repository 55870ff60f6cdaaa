import ArgumentParser
import CXferPlatform
import XferLogStore

struct Tail: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Show the last events of a log, and with -f those that come.")

  @Argument(help: "Logs to read.")
  var log: [String] = []

  @Flag(
    name: .shortAndLong, inversion: .prefixedNo, help: "Go on with what writers add; a log that does not exist yet is awaited.")
  var follow = false

  @Option(name: [.customShort("n"), .long], help: "Begin with the last so many events, or all; 0: with what comes from now on.")
  var lines: LineLimit = .last(10)

  @Option(help: "Stop following after so long, as 30s, and end with 5.")
  var timeout: TimeSpan?

  @Flag(inversion: .prefixedNo, help: "Show what the rules find, at the moment at which the log settles it.")
  var findings = true

  @OptionGroup(title: "Which events")
  var filter: FilterOptions

  @OptionGroup(title: "How they are shown")
  var form: OutputOptions

  @OptionGroup(title: "By which rules")
  var rules: RuleOptions

  @OptionGroup(title: "Where a log is damaged")
  var damage: RecoveryOptions

  @OptionGroup(title: "What counts as success")
  var outcome: OutcomeOptions

  func run() throws {
    if follow, damage.recovery != .tail {
      throw CommandExit(.wrongUsage, "a log that is being written can be followed with --recovery tail only")
    }
    let surroundings = Surroundings.current()
    let observer = try findings ? FindingObserver(rules.inForce()) : nil
    let filter = try filter.filter(surroundings, isUTC: form.zone == .utc)
    let inputs = try LogInputs(log, environment: surroundings.environment, mayAppear: follow)
    inputs.remarkRefusals()
    let reader = try inputs.reader(
      isFollowing: follow, recovery: damage.recovery, selection: findings ? nil : filter.selection)
    let output = StandardOutput()
    var listing = EventListing(
      filter: filter, document: form.document(surroundings, output: output), output: output,
      findings: observer)
    do {
      try listing.write(reader, limit: lines)
      if follow { try follow(&listing, reader, inputs, output) }
    } catch is Interrupted {
      // A document is closed all the same.
      output.ignoresInterruption = true
      try listing.end()
      throw Interrupted()
    }
    try listing.end()
    if follow { throw CommandExit(.timedOut, "--timeout \(timeout?.text ?? "") was reached") }
    try ReadingOutcome(inputs: inputs, reader: reader, counts: listing.counts)
      .conclude(filter: self.filter.summary, isStrict: outcome.strict, allowsEmpty: outcome.allowEmpty)
  }

  /// Returns when `--timeout` is over.
  private func follow(
    _ listing: inout EventListing, _ reader: LogReader, _ inputs: LogInputs, _ output: StandardOutput
  ) throws {
    var follower = LogFollower(reader, inputs: inputs)
    for path in follower.awaited { StandardError.remark("waiting for \(path)") }
    try follower.follow(until: timeout.map { xp_clock_monotonic() + $0.nanoseconds }) { reader in
      let isNew = try listing.writeNew(reader)
      try output.flush()
      return isNew
    }
  }
}
