import ArgumentParser
import XferEvents
import XferLogStore
import XferPredicate
import XferReading
import XferReport

struct Show: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", _superCommandName: "xferlog",
    abstract: "Print the events of a log.",
    discussion: "Example: xferlog show run.xlog --task img/7 --level debug")

  @Argument(help: "Logs to read (default: the standard log, see xferlog --help).", completion: .file())
  var log: [String] = []

  @Option(name: [.customShort("n"), .long], help: "Print only the last events (a number, or all).")
  var lines: LineLimit = .all

  @Flag(name: .shortAndLong, help: "Print the last event first.")
  var reverse = false

  @Flag(inversion: .prefixedNo, help: "Also print what the rules find, each finding after the event that triggers it.")
  var findings = false

  @Flag(
    name: .shortAndLong, help: "Also print the log's own bookkeeping, such as log.opened, which -o short, wide and cat leave out."
  )
  var all = false

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
    let plain = try findings ? rules.sources() : nil
    let options = ListingSetup.Options(log: log, filter: filter, form: form, rules: rules, damage: damage, outcome: outcome)
    let setup = try ListingSetup(options, plain: plain, surroundings)
    let (inputs, filter, template) = (setup.inputs, setup.filter, setup.template)
    let observer = setup.rules.map(FindingObserver.init)
    // The rules need all events, not only those that match the filter.
    let selection = findings ? nil : filter.selection
    let output = StandardOutput(descriptor: surroundings.output)
    let document = form.document(
      surroundings, output: output, template: template, subjects: filter.subjects, isFiltered: !filter.isEmpty)
    var listing = EventListing(
      filter: filter, document: document, output: output, findings: observer,
      hidesBookkeeping: !all && [.short, .wide, .cat].contains(form.format))
    let source: any EventSource
    if case .last(let count) = lines, !findings, damage.recovery == .tail, !filter.needsBeginning {
      source = try listing.writeLast(count, isReversed: reverse) { try inputs.end(last: $0, selection: selection) }
    } else {
      source = try inputs.source(recovery: damage.recovery, selection: selection)
      try listing.write(source, limit: lines, isReversed: reverse)
    }
    try listing.end(incompleteBecause: source.incompleteness.map(\.reason))
    try ReadingOutcome(inputs: inputs, source: source, counts: listing.counts)
      .conclude(filter: self.filter.summary, isStrict: outcome.strict, allowsEmpty: outcome.allowEmpty)
  }
}
