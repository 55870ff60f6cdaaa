import LogTestSupport
import Testing
import XferEvents
import XferLifecycle
import XferReplay

@testable import XferDiagnosis

/// Tests that the findings do not depend on when ended tasks are removed from the world.
struct ClosedTaskTests {
  /// Returns downloads that end in several ways, randomly interleaved. Each task's events are in order.
  private static func history(seed: UInt64) -> [LogMember] {
    var random = SeededRandom(seed: seed)
    var waiting = (1...60).map { Self.steps(number: UInt32($0), fate: Int.random(in: 0..<6, using: &random)) }
    var steps: [RuleExample.Step] = []
    var time: Duration = .zero
    while let place = waiting.indices.prefix(5).randomElement(using: &random) {
      time += .milliseconds(Int.random(in: 1...400, using: &random))
      let event = waiting[place].removeFirst()
      steps.append(step(event, at: time))
      if waiting[place].isEmpty { waiting.remove(at: place) }
    }
    steps.append(.at(time + .seconds(200), LogHeartbeatWritten()))
    return RuleExample("", steps: steps).members()
  }

  private static func step(_ event: some TransferEvent, at time: Duration) -> RuleExample.Step { .at(time, event) }

  private static func steps(number: UInt32, fate: Int) -> [any TransferEvent] {
    let task = TaskIdentity(uid: TaskUID(high: 7, low: UInt64(number)), session: "default-1", number: number)
    let (file, done) = (DeliveryID(UInt64(number) * 2), DeliveryID(UInt64(number) * 2 + 1))
    let status = fate == 1 ? 404 : 200
    var events: [any TransferEvent] = [
      TaskCreated(task: task, type: .download), TaskResumed(task: task, by: .app), AttemptStarted(task: task, attempt: 1),
      AttemptResponseReceived(task: task, attempt: 1, status: status, expected: 10),
      AttemptEnded(task: task, attempt: 1, end: .finished, received: fate == 2 ? 9 : 10),
      TaskTransferred(task: task, received: 10, status: status),
      DeliverySent(task: task, delivery: file, callback: .didFinishDownloading),
      FileOffered(task: task, delivery: file, inode: 9, size: 10, exists: true),
      DeliveryReceived(task: task, delivery: file, callback: .didFinishDownloading),
      DeliveryEntered(task: task, delivery: file, callback: .didFinishDownloading),
    ]
    if fate != 3 { events.append(FileClaimed(task: task, delivery: file, operation: .move, inCallback: true)) }
    events.append(DeliveryLeft(task: task, delivery: file, callback: .didFinishDownloading))
    if fate == 3 { events.append(FileReaped(task: task, inode: 9, size: 10)) }
    events.append(DeliverySent(task: task, delivery: done, callback: .didComplete))
    // The completion's callback is never called.
    if fate == 4 { return events }
    events += [
      DeliveryReceived(task: task, delivery: done, callback: .didComplete),
      DeliveryEntered(task: task, delivery: done, callback: .didComplete),
      DeliveryLeft(task: task, delivery: done, callback: .didComplete),
      TaskCompleted(task: task, delivery: done, received: 10, status: status), TaskAcknowledged(task: task, delivery: done),
    ]
    // The app may record its outcome long after the task was acknowledged.
    if fate == 1 || fate == 5 { events.append(AppOutcomeRecorded(task: task, outcome: .success)) }
    return events
  }

  @Test(arguments: seeds(40, campaign: 4000))
  func `The findings do not depend on when a task is closed`(seed: UInt64) {
    let members = Self.history(seed: seed)
    var results: [(findings: [Finding], tallies: [Diagnosis.Tally], tasks: Set<TaskUID>, late: Int)] = []
    for limit in [Int.max, 8, 0] {
      var ended: [TaskUID] = []
      var diagnosis = Diagnosis(endedLimit: limit) { task, _ in ended.append(task.identity.uid) }
      for member in members { diagnosis.apply(member) }
      if limit == 0 { #expect(diagnosis.world.tasks.count < 60, "seed \(seed): tasks are closed before the end of the log") }
      diagnosis.finish()
      #expect(Set(ended).count == ended.count, "seed \(seed): each task ends once")
      results.append((diagnosis.findings, diagnosis.tallies, Set(ended), diagnosis.replay.counts.late))
    }
    #expect(results[0].tasks.count == 60 && results[0].late == 0)
    #expect(!results[0].findings.isEmpty, "seed \(seed): the history has findings")
    for result in results.dropFirst() {
      #expect(result.findings == results[0].findings, "seed \(seed)")
      #expect(result.tallies == results[0].tallies, "seed \(seed)")
      #expect(result.tasks == results[0].tasks, "seed \(seed)")
    }
  }
}
