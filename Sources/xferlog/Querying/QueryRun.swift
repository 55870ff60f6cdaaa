import CXferPlatform
import XferDiagnosis
import XferEvents
import XferLogStore
import XferPredicate
import XferQuery
import XferReading

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
  /// The number of threads that read blocks in any order.
  private(set) var threads = 0
  /// The time for the replay that subjects' fields need, and the time for the query, in nanoseconds.
  private(set) var times: (subjects: Int64, query: Int64) = (0, 0)

  init(_ query: Query, _ inputs: LogInputs, _ recovery: RecoveryMode, shown: [QueryField] = []) {
    (self.query, self.inputs, self.recovery, self.shown) = (query, inputs, recovery, shown)
  }

  /// The parts of sealed segments that can contain events for the query, and how they are read.
  private func selection(scan: BlockScan?) -> BlockSelection {
    var selection = limits.flatMap(BlockSelection.init) ?? BlockSelection()
    selection.kinds = KindPlan(query).map { plan in KindSelection(keepsEnds: plan.needsEnd, choice: plan.choice) }
    selection.scan = scan
    return selection
  }

  /// The limits of the condition to the blocks that must be read; `nil` for none.
  private var limits: BlockBounds? {
    for stage in query.stages {
      switch stage {
      // These stages also look at events that the condition excludes.
      case .context, .absence: return nil
      default: break
      }
    }
    return BlockBounds(query.predicate)
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
    output.begin()
    var reading = try read(ledger, to: output, scans: query.allowsScan)
    if reading.scan?.receivers.isEmpty == false, reading.pipeline.dependsOnOrder {
      // A scan reads the events in any order, so read them once more in theirs.
      reading = try read(ledger, to: output, scans: false)
    }
    let pipeline = reading.pipeline
    try pipeline.finish()
    (counts.gaps, counts.missing) = (reading.gaps.gaps, reading.gaps.missing)
    (counts.events, counts.matched) = (pipeline.counts.events, pipeline.counts.matched)
    (counts.undecided, open) = (pipeline.counts.undecided, pipeline.open)
    (blocks, skippedEvents) = (reading.source.blocks, reading.source.passedOver)
    threads = reading.scan?.receivers.count ?? 0
    times = (begun - start, xp_clock_monotonic() - begun)
    return (reading.source, output)
  }

  private struct Reading {
    let source: any EventSource
    let pipeline: Pipeline
    let gaps: EventListing.Counts
    let scan: BlockScan?
  }

  /// - Parameter scans: whether to read blocks of sealed segments in any order.
  private func read(_ ledger: SubjectLedger?, to output: QueryOutput, scans: Bool) throws -> Reading {
    let query = query
    let scan =
      scans ? BlockScan(isCancelled: { Interruption.isPending }, receivers: { StatisticsScan(query) }) : nil
    let source = try inputs.source(recovery: recovery, selection: selection(scan: scan))
    let pipeline = Pipeline(query, ledger, to: output)
    let gaps = try fill(pipeline, from: source)
    for case let receiver as StatisticsScan in scan?.receivers ?? [] { pipeline.add(receiver) }
    let leftOut = source.blocks.leftOut
    pipeline.add(events: leftOut.events, matched: leftOut.matches)
    return Reading(source: source, pipeline: pipeline, gaps: gaps, scan: scan)
  }

  /// Hands the events of a source to the query, and returns the numbers of its gaps. The events are read on another thread if possible.
  private func fill(_ pipeline: Pipeline, from source: any EventSource) throws -> EventListing.Counts {
    var counts = EventListing.Counts()
    let ahead = source.readingAhead { _, _ in }
    // The thread that reads ahead must have ended before the source is used again.
    defer { withExtendedLifetime(ahead) {} }
    let batches: any EventBatches = ahead ?? source
    var batch = EventBatch()
    while batches.fill(&batch) {
      for (_, gap) in batch.gaps { counts.note(gap) }
      for event in batch.events {
        try pipeline.take(event)
        if pipeline.isFull { return counts }
      }
      batch.removeAll()
      try Interruption.check()
    }
    return counts
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
    let reasons = blocks.exclusions.map { "\($0.count) by \($0.reason.rawValue)" }.joined(separator: ", ")
    var parts = ["\(blocks.skipped) of \(blocks.sealed) sealed blocks skipped" + (reasons.isEmpty ? "" : " (\(reasons))")]
    if blocks.scanned.all > 0 {
      let processors = threads.counted("thread")
      parts.append("\(blocks.scanned.all) read on \(processors), \(blocks.scanned.partly) of them only in part")
    }
    if blocks.unsealed > 0 { parts.append("\(blocks.unsealed) unsealed") }
    StandardError.remark("blocks: \(parts.joined(separator: ", "))")
    StandardError.remark("events: \(counts.events) read, \(skippedEvents) skipped, \(counts.matched) matched")
    let replay = query.needsReplay ? " after \(Duration.nanoseconds(times.subjects).short) of replay" : ""
    StandardError.remark("time: \(Duration.nanoseconds(times.query).short)\(replay)")
  }
}
