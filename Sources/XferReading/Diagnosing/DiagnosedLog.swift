package import XferDiagnosis
package import XferEvents
package import XferLifecycle
package import XferLogStore
package import XferReplay
package import XferReport

/// Inputs that have been read to the end and diagnosed. All commands that replay a log use this type.
package struct DiagnosedLog {
  package private(set) var diagnosis: JointDiagnosis
  /// The number of effects that were recorded before their causes.
  package let inversions: Int
  private let named: LogInputs
  private let source: any EventSource
  /// The parts of the inputs that were changed after they had been written.
  private let alterations: [SourceIncompleteness]
  /// The part of the log that is judged; `nil` for the whole log.
  private let window: JudgedWindow?
  /// The number of findings in the whole log.
  private let allFindings: Int

  /// - Parameters:
  ///   - inputs: the inputs. The user is told about those that cannot be read.
  ///   - recovery: how damaged logs are read.
  ///   - rules: the rules in force.
  ///   - window: the part of the log that is judged. Only its findings remain. `nil` judges the whole log.
  ///   - source: the opened inputs, nothing of which has been read; `nil` opens them here.
  ///   - onTaskEnd: called once for each task, when the task ends or at the end of the inputs.
  ///   - each: called with every event or gap after the diagnosis has processed it.
  ///   - afterBatch: called with each batch of some thousand events and gaps, after the diagnosis has processed it.
  package init(
    _ inputs: LogInputs, rules: RuleSet, recovery: RecoveryMode = .tail, window: JudgedWindow? = nil,
    source: (any EventSource)? = nil,
    onTaskEnd: @escaping (TaskLifecycle, World) -> Void = { _, _ in },
    each: ((LogMember) throws -> Void)? = nil, afterBatch: (EventBatch) throws -> Void = { _ in }
  ) throws {
    inputs.remarkRefusals()
    let source = try source ?? inputs.source(recovery: recovery)
    var diagnosis = JointDiagnosis(rules.tables, onTaskEnd: onTaskEnd)
    let batches = OrderedBatches(source)
    var batch = EventBatch()
    while batches.next(&batch) {
      try diagnosis.apply(batch, each)
      try afterBatch(batch)
      try Interruption.check()
    }
    diagnosis.finish()
    allFindings = window.map { diagnosis.keepFindings(where: $0.takes) } ?? diagnosis.findings.count
    self.diagnosis = diagnosis
    self.window = window
    inversions = batches.inversions
    self.source = source
    alterations = source.alterations()
    named = inputs
  }

  /// Keeps the findings that a closure accepts, and the findings that explain them.
  package mutating func keepFindings(where isWanted: (Finding) -> Bool) { _ = diagnosis.keepFindings(where: isWanted) }

  /// Marks the findings that a baseline or suppressions accept.
  package mutating func accept(with acceptance: inout Acceptance) { diagnosis.accept(with: &acceptance) }

  /// The figures of every input that the user named.
  package var accounts: [ReplayDocument.Input] { named.accounts(of: diagnosis, source, alterations) }

  /// The places of events in the inputs.
  package var sourceLines: SourceLines { SourceLines(source, logs: named.logNames) }

  /// Reads the lines that answers will cite, together.
  package func prepareQuotes(of references: [EventReference]) { source.prepareQuotes(of: references) }

  private var problems: [UserMessage] { named.unread.map(\.problem) + source.unreadable.map(\.error.message) }

  // MARK: Exit code

  /// An exit status with its reason. If the exit code is 0, the reason is printed as a warning.
  package typealias Conclusion = (status: ExitStatus, reason: UserMessage)

  /// Returns the conclusion for inputs without any event; `nil` when events were read.
  package func emptiness(_ options: some OutcomePolicy) -> Conclusion? {
    guard diagnosis.counts.events == 0 else { return nil }
    // An input that exists but could not be read is a failure, not an empty log.
    let failures = named.refusals.map(\.problem) + source.unreadable.map(\.error.message)
    if !failures.isEmpty { return (.failed, UserMessage(failures)) }
    if options.allowEmpty { return (.analysed, "") }
    let records = source.figures.reduce(0) { $0 + $1.records }
    if records == 0 { return (.nothingAnalysed, "the log has no events") }
    let what = records == 1 ? "does not recognise its only record" : "recognises none of its \(records) records"
    return (
      .nothingAnalysed,
      "the log has no events: xferlog \(what) as part of a transfer; see `xferlog collect-help` for what to capture"
    )
  }

  /// Returns the conclusion for a window without events, tasks and findings; `nil` when there is something to judge.
  package func windowEmptiness(_ options: some OutcomePolicy) -> Conclusion? {
    guard let window, window.isEmpty(findings: diagnosis.findings.count) else { return nil }
    let text: UserMessage =
      "none of the \(diagnosis.counts.events.counted("event")) and \(window.allTasks.counted("task")) of the log is in the window"
    return options.allowEmpty ? (.analysed, text) : (.nothingAnalysed, text)
  }

  /// The window and what it has; `nil` for the whole log.
  package var judgedWindow: ReplayDocument.Window? { window?.document(findings: diagnosis.findings.count, of: allFindings) }

  /// The reasons why the inputs are incomplete.
  package var incompleteness: [String] { diagnosis.incompleteness { window?.takes($0) ?? true } + otherIncompleteness }

  /// The reasons why the inputs are incomplete that do not follow from the events and gaps.
  package var otherIncompleteness: [String] {
    let reasons = (source.incompleteness + alterations).map(\.reason)
    guard let first = problems.first else { return reasons }
    let others = problems.count == 1 ? "" : " (and \(problems.count - 1) more)"
    return reasons + ["an input could not be read: \(first.problem)\(others)"]
  }

  /// Returns the conclusion for a log without findings that count.
  package func completeness(_ options: some OutcomePolicy) -> Conclusion { Self.completeness(incompleteness, options) }

  /// - Parameter reasons: the reasons why the inputs are incomplete.
  package static func completeness(_ reasons: [String], _ options: some OutcomePolicy) -> Conclusion {
    guard !reasons.isEmpty else { return (.analysed, "") }
    let text: UserMessage = "the log is incomplete: \(reasons.joined(separator: "; "))"
    return (options.strict ? .incomplete : .analysed, text)
  }
}
