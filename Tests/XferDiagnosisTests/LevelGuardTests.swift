import Testing
import XferEvents
import XferLifecycle
import XferReplay

@testable import XferDiagnosis

/// What a log's levels left out proves nothing by its absence.
struct LevelGuardTests {
  /// A task that was resumed should have said so in a debug message, within three seconds.
  private struct SilentTask: TaskRule {
    static let description = RuleDescription(
      id: "silent-task", severity: .warning, summary: "", explanation: "", remedy: "", sources: [], reports: [], staysSilent: [])
    static let watches: Set<EventKind> = [.taskResumed]

    func verdict(on task: TaskLifecycle, in world: World, asked: Occasion) -> Verdict? {
      guard let resumed = task.resumed else { return nil }
      let process = world.process(of: task)
      guard let proof = asked.proofOfAbsence(since: resumed, within: .seconds(3), by: process) else {
        return .wait(.seconds(3), after: resumed)
      }
      let due = resumed.monotonic.map { Moment(monotonic: $0 + 3_000_000_000) }
      return .finding(
        Draft(
          summary: "", claim: .absence(since: resumed, shownBy: proof), evidence: resumed,
          missing: [.init(.messageDebug, dueBy: due)]))
    }
  }

  /// What becomes of a task that is resumed at ten seconds, under levels that the log tells.
  private func diagnose(_ levels: [(seconds: Int, text: String)], opened: String = "default") -> Diagnosis {
    var steps: [RuleExample.Step] = [.at(0, LogOpened(levels: opened))]
    steps.append(.at(1, TaskCreated(task: .example, type: .data)))
    steps.append(.at(10, TaskResumed(task: .example)))
    for (seconds, text) in levels { steps.append(.at(.seconds(seconds), LogLevelsChanged(levels: text))) }
    steps.append(.at(20, LogHeartbeatWritten()))
    var diagnosis = Diagnosis(rules: [SilentTask()])
    for member in RuleExample("", steps: steps.sorted { $0.offset < $1.offset }).members() { diagnosis.apply(member) }
    diagnosis.finish()
    return diagnosis
  }

  @Test(
    arguments: [
      ("debug", [], true), ("default", [], false),
      // Lowered in time, too late, and only for others.
      ("default", [(5, "debug")], true), ("default", [(5, "default,*=debug")], true), ("default", [(15, "debug")], false),
      ("default", [(5, "default,com.example=debug")], false),
      // Raised before, meanwhile, and when it no longer matters.
      ("debug", [(5, "default")], false), ("debug", [(10, "default")], false), ("debug", [(12, "default")], false),
      ("debug", [(14, "default")], true),
      ("debug", [(5, "default"), (8, "debug")], true), ("debug", [(14, "default"), (15, "debug")], true),
      ("debug", [(5, "debug,com.example=default")], false),
      // What cannot be read is no proof of anything.
      ("debug", [(5, "debug,com.exa…")], false), ("a level of the future", [], false),
    ] as [(String, [(Int, String)], Bool)])
  func `An absence counts only where the event would have been written all the time`(
    opened: String, changes: [(Int, String)], counts: Bool
  ) {
    let diagnosis = diagnose(changes.map { (seconds: $0.0, text: $0.1) }, opened: opened)
    #expect(diagnosis.findings.count == (counts ? 1 : 0))
    let undecided = diagnosis.undecided.keys.map(\.needs)
    #expect(undecided.count == (counts ? 0 : 1))
    #expect(undecided.allSatisfy { $0.hasPrefix("level of message.debug: the log's levels were ") })
  }

  @Test func `Every diagnostic event counts as a detail that a level may leave out, and no other event does`() {
    for kind in EventKind.allCases {
      #expect((DetailTrail.Detail(kind) != nil) == (kind.importance == .diagnostic), "\(kind.name)")
    }
  }
}
