import XferDiagnosis
import XferEvents
import XferLifecycle
import XferLogStore
import XferReplay
import XferReport

/// Logs that were read to their end and diagnosed: what replaying commands have in common.
struct DiagnosedLog {
  let diagnosis: Diagnosis
  /// How many effects the log has before their causes.
  let inversions: Int
  private let named: LogInputs
  private let reader: LogReader

  /// - Parameters:
  ///   - inputs: the logs, looked up; what is not read is said on standard error.
  ///   - recovery: what is done where a log is damaged.
  ///   - rules: by which it is judged.
  ///   - reader: of these inputs, from their beginning; `nil`: one of its own.
  ///   - onTaskEnd: gets each task once, when it is over or when the log is.
  ///   - each: sees every member once it has been applied, in that order.
  ///   - nowAndThen: called after some thousand members.
  init(
    _ inputs: LogInputs, rules: RuleSet, recovery: RecoveryMode = .tail, reader: LogReader? = nil,
    onTaskEnd: @escaping (TaskLifecycle, World) -> Void = { _, _ in },
    each: ((LogMember) throws -> Void)? = nil, nowAndThen: () throws -> Void = {}
  ) throws {
    inputs.remarkRefusals()
    let reader = try reader ?? inputs.reader(recovery: recovery)
    var diagnosis = Diagnosis(rules: rules.builtIn, userRules: rules.users, onTaskEnd: onTaskEnd)
    let batches = OrderedBatches(reader)
    var batch = EventBatch()
    while batches.next(&batch) {
      try diagnosis.apply(batch, each)
      try nowAndThen()
      try Interruption.check()
    }
    diagnosis.finish()
    self.diagnosis = diagnosis
    inversions = batches.inversions
    self.reader = reader
    named = inputs
  }

  /// What became of every log that was named.
  var accounts: [ReplayDocument.Input] { named.accounts(of: diagnosis, reader) }

  private var problems: [String] { named.refusals.map(\.problem) + reader.problems.map(\.error.description) }

  // MARK: How to end

  /// How a command ends that has read this, and why; a reason without a code other than 0 is a warning.
  typealias Conclusion = (status: ExitStatus, reason: String)

  /// What stands in the way of any answer; `nil` when events were read.
  func emptiness(_ options: OutcomeOptions) -> Conclusion? {
    guard diagnosis.replay.counts.events == 0 else { return nil }
    // What is there and cannot be read is no empty log.
    if !problems.isEmpty { return (.failed, problems.joined(separator: "\n")) }
    return options.allowEmpty ? (.analysed, "") : (.nothingAnalysed, "the log holds no event")
  }

  /// Why what was read is not the whole story.
  var incompleteness: [String] {
    guard let first = problems.first else { return diagnosis.incompleteness }
    let others = problems.count == 1 ? "" : " (and \(problems.count - 1) more)"
    return diagnosis.incompleteness + ["an input could not be read: \(Self.line(first))\(others)"]
  }

  /// What an error says in its first line: where, and what.
  private static func line(_ problem: String) -> String {
    let line = problem.prefix { $0 != "\n" }
    return String(line.hasSuffix(".") ? line.dropLast() : line)
  }

  /// How to end where nothing was found.
  func completeness(_ options: OutcomeOptions) -> Conclusion { Self.completeness(incompleteness, options) }

  /// - Parameter reasons: why what was read is not the whole story.
  static func completeness(_ reasons: [String], _ options: OutcomeOptions) -> Conclusion {
    guard !reasons.isEmpty else { return (.analysed, "") }
    let text = "the log is incomplete: " + reasons.joined(separator: "; ")
    return (options.strict ? .incomplete : .analysed, text)
  }

  static func end(_ conclusion: Conclusion) throws {
    if conclusion.status != .analysed { throw CommandExit(conclusion.status, conclusion.reason) }
    if !conclusion.reason.isEmpty { StandardError.remark(conclusion.reason) }
  }
}
