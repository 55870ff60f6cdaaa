import XferDiagnosis
import XferEvents
import XferLogStore
import XferReplay
import XferReport

/// Logs that were read to their end and diagnosed: what replaying commands have in common.
struct DiagnosedLog {
  let diagnosis: Diagnosis
  /// Wall clock of the earliest and of the latest event; `nil` when no event has one.
  let span: ClosedRange<WallTime>?
  private let named: LogInputs
  private let reader: LogReader

  /// - Parameters:
  ///   - inputs: the logs, looked up; what is not read is said on standard error.
  ///   - reader: of these inputs, from their beginning.
  ///   - each: sees every member in the order in which it is applied.
  init(_ inputs: LogInputs, reader: LogReader, each: (LogMember) throws -> Void) throws {
    inputs.remarkRefusals()
    var diagnosis = Diagnosis()
    var ordered = CausalOrder { reader.next() }
    var (first, last) = (Int64.max, Int64.min)
    var count = 0
    while let member = ordered() {
      diagnosis.apply(member)
      if case .event(let event) = member, let wall = event.wall?.nanoseconds {
        first = min(first, wall)
        last = max(last, wall)
      }
      try each(member)
      count += 1
      if count & 0xFFFF == 0 { try Interruption.check() }
    }
    diagnosis.finish()
    self.diagnosis = diagnosis
    self.reader = reader
    named = inputs
    span = first <= last ? WallTime(nanoseconds: first)...WallTime(nanoseconds: last) : nil
  }

  init(_ inputs: LogInputs) throws { try self.init(inputs, reader: inputs.reader()) { _ in } }

  /// Every log that was named, with what kept it from being read.
  var inputs: [ReplayDocument.Input] {
    named.inputs.map { ReplayDocument.Input(path: $0.path, format: "xferlog") }
      + named.refusals.map { ReplayDocument.Input(path: $0.path, format: "unknown", error: $0.problem) }
      + reader.problems.map { ReplayDocument.Input(path: $0.path, format: "xferlog", error: $0.error.description) }
  }

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
  var incompleteness: [String] { diagnosis.incompleteness + (problems.isEmpty ? [] : ["an input could not be read"]) }

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
