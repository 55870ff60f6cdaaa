import Testing
import XferEvents
import XferLifecycle
import XferReplay

@testable import XferDiagnosis

/// Tests of tasks whose transfer another task carries or continues.
struct SharedWorkTests {
  private static func diagnose(_ events: [any TransferEvent]) -> Diagnosis {
    let steps =
      [.at(0, ProcessStarted(executable: "app"))] + events.map { RuleExample.Step.at(0.001, $0) }
    var diagnosis = Diagnosis()
    for member in RuleExample("", steps: steps + [.at(600, LogClosed(dropped: 0))]).members() {
      diagnosis.apply(member)
    }
    diagnosis.finish()
    return diagnosis
  }

  private static func task(_ identity: TaskIdentity, _ events: [any TransferEvent]) -> TaskLifecycle {
    var (replay, last) = (Replay(), nil as TaskLifecycle?)
    for member in RuleExample("", steps: events.map { RuleExample.Step.at(0, $0) }).members() {
      _ = replay.apply(member)
    }
    for index in replay.world.tasks.indexes where replay.world.tasks[index].identity == identity {
      last = replay.world.tasks[index]
    }
    return last!
  }

  private static let becoming: [any TransferEvent] = [
    TaskCreated(task: .example(1), type: .data), TaskResumed(task: .example(1)), AttemptStarted(task: .example(1), attempt: 1),
    AttemptEnded(task: .example(1), attempt: 1, end: .handedOff), TaskHandedOff(task: .example(1), successor: .example(2)),
    TaskCreated(task: .example(2), type: .download), TaskResumed(task: .example(2), by: .engine),
    AttemptStarted(task: .example(2), attempt: 1), AttemptResponseReceived(task: .example(2), attempt: 1, status: 200),
    AttemptBytesReceived(task: .example(2), attempt: 1, received: 5),
  ]

  @Test func `A data task that became a download has ended, and its completion is not reported as lost`() {
    let task = Self.task(.example(1), Self.becoming)
    #expect(task.state == .completed && task.result == .succeeded && !task.isLive && task.unexpected.isEmpty)
    let download = Self.task(.example(2), Self.becoming)
    #expect(download.state == .running && download.result == .open && download.unexpected.isEmpty)
    #expect(Self.diagnose(Self.becoming).findings.allSatisfy { $0.task != .example(1) })
  }

  private static let shared: [any TransferEvent] = [
    TaskCreated(task: .example(1), type: .data), TaskResumed(task: .example(1)),
    TaskCoalesced(task: .example(1), carrier: .example(2)),
  ]

  @Test func `A task that shares another task's transfer runs without its own attempt`() {
    let task = Self.task(.example(1), Self.shared)
    #expect(task.state == .running && task.result == .open && task.unexpected.isEmpty)
    let over = Self.task(
      .example(1), Self.shared + [TaskTransferred(task: .example(1), status: 200), TaskCompleted(task: .example(1), status: 200)])
    #expect(over.result == .succeeded && over.bytesReceived == nil && over.unexpected.isEmpty)
  }
}
