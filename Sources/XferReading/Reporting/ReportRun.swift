package import XferDiagnosis
package import XferEvents
import XferLifecycle
package import XferLogStore
package import XferQuery
import XferReplay
package import XferReport

/// The making of an HTML report: reads and diagnoses the log, and writes one page with the verdict and the events.
///
/// The log is read once if its events fit in the page, and again with a smaller selection of events until they do.
package struct ReportRun {
  let inputs: LogInputs
  let rules: RuleSet
  let recovery: RecoveryMode
  let outcome: any OutcomePolicy
  let now: WallTime
  private let mask: ValueMask
  /// The other run that the report is compared with; `nil` if it compares no runs.
  package var other: Other?

  /// A run that was read for comparison.
  package struct Other {
    let name: String
    let log: DiagnosedLog
    let tasks: [TaskProfile]

    package init(name: String, log: DiagnosedLog, tasks: [TaskProfile]) {
      (self.name, self.log, self.tasks) = (name, log, tasks)
    }
  }

  /// - Parameter mask: hashes the private values. Equal values stay equal in all reports with the same mask.
  package init(
    inputs: LogInputs, rules: RuleSet, recovery: RecoveryMode, outcome: any OutcomePolicy, now: WallTime,
    mask: ValueMask = newMask()
  ) {
    (self.inputs, self.rules, self.recovery, self.outcome, self.now) = (inputs, rules, recovery, outcome, now)
    self.mask = mask
  }

  /// Returns a mask with a random key that is not stored anywhere.
  package static func newMask() -> ValueMask { ValueMask(key: (.random(in: .min ... .max), .random(in: .min ... .max))) }

  /// The maximum size of a page in bytes.
  static let limit = 8_000_000
  /// The maximum size of the compressed data. Base64 makes it a third larger, and the rest of the page needs room.
  private static let blockLimit = (limit - 400_000) / 4 * 3
  /// The room that is kept for the findings and process lives, which come last.
  private static let reserve = 600_000
  private static let mostTrials = 6
  /// The maximum number of events of a log that is read again for changes of state.
  private static let mostReplayed = 1_000_000

  /// A report that has been made.
  package struct Made {
    package let document: ReportDocument
    /// The rows and the document as a zlib stream of JSON.
    package let data: [UInt8]
    package let result: Result
  }

  /// The facts about a report for a message.
  package struct Result {
    package let events: Int
    package let contained: Int
    package let findings: Int
    package let log: DiagnosedLog
  }

  /// The result of writing one block of data.
  private struct Trial {
    let block: Deflater
    let document: ReportDocument
    let log: DiagnosedLog
    let contained: Int
    let isComplete: Bool
  }

  /// Makes the report and writes it as one file.
  package func write(to output: StandardOutput) throws -> Result {
    let made = try make()
    ReportPage.begin(made.document, in: &output.buffer)
    try Self.appendBase64(made.data, to: output)
    ReportPage.end(in: &output.buffer)
    return made.result
  }

  /// Makes the report and writes its page and its data as several files.
  package func write(page: StandardOutput, data: StandardOutput) throws -> Result {
    let made = try make()
    ReportPage.appendPage(made.document, in: &page.buffer)
    data.buffer.append(ReportPage.dataFileStart)
    try Self.appendBase64(made.data, to: data)
    ReportPage.endDataFile(in: &data.buffer)
    return made.result
  }

  /// Reads the log, again and again with fewer events until they fit in a report.
  package func make() throws -> Made {
    var trial = try read(selection: nil)
    if !trial.isComplete {
      let (first, all) = (trial, trial.log.diagnosis.counts.events)
      let (tasks, evidence) = (first.document.tasksWithFindings, first.document.evidence)
      var number = 0
      repeat {
        let share = 0.7 * Double(first.contained) / Double(max(1, all))
        trial = try read(selection: ReportSelection(tasks: tasks, evidence: evidence, share: share, trial: number))
        number += 1
      } while !trial.isComplete && number < Self.mostTrials
    }
    let diagnosis = trial.log.diagnosis
    return Made(
      document: trial.document, data: trial.block.bytes,
      result: Result(
        events: diagnosis.counts.events, contained: trial.contained, findings: diagnosis.findings.count, log: trial.log))
  }

  /// Reads the log and compresses the rows of the selected events, until the data is too large.
  ///
  /// - Parameter selection: the selected events; `nil` selects all.
  private func read(selection: ReportSelection?) throws -> Trial {
    let block = try Deflater()
    var rows = ReportRows(mask: mask)
    var tracker = LifecycleTracker()
    var text = TextBuffer(capacity: 1 << 17)
    var isFull = false
    var profiles: [TaskProfile] = []
    text.append("{\"schema\":\"xferlog.report/1\",\"rows\":[\n" as StaticString)
    func flush(_ limit: Int) {
      if text.count <= limit { return }
      block.append(text.bytes)
      text.removeAll()
      if block.bytes.count > Self.blockLimit - Self.reserve { isFull = true }
    }
    let log = try DiagnosedLog(
      inputs, rules: rules, recovery: recovery,
      onTaskEnd: { task, world in
        if other != nil { profiles.append(TaskProfile(task, in: world)) }
        guard !isFull, selection?.contains(task.identity.uid) ?? true else { return }
        rows.append(task, world, to: &text)
        flush(1 << 16)
      },
      each: { member in
        switch member {
        case .event(let event):
          guard !isFull, selection?.contains(event) ?? true else { return }
          rows.append(event, to: &text)
          for unit in tracker.apply(event, isSelected: true) { rows.append(unit, to: &text) }
        case .gap(let gap): if !isFull { rows.append(gap, to: &text) }
        }
        flush(1 << 16)
      })
    for unit in tracker.finish() where !isFull {
      rows.append(unit, to: &text)
      flush(1 << 16)
    }
    var document = document(log, contained: rows.events)
    document.changes = try changes(document, log)
    document.comparison = comparison(log, profiles)
    let reasons = log.otherIncompleteness + (document.omission.map { [$0] } ?? [])
    for reason in reasons { rows.append(incompleteness: reason, to: &text) }
    text.append("\n],\n\"report\":" as StaticString)
    document.write(to: &text)
    text.append("}\n" as StaticString)
    flush(0)
    block.finish()
    return Trial(
      block: block, document: document, log: log, contained: rows.events,
      isComplete: !isFull && block.bytes.count <= Self.blockLimit)
  }

  /// Reads the log again for the changes of state of the tasks with findings.
  private func changes(_ document: ReportDocument, _ log: DiagnosedLog) throws -> ReportChanges? {
    var changes = ReportChanges(of: document.tasksWithFindings)
    guard !changes.isFull, log.diagnosis.counts.events <= Self.mostReplayed else { return nil }
    let source = try inputs.source(recovery: recovery)
    var ordered = OrderedMembers { source.next() }
    var count = 0
    while !changes.isFull, let member = ordered() {
      changes.apply(member)
      count += 1
      if count & 0xFFFF == 0 { try Interruption.check() }
    }
    return changes
  }

  private func comparison(_ log: DiagnosedLog, _ tasks: [TaskProfile]) -> ComparisonDocument? {
    guard let other else { return nil }
    func run(_ log: DiagnosedLog, _ tasks: [TaskProfile]) -> RunComparison.Run {
      var run = RunComparison.Run()
      run.tasks = tasks
      run.findings = log.diagnosis.findings
      return run
    }
    return ComparisonDocument(
      RunComparison(run(other.log, other.tasks), run(log, tasks), limits: .usual),
      first: ComparisonDocument.Run(name: other.name, inputs: other.log.accounts, incompleteness: other.log.incompleteness),
      second: ComparisonDocument.Run(name: title, inputs: log.accounts, incompleteness: log.incompleteness))
  }

  private func document(_ log: DiagnosedLog, contained: Int) -> ReportDocument {
    let conclusion = conclusion(log)
    let replay = ReplayDocument(
      diagnosis: log.diagnosis, inversions: log.inversions, inputs: log.accounts, exitCode: conclusion.status.code, rules: rules,
      incompleteness: log.incompleteness, sourceLines: log.sourceLines)
    return ReportDocument(
      replay,
      ReportDocument.Context(
        title: title, exitWord: conclusion.status.word, created: now, version: LogConfiguration.libraryVersion,
        contained: contained))
  }

  /// The conclusion of `xferlog replay` with its default options, which the page states.
  private func conclusion(_ log: DiagnosedLog) -> DiagnosedLog.Conclusion {
    if let emptiness = log.emptiness(outcome) { return emptiness }
    if log.diagnosis.findings.contains(where: { $0.counts && $0.severity >= .warning }) { return (.findings, "") }
    return log.completeness(outcome)
  }

  /// The names of the logs without their directories.
  private var title: String {
    let names = inputs.inputs.map { $0.path.fileName ?? $0.path }
    return names.count > 3
      ? "\(names.prefix(3).joined(separator: ", ")) and \(names.count - 3) more" : names.joined(separator: ", ")
  }

  private static func appendBase64(_ bytes: [UInt8], to output: StandardOutput) throws {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var place = 0
    while place < bytes.count {
      let group = bytes[place..<min(place + 3, bytes.count)]
      let word = group.reduce(0) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
      for digit in 0..<4 as Range<UInt32> {
        output.buffer.append(digit <= group.count ? digits[Int(word >> (18 - 6 * digit)) & 63] : UInt8(ascii: "="))
      }
      place += 3
      try output.flushIfLarge()
    }
  }
}
