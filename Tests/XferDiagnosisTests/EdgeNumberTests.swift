import Testing
import XferEvents
import XferReplay

@testable import XferDiagnosis

/// Tests that extreme numbers in a log do not overflow.
struct EdgeNumberTests {
  private static let task = TaskIdentity(uid: TaskUID(high: 1, low: 2), session: "edge", number: 1)

  private static let story: [any TransferEvent] = [
    ProcessStarted(), TaskCreated(task: task, type: .download), TaskResumed(task: task), ProcessStateChanged(state: .suspended),
    WakeDeadlineSet(session: "edge", handler: HandlerID(1), budget: Duration.nanoseconds(Int64.max)),
    WakeDelivered(session: "edge", handler: HandlerID(1)), TaskTransferred(task: task, received: .max, status: 200),
    ProcessStateChanged(state: .resumed), LogHeartbeatWritten(liveTasks: .min), TaskCompleted(task: task, received: .min),
    LogHeartbeatWritten(),
  ]

  @Test(arguments: [[.min + 1, .max], [.max - 1, .max], [.max, .max], [.max, .min + 1], [0, .max]] as [[Int64]])
  func `Clocks that jump between extreme values do not trap`(moments: [Int64]) {
    let archive = EventArchive(name: "edge", writer: WriterContext(launch: LaunchID(high: 0, low: 1), pid: 1))
    var diagnosis = Diagnosis(endedLimit: 0)
    for (step, event) in Self.story.enumerated() {
      let time = moments[step % 2]
      let moment = Moment(monotonic: time, boottime: time, wall: WallTime(nanoseconds: time))
      diagnosis.apply(.event(archive.record(event, at: moment)))
    }
    diagnosis.finish()
    #expect(diagnosis.replay.counts.events == Self.story.count)
  }

  @Test func `Counts of dropped events are summed up to the largest number, and a negative count is ignored`() {
    let archive = EventArchive(name: "edge", writer: WriterContext(launch: LaunchID(high: 0, low: 1)))
    var diagnosis = Diagnosis()
    for count in [3, -5, .max, .max] as [Int64] {
      diagnosis.apply(.event(archive.record(LogDropped(family: "task", count: count), at: Moment())))
    }
    #expect(diagnosis.world.drops == ["task": .max])
    #expect(diagnosis.replay.counts.sources.first?.dropped == .max)
  }
}
