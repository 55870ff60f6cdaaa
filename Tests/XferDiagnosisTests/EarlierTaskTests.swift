import Testing
import XferEvents
import XferLifecycle
import XferReplay

@testable import XferDiagnosis

/// Tests of the limited memory of earlier tasks, by which a later task is related to them.
struct EarlierTaskTests {
  private static func task(_ number: Int) -> TaskIdentity {
    TaskIdentity(uid: TaskUID(high: 3, low: UInt64(number)), session: "s", number: UInt32(number))
  }

  /// Diagnoses events one millisecond apart. Ended tasks are closed at once.
  private static func diagnose(_ events: [any TransferEvent]) -> Diagnosis {
    let archive = EventArchive(name: "log", writer: WriterContext(launch: LaunchID(high: 0, low: 1), pid: 1))
    var diagnosis = Diagnosis(endedLimit: 0)
    for (place, event) in events.enumerated() {
      let time = Int64(place) * 1_000_000
      diagnosis.apply(
        .event(archive.record(event, at: Moment(monotonic: time, boottime: time, wall: WallTime(nanoseconds: time)))))
    }
    diagnosis.finish()
    return diagnosis
  }

  private static func cancelled(_ number: Int, data: Bool) -> [any TransferEvent] {
    let task = task(number)
    return [
      TaskCreated(task: task, type: .download, resource: ValueDigest(UInt64(number))), TaskResumed(task: task),
      TaskCompleted(
        task: task, delivery: DeliveryID(UInt64(number)), domain: .url, error: -999,
        resumeData: data ? ValueDigest(1) : nil), TaskAcknowledged(task: task),
    ]
  }

  private static func again(_ number: Int, for resource: Int) -> [any TransferEvent] {
    let task = task(number)
    return [
      TaskCreated(task: task, type: .download, resource: ValueDigest(UInt64(resource))), TaskResumed(task: task),
      TaskCompleted(task: task, delivery: DeliveryID(UInt64(number)), received: 1, status: 200), TaskAcknowledged(task: task),
    ]
  }

  @Test func `Resume data is remembered after its task is closed, and the oldest is dropped at the limit`() {
    let left = (1...4100).flatMap { Self.cancelled($0, data: true) }
    let diagnosis = Self.diagnose(left + Self.again(9001, for: 1) + Self.again(9002, for: 4100))
    #expect(diagnosis.findings.map(\.task?.number) == [9002])
    #expect(diagnosis.world.tasks.count == 1, "only the task with a finding stays")
  }

  @Test func `Resume data relates tasks whose resource digests differ, and the oldest is dropped at the limit`() {
    func begun(_ number: Int) -> [any TransferEvent] {
      let task = Self.task(number)
      return [
        TaskCreated(task: task, type: .download, resource: ValueDigest(UInt64(number))), TaskResumed(task: task),
        AttemptStarted(task: task, attempt: 1),
        AttemptResponseReceived(task: task, attempt: 1, status: 200, expected: 9, etag: "\"a\""),
        TaskCompleted(
          task: task, delivery: DeliveryID(UInt64(number)), domain: .url, error: -999,
          resumeData: ValueDigest(UInt64(10_000 + number))),
        TaskAcknowledged(task: task),
      ]
    }
    func goesOn(_ number: Int, from earlier: Int) -> [any TransferEvent] {
      let task = Self.task(number)
      return [
        TaskCreated(
          task: task, type: .download, resource: ValueDigest(UInt64(20_000 + number)),
          resumeData: ValueDigest(UInt64(10_000 + earlier))),
        TaskResumed(task: task), AttemptStarted(task: task, attempt: 1, offset: 4),
        AttemptResponseReceived(task: task, attempt: 1, status: 200, expected: 9, etag: "\"b\""),
        AttemptEnded(task: task, attempt: 1, end: .finished, received: 9),
        TaskCompleted(task: task, delivery: DeliveryID(UInt64(number)), received: 9, status: 200), TaskAcknowledged(task: task),
      ]
    }
    let left = (1...4100).flatMap(begun)
    let diagnosis = Self.diagnose(left + goesOn(9001, from: 1) + goesOn(9002, from: 4100))
    #expect(diagnosis.findings.map(\.rule) == ["resume-restarted", "resume-restarted"])
    // Findings are sorted by evidence, which includes the first task's response where it is remembered.
    #expect(diagnosis.findings.map(\.task?.number) == [9002, 9001])
    #expect(diagnosis.findings.map(\.variant) == ["entity tag", "range ignored"])
  }

  @Test func `Discarded resume data is reported for the next task only`() {
    let diagnosis = Self.diagnose(Self.cancelled(1, data: true) + Self.again(2, for: 1) + Self.again(3, for: 1))
    #expect(diagnosis.findings.map(\.rule) == ["resume-data-discarded"])
    #expect(diagnosis.findings.map(\.task?.number) == [2])
  }

  @Test func `A retry storm is reported once, and reported again if it resumes after a success`() {
    func failed(_ number: Int) -> [any TransferEvent] {
      let task = Self.task(number)
      return [
        TaskCreated(task: task, type: .data), AppIntentDeclared(intent: "avatar", task: task), TaskResumed(task: task),
        TaskCompleted(task: task, delivery: DeliveryID(UInt64(number)), domain: .url, error: -1004), TaskAcknowledged(task: task),
      ]
    }
    let success: [any TransferEvent] = [
      TaskCreated(task: Self.task(50), type: .data, intent: "avatar"), TaskResumed(task: Self.task(50)),
      TaskCompleted(task: Self.task(50), delivery: DeliveryID(50), received: 1, status: 200),
      TaskAcknowledged(task: Self.task(50)),
    ]
    let storm = (1...12).flatMap(failed)
    #expect(Self.diagnose(storm).findings.map(\.task?.number) == [6])
    let two = Self.diagnose(storm + success + (61...70).flatMap(failed))
    #expect(two.findings.map(\.rule) == ["retry-storm", "retry-storm"])
    #expect(two.findings.map(\.task?.number) == [6, 66])
  }
}
