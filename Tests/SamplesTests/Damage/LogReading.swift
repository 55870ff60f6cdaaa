import Foundation
import LogTestSupport
import XferDiagnosis
import XferEvents
import XferLogStore
import XferReading
import XferReplay
import XferReport

@testable import xferlog

/// What the commands of `xferlog` say about a log, determined in this process by the code that the commands use.
struct LogReading: Sendable {
  /// The place of an event, whatever the file that holds it.
  struct Place: Hashable, Sendable {
    let launch: LaunchID
    let lane: UInt32
    let sequence: UInt64

    /// Whether the event is detail below the log's level, whose absence is no gap.
    var isInRing: Bool { lane & 1 << 31 != 0 }
  }

  /// A finding of `replay`.
  struct Found: Sendable {
    let key: FindingKey
    let certainty: Certainty
    let lowered: [String]
    let evidence: [Place]
    /// The kinds of events on whose absence the finding rests.
    let absent: [EventKind]
    let restsOnAbsence: Bool
    let needsWholeLog: Bool
    let launch: LaunchID?
  }

  let verdict: String
  /// The reasons why the log is incomplete, according to `replay`.
  let reasons: [String]
  let findings: [Found]
  /// The events, each with a hash of what it says.
  let events: [Place: Int]
  /// The writers by launch.
  let writers: [LaunchID: WriterContext]
  /// Whether `verify` says that records are lost, and whether it says anything.
  let (verifiesLoss, verifiesFlaw): (Bool, Bool)
  /// Whether `replay --recovery strict` refuses the log.
  let isRefused: Bool

  var isComplete: Bool { reasons.isEmpty }

  /// Returns the places of the events of an undamaged log that this log lacks, or of which it lacks the names or the task.
  func lost(from whole: LogReading) -> Set<Place> {
    Set(whole.events.lazy.filter { events[$0.key] != $0.value && !$0.key.isInRing }.map(\.key))
  }

  /// The reasons that name a loss. A writer that was killed loses nothing that it had written.
  var losses: [String] { reasons.filter { !$0.contains(" stops with ") && !$0.contains(" torn ") } }

  /// The findings about the logged programs, and not about the log itself.
  var certain: [Found] { findings.filter { $0.certainty == .certain && !$0.key.rule.hasPrefix("log-") } }

  private static let surroundings = Surroundings(
    environment: ["HOME": "/dev/null"], now: { WallTime(nanoseconds: 0) }, localZone: .utc)

  /// - Parameter paths: the logs, as arguments of the commands.
  /// - Returns: `nil` if nothing can be read, so that the commands fail.
  init?(_ paths: [String], recovery: RecoveryMode = .tail) throws {
    let inputs: LogInputs
    do { inputs = try LogInputs(paths, Self.surroundings) } catch is CommandExit { return nil }
    // Thousands of logs are read, so that remarks about each would hide the results.
    inputs.remarks.areMade = true
    var events: [Place: Int] = [:]
    var writers: [LaunchID: WriterContext] = [:]
    var places: [EventReference: Place] = [:]
    let log = try DiagnosedLog(
      inputs, rules: .catalogue, recovery: recovery,
      each: { member in
        guard case .event(let event) = member, case .record(_, let lane, let sequence, _) = event.reference,
          let launch = event.source.writer.launch
        else { return }
        let place = Place(launch: launch, lane: lane, sequence: sequence)
        let view = event.view
        var hasher = Hasher()
        hasher.combine(event.kind)
        hasher.combine(view.monotonic)
        hasher.combine(view.task?.uid)
        hasher.combine(view.session ?? view.task?.session)
        hasher.combine(view.handler)
        events[place] = hasher.finalize()
        places[event.reference] = place
        if writers[launch] == nil { writers[launch] = event.source.writer }
      })
    let document = ReplayDocument(
      diagnosis: log.diagnosis, inversions: log.inversions, inputs: log.accounts, exitCode: 0, incompleteness: log.incompleteness)
    verdict = document.verdict.rawValue
    reasons = log.incompleteness
    let wholeLogRules = Set(log.diagnosis.descriptions.lazy.filter(\.needsWholeLog).map(\.id))
    findings = log.diagnosis.findings.map { finding in
      Found(
        key: FindingKey(finding), certainty: finding.certainty, lowered: finding.lowered,
        evidence: finding.evidence.compactMap { places[$0.reference] },
        absent: finding.missing.map(\.event) + finding.assumedAbsent, restsOnAbsence: finding.restsOnAbsence,
        needsWholeLog: wholeLogRules.contains(finding.rule), launch: finding.launch)
    }
    (self.events, self.writers) = (events, writers)
    let problems = try LogVerifier(LogReader(inputs.logs), expectsOwnLogs: true).document.problems
    verifiesFlaw = !problems.isEmpty
    verifiesLoss = problems.contains(where: \.isLoss)
    do {
      _ = try inputs.source(recovery: .strict)
      isRefused = false
    } catch let error as CommandExit where error.status == .incomplete {
      isRefused = true
    }
  }

  /// The launches whose lanes decide about a finding, apart from its evidence: the writers of the events that it says are missing.
  func deciding(_ finding: Found) -> Set<LaunchID> {
    if finding.needsWholeLog { return Set(writers.keys) }
    guard finding.restsOnAbsence || !finding.absent.isEmpty else { return [] }
    let near = Set(finding.evidence.map(\.launch)).union(finding.launch.map { [$0] } ?? [])
    if finding.absent.isEmpty { return near }
    return finding.absent.reduce(into: []) { deciding, kind in
      let able = Set(writers.filter { kind.isWritten(by: $0.value.role ?? .app) }.keys)
      let nearest = able.intersection(near)
      deciding.formUnion(nearest.isEmpty ? able : nearest)
    }
  }
}

/// The identity of a finding in the replays of copies of a log.
struct FindingKey: Hashable, Sendable, CustomStringConvertible {
  let rule: String
  let subject: String
  var description: String { "\(rule) (\(subject))" }

  init(_ finding: Finding) {
    rule = finding.rule
    let parts = [finding.session, finding.wake.map { "wake \($0)" }, finding.launch.map { "launch \($0)" }]
    // A storm is about all tasks of an intent. If some of them are lost, the finding names another one.
    let isAboutOneTask = finding.rule != "retry-storm"
    subject = (isAboutOneTask ? finding.task : nil).map { "\($0.uid)" } ?? parts.compactMap { $0 }.joined(separator: ", ")
  }
}
