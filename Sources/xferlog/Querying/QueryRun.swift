import CXferPlatform
import XferDiagnosis
import XferEvents
import XferLogStore
import XferPredicate
import XferQuery

/// One run of a query over inputs.
struct QueryRun {
  let query: Query
  let inputs: LogInputs
  let recovery: RecoveryMode
  /// The fields that the output shows of each event.
  let shown: [QueryField]
  private(set) var counts = EventListing.Counts()
  /// The number of triggers of `| absent` whose time limit lies after the end of the log.
  private(set) var open = 0
  private(set) var blocks = BlockCounts()
  private(set) var skippedEvents = 0
  /// The time for the replay that subjects' fields need, and the time for the query, in nanoseconds.
  private(set) var times: (subjects: Int64, query: Int64) = (0, 0)

  init(_ query: Query, _ inputs: LogInputs, _ recovery: RecoveryMode, shown: [QueryField] = []) {
    (self.query, self.inputs, self.recovery, self.shown) = (query, inputs, recovery, shown)
  }

  /// The blocks that can contain events for the query; `nil` for all blocks.
  private var selection: BlockSelection? {
    for stage in query.stages {
      switch stage {
      // These stages also look at events that the condition excludes.
      case .context, .absence: return nil
      default: break
      }
    }
    return BlockSelection(BlockBounds(query.predicate))
  }

  /// Reads the inputs, and hands the result to an output.
  ///
  /// - Parameters:
  ///   - rules: returns the rules in force, for queries that need findings.
  ///   - makeOutput: returns the output, which may show the values of subjects' fields.
  /// - Returns: the output, and the source, read to its end or to the event after which the result cannot change.
  mutating func run(
    rules: () throws -> RuleSet, _ makeOutput: (SubjectLedger?) throws -> QueryOutput
  ) throws -> (source: any EventSource, output: QueryOutput) {
    let start = xp_clock_monotonic()
    let ledger = try subjects(rules: rules)
    let output = try makeOutput(ledger)
    let begun = xp_clock_monotonic()
    let source = try inputs.source(recovery: recovery, selection: selection)
    let pipeline = Pipeline(query, ledger, to: output)
    output.begin()
    var batch = EventBatch()
    read: while source.fill(&batch) {
      for (_, gap) in batch.gaps { counts.note(gap) }
      for event in batch.events {
        try pipeline.take(event)
        if pipeline.isFull { break read }
      }
      batch.removeAll()
      try Interruption.check()
    }
    try pipeline.finish()
    (counts.events, counts.matched) = (pipeline.counts.events, pipeline.counts.matched)
    (counts.undecided, open) = (pipeline.counts.undecided, pipeline.open)
    (blocks, skippedEvents) = (source.blocks, source.passedOver)
    times = (begun - start, xp_clock_monotonic() - begun)
    return (source, output)
  }

  /// Returns the subjects that a replay rebuilds, if the query or its output needs them.
  private func subjects(rules: () throws -> RuleSet) throws -> SubjectLedger? {
    let shownSubjects = shown.ofReplay
    guard query.needsReplay || !shownSubjects.isEmpty else { return nil }
    let needsFindings = query.needsFindings || shownSubjects.contains { $0.subject == .finding }
    let fields = query.subjectFields + shownSubjects.filter { !query.subjectFields.contains($0) }
    return try inputs.subjects(fields, rules: needsFindings ? rules() : nil, recovery: recovery)
  }

  // MARK: Remarks

  /// Reports on standard error what the query could not decide.
  func remark() {
    if open > 0 {
      StandardError.remark("\(open) event\(open == 1 ? " is" : "s are") undecided, because the log ends before the time limit")
    }
  }

  /// Reports on standard error how the query was understood and what was read.
  func explain() {
    StandardError.remark("query: \(query)")
    var parts = ["\(blocks.skipped) of \(blocks.sealed) sealed blocks skipped"]
    if blocks.unsealed > 0 { parts.append("\(blocks.unsealed) unsealed") }
    StandardError.remark("blocks: " + parts.joined(separator: ", "))
    StandardError.remark("events: \(counts.events) read, \(skippedEvents) skipped, \(counts.matched) matched")
    let replay = query.needsReplay ? " after \(Duration.nanoseconds(times.subjects).short) of replay" : ""
    StandardError.remark("time: \(Duration.nanoseconds(times.query).short)\(replay)")
  }
}
