import Testing
import XferEvents
import XferLifecycle
import XferReplay

@testable import XferDiagnosis

/// Tests that the absence of an event proves nothing if the log's levels excluded it.
struct LevelGuardTests {
  /// A rule that expects a debug message within three seconds after the task's resume.
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

  /// Diagnoses a task that is resumed at ten seconds, with changes of the log's levels.
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
      // The level is lowered in time, too late, and only for another subsystem.
      ("default", [(5, "debug")], true), ("default", [(5, "default,*=debug")], true), ("default", [(15, "debug")], false),
      ("default", [(5, "default,com.example=debug")], false),
      // The level is raised before the resume, during the time limit, and after it.
      ("debug", [(5, "default")], false), ("debug", [(10, "default")], false), ("debug", [(12, "default")], false),
      ("debug", [(14, "default")], true),
      ("debug", [(5, "default"), (8, "debug")], true), ("debug", [(14, "default"), (15, "debug")], true),
      ("debug", [(5, "debug,com.example=default")], false),
      // Unreadable levels prove nothing.
      ("debug", [(5, "debug,com.exa…")], false), ("a level of the future", [], false),
    ] as [(String, [(Int, String)], Bool)])
  func `An absence counts only if the event's level was enabled for the whole time`(
    opened: String, changes: [(Int, String)], counts: Bool
  ) {
    let diagnosis = diagnose(changes.map { (seconds: $0.0, text: $0.1) }, opened: opened)
    #expect(diagnosis.findings.count == (counts ? 1 : 0))
    let undecided = diagnosis.undecided.keys.map(\.needs)
    #expect(undecided.count == (counts ? 0 : 1))
    #expect(undecided.allSatisfy { $0.hasPrefix("level of message.debug: the log's levels were ") })
  }

  @Test func `Levels exclude exactly the diagnostic events`() {
    for kind in EventKind.allCases {
      #expect((DetailTrail.Detail(kind) != nil) == (kind.importance == .diagnostic), "\(kind.name)")
    }
  }
}
