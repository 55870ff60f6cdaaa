import ArgumentParser
import CXferPlatform
import XferDiagnosis
import XferEvents
import XferLogStore
import XferPredicate
import XferReading
import XferReport

struct Tail: ReadingCommand {
  static let configuration = CommandConfiguration(
    commandName: "tail", _superCommandName: "xferlog",
    abstract: "Print the last events of a log, and with --follow new events as they are written.",
    discussion: """
      Examples:
        xferlog tail -f run.xlog --level error
        xferlog tail --tasks -f run.xlog
        xferlog tail run.xlog --until-event event=task.completed --timeout 30s
        xferlog tail --cursor-file state.cursor run.xlog -o ndjson
      """)

  @Argument(help: "Logs to read (default: the standard log, see xferlog --help).", completion: .file())
  var log: [String] = []

  @Flag(
    name: .shortAndLong, inversion: .prefixedNo,
    help: """
      Print new events as they are written (default with --until-event, --exit-on-finding and --timeout). Also wait for logs that \
      do not exist yet, or that are removed or renamed while they are followed.
      """)
  var follow: Bool?

  @Option(
    name: [.customShort("n"), .long],
    help: "Number of last events to begin with (or all; 0 for only new events; default: 10, all with a cursor).")
  var lines: LineLimit?

  @Flag(help: "Show the tasks instead of the events: state, bytes, rate, remaining time and what is overdue.")
  var tasks = false

  @Flag(
    inversion: .prefixedNo,
    help: """
      Also print what the rules find, each finding after the event that triggers it (default with --follow, --tasks and a cursor). \
      The rules read the whole log.
      """)
  var findings: Bool?

  @OptionGroup(title: "End")
  var stop: StopOptions

  @OptionGroup(title: "Cursor")
  var cursor: CursorOptions

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

  var isFollowing: Bool { follow ?? stop.isGiven }

  func run(_ surroundings: Surroundings) throws {
    let surroundings = try imported.applied(to: surroundings)
    try checkOptions()
    let findings = findings ?? (isFollowing || tasks || cursor.isGiven)
    let plain = try findings ? self.rules.sources() : nil
    let stop = try stop.condition(surroundings, rules: plain?.rules)
    let keeper = try CursorKeeper(cursor)
    let options = ListingSetup.Options(log: log, filter: filter, form: form, rules: rules, damage: damage, outcome: outcome)
    let setup = try ListingSetup(options, plain: plain, isFollowing: isFollowing, surroundings)
    let (inputs, rules, filter, template) = (setup.inputs, setup.rules, setup.filter, setup.template)
    // The rules, the cursor and the condition for the end need all events, not only those that match the filter.
    let needsAll = findings || tasks || keeper != nil || !stop.isEmpty
    let selection = needsAll ? nil : filter.selection
    if !needsAll, !isFollowing, damage.recovery == .tail, !filter.needsBeginning, case .last(let count) = lines ?? .last(10) {
      return try printEnd(count, filter, inputs, selection, template, surroundings)
    }
    let followed = isFollowing ? try inputs.followedSource(selection: selection) : nil
    let source = try followed ?? inputs.source(recovery: damage.recovery, selection: selection)
    try keeper?.check(inputs, source)
    let output = StandardOutput(descriptor: surroundings.output)
    defer { Interruption.endAsSignalled() }
    // A signal ends the program only after the document is complete, the cursor is saved and the terminal is restored.
    for signal in isFollowing ? Interruption.endings : [] { Interruption.handleUnlessIgnored(signal) }
    if tasks {
      return try watchTasks(
        TaskWatch(
          filter: filter, findings: rules.map(FindingObserver.init), stop: stop, patience: TaskRow.Patience(rules),
          style: form.style(surroundings, output), title: inputs.inputs.map(\.path).joined(separator: " "), output, surroundings),
        inputs, source, followed, surroundings)
    }
    var width = TerminalWidth(output, surroundings, form.page.width)
    let document = form.document(
      surroundings, output: output, template: template, subjects: filter.subjects, isFiltered: !filter.isEmpty)
    var listing = EventListing(
      filter: filter, document: document, output: output, findings: rules.map(FindingObserver.init), stop: stop, cursor: keeper)
    do {
      try listing.write(source, limit: lines ?? (keeper == nil ? .last(10) : .all))
      if let followed, listing.stopReason == nil { try follow(&listing, followed, &width, surroundings) }
    } catch let error {
      if error is Interrupted {
        // The document is completed after Ctrl-C too, so that JSON output remains valid.
        output.ignoresInterruption = true
        try listing.end()
      }
      try keeper?.finish(source)
      throw error
    }
    try listing.end(incompleteBecause: source.incompleteness.map(\.reason))
    try keeper?.finish(source)
    try conclude(listing.stopReason, listing.counts, inputs, source, isContinued: keeper != nil)
  }

  // MARK: The end of the log

  /// Prints the last events. The beginning of the log is not read unless it is needed.
  private func printEnd(
    _ count: Int, _ filter: EventFilter, _ inputs: LogInputs, _ selection: BlockSelection?, _ template: LineTemplate?,
    _ surroundings: Surroundings
  ) throws {
    let output = StandardOutput(descriptor: surroundings.output)
    let document = form.document(
      surroundings, output: output, template: template, subjects: filter.subjects, isFiltered: !filter.isEmpty)
    var listing = EventListing(filter: filter, document: document, output: output)
    let source = try listing.writeLast(count) { try inputs.end(last: $0, selection: selection) }
    try listing.end(incompleteBecause: source.incompleteness.map(\.reason))
    try conclude(nil, listing.counts, inputs, source)
  }

  // MARK: Tasks

  private func watchTasks(
    _ watch: TaskWatch, _ inputs: LogInputs, _ source: any EventSource, _ followed: (any FollowableSource)?,
    _ surroundings: Surroundings
  ) throws {
    var watch = watch
    if let followed {
      let deadline = stop.timeout.map { xp_clock_monotonic().addingClamped($0.nanoseconds) }
      try watch.follow(followed, until: deadline, surroundings)
    } else {
      try watch.printTable(source)
    }
    if !watch.isLeft { try conclude(watch.stopReason, watch.counts, inputs, source) }
  }

  private func checkOptions() throws {
    if isFollowing, damage.recovery != .tail {
      throw CommandExit(.wrongUsage, "--follow works only with --recovery tail; leave out one of the two options")
    }
    if follow == false, stop.isGiven {
      throw CommandExit(
        .wrongUsage, "--no-follow cannot be combined with --until-event, --exit-on-finding and --timeout, which follow the log")
    }
    try stop.checkLimit(isNotAmong: log)
    guard tasks else { return }
    if form.format != .short {
      throw CommandExit(
        .wrongUsage,
        "--tasks prints a table; for tasks in other formats, use xferlog query '| tasks' -o json (or ndjson, csv, logfmt)")
    }
    if lines != nil || cursor.isGiven {
      throw CommandExit(.wrongUsage, "--tasks shows the tasks of the whole log; leave out --lines and the cursor")
    }
  }

  // MARK: Following

  /// Follows the source until the stop condition is met or `--timeout` is reached. Otherwise, only an error such as an interruption
  /// ends it.
  private func follow(
    _ listing: inout EventListing, _ source: any FollowableSource, _ width: inout TerminalWidth, _ surroundings: Surroundings
  ) throws {
    var follower = LogFollower(source, output: surroundings.output)
    for path in follower.awaited { StandardError.remark("waiting for \(path)") }
    let deadline = stop.timeout.map { xp_clock_monotonic().addingClamped($0.nanoseconds) }
    try follower.follow(
      until: deadline,
      onChange: { change in
        try listing.settle()
        StandardError.remark(change.message)
      },
      { source in
        if let columns = width.change() { listing.resize(to: columns) }
        let isNew = try listing.writeNew(source)
        try listing.flush()
        return listing.stopReason != nil ? .done : isNew ? .new : .nothing
      })
  }

  private func conclude(
    _ reason: StopCondition.Reason?, _ counts: EventListing.Counts, _ inputs: LogInputs, _ source: any EventSource,
    isContinued: Bool = false
  ) throws {
    switch reason {
    case .event: return
    case .finding(let inset): throw CommandExit(.findings, "\(inset.subject): \(inset.title), \(inset.text)")
    case nil: break
    }
    if isFollowing { throw CommandExit(.timedOut, "--timeout \(stop.timeout?.text ?? "") was reached") }
    try ReadingOutcome(inputs: inputs, source: source, counts: counts, isContinued: isContinued)
      .conclude(filter: self.filter.summary, isStrict: outcome.strict, allowsEmpty: outcome.allowEmpty)
  }
}
