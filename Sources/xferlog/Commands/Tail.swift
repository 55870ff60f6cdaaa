import ArgumentParser
import CXferPlatform
import XferEvents
import XferLogStore

struct Tail: ReadingCommand {
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

  func run(_ surroundings: Surroundings) throws {
    if follow, damage.recovery != .tail {
      throw CommandExit(.wrongUsage, "a log that is being written can be followed with --recovery tail only")
    }
    let observer = try findings ? FindingObserver(rules.inForce()) : nil
    let filter = try filter.filter(surroundings, isUTC: form.zone == .utc)
    let inputs = try LogInputs(log, surroundings, mayAppear: follow)
    inputs.remarkRefusals()
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
      // An interrupted document is completed nevertheless.
      output.ignoresInterruption = true
      try listing.end()
      throw Interrupted()
    }
    try listing.end()
    if follow { throw CommandExit(.timedOut, "--timeout \(timeout?.text ?? "") was reached") }
    try ReadingOutcome(inputs: inputs, source: source, counts: listing.counts)
      .conclude(filter: self.filter.summary, isStrict: outcome.strict, allowsEmpty: outcome.allowEmpty)
  }

  /// Follows the source and returns after `--timeout`.
  private func follow(
    _ listing: inout EventListing, _ source: any FollowableSource, _ output: StandardOutput, _ surroundings: Surroundings
  ) throws {
    var follower = LogFollower(source, output: surroundings.output)
    for path in follower.awaited { StandardError.remark("waiting for \(path)") }
    try follower.follow(until: timeout.map { xp_clock_monotonic() + $0.nanoseconds }) { source in
      let isNew = try listing.writeNew(source)
      try output.flush()
      return isNew
    }
  }
}
