import Testing
import XferEvents

@testable import XferDiagnosis

/// Tests that time limits are measured by the boot-time clock, which cannot be set.
struct ClockTests {
  private static let task = TaskIdentity(uid: TaskUID(high: 1, low: 2), session: "clock", number: 1)

  /// Diagnoses a task that times out after a number of seconds on each clock. `nil` means that the log lacks the clock.
  private static func diagnose(boottime: Int64?, wall: Int64) -> Diagnosis {
    let archive = EventArchive(name: "clock", writer: WriterContext(launch: LaunchID(high: 0, low: 1), pid: 1))
    let events: [any TransferEvent] = [
      TaskCreated(task: task, type: .data, resourceTimeout: .seconds(3600)), TaskResumed(task: task),
      TaskCompleted(task: task, delivery: DeliveryID(1), domain: .url, error: -1001),
    ]
    var diagnosis = Diagnosis()
    for (place, event) in events.enumerated() {
      let isEnd = place == events.count - 1
      let moment = Moment(
        monotonic: boottime == nil ? nil : Int64(place), boottime: boottime.map { isEnd ? $0 * 1_000_000_000 : Int64(place) },
        wall: WallTime(nanoseconds: isEnd ? wall * 1_000_000_000 : Int64(place)))
      diagnosis.apply(.event(archive.record(event, at: moment)))
    }
    diagnosis.finish()
    return diagnosis
  }

  @Test func `Setting the wall clock forward does not make the resource timeout expire`() {
    #expect(Self.diagnose(boottime: 60, wall: 90_000).findings.isEmpty)
  }

  @Test func `The resource timeout expires by the boot-time clock, whatever the wall clock says`() {
    #expect(Self.diagnose(boottime: 3601, wall: 60).findings.map(\.rule) == ["resource-timeout"])
  }

  @Test func `Without the boot-time clock, the resource timeout is undecidable`() {
    let diagnosis = Self.diagnose(boottime: nil, wall: 90_000)
    #expect(diagnosis.findings.isEmpty)
    #expect(diagnosis.undecided.keys.contains(.init(rule: "resource-timeout", needs: "boottime of task.completed")))
  }
}
