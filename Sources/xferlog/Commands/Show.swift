import ArgumentParser

struct Show: ReadingCommand {
  static let configuration = CommandConfiguration(abstract: "Show the events of a log.")

  @Argument(help: "Logs to read.")
  var log: [String] = []

  @Option(name: [.customShort("n"), .long], help: "Only the last so many events, or all.")
  var lines: LineLimit = .all

  @Flag(name: .shortAndLong, help: "The last event first.")
  var reverse = false

  @Flag(inversion: .prefixedNo, help: "Show what the rules find, where the log settles it.")
  var findings = false

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
    let observer = try findings ? FindingObserver(rules.inForce()) : nil
    let filter = try filter.filter(surroundings, isUTC: form.zone == .utc)
    let inputs = try LogInputs(log, surroundings)
    inputs.remarkRefusals()
    // Rules need all events.
    let source = try inputs.source(recovery: damage.recovery, selection: findings ? nil : filter.selection)
    let output = StandardOutput(descriptor: surroundings.output)
    var listing = EventListing(
      filter: filter, document: form.document(surroundings, output: output), output: output,
      findings: observer)
    try listing.write(source, limit: lines, isReversed: reverse)
    try listing.end()
    try ReadingOutcome(inputs: inputs, source: source, counts: listing.counts)
      .conclude(filter: self.filter.summary, isStrict: outcome.strict, allowsEmpty: outcome.allowEmpty)
  }
}
