import LogTestSupport
import XferEvents
import XferLogStore

/// A log with everything that `tail` shows in a special way: tasks in several states, bursts of progress, silences, errors and a finding. Its
/// process still runs.
enum ShownLog {
  static func write(in directory: TemporaryDirectory, name: String = "run.xlog") throws -> String {
    let log = try RecordedLog(in: directory, name: name)
    let (one, two) = (RecordedLog.task, RecordedLog.other)
    let third = TaskIdentity(uid: TaskUID(high: 3, low: 4), session: "img", number: 8)
    log.emit(
      at: 100, SessionCreated(session: "img", instance: CorrelationID(9), sessionKind: .default, requestTimeout: .seconds(20)))
    for (place, task) in [one, two, third].enumerated() {
      log.emit(
        at: Int64(110 + place),
        TaskCreated(
          task: task, type: .download, origin: .foreground, completion: .delegate, method: "GET", scheme: "https",
          host: "cdn.example.com", path: "/files/o/31337/a file.bin", discretionary: task == one))
      log.emit(at: Int64(120 + place), TaskResumed(task: task, by: .app))
    }
    log.emit(at: 130, TaskHeld(task: third, hold: .hostSlots, host: "cdn.example.com", slotsUsed: 6, slots: 6))
    for task in [one, two] {
      log.emit(at: 140, AttemptStarted(task: task, attempt: 1, host: "cdn.example.com"))
      log.emit(
        at: 150,
        AttemptResponseReceived(
          task: task, attempt: 1, status: 200, expected: 34_812_723, contentType: "image/png", etag: "\"a 1\""))
    }
    for step in 1...6 {
      let task = step % 2 == 0 ? two : one
      log.emit(
        at: Int64(150 + step * 200),
        AttemptBytesReceived(task: task, attempt: 1, received: Int64(step) * 1_000_000, expected: 34_812_723))
    }
    log.emit(
      at: 1500,
      AttemptEnded(
        task: two, attempt: 1, end: .transport, domain: .curl, error: 56, errorName: "receiveFailed", received: 6_000_000))
    log.emit(at: 31_500, AttemptBytesReceived(task: one, attempt: 1, received: 6_000_000, expected: 34_812_723))
    let delivery = DeliveryID(5)
    log.emit(at: 31_590, DeliverySent(task: two, delivery: delivery, callback: .didComplete))
    log.emit(at: 31_591, DeliveryReceived(task: two, delivery: delivery, callback: .didComplete))
    log.emit(at: 31_592, DeliveryEntered(task: two, delivery: delivery, callback: .didComplete))
    log.emit(
      at: 31_600,
      TaskCompleted(
        task: two, delivery: delivery, domain: .curl, error: 56, errorName: "receiveFailed", message: "connection reset"))
    log.emit(at: 31_601, DeliveryLeft(task: two, delivery: delivery, callback: .didComplete))
    log.emit(at: 31_700, AttemptEnded(task: one, attempt: 1, end: .finished, received: 34_812_723))
    log.emit(at: 31_701, TaskTransferred(task: one, received: 34_812_723, sent: 0, status: 200))
    // The completion is never delivered.
    log.emit(at: 121_701, LogHeartbeatWritten(liveTasks: 2))
    // The writer is never released, because it would close the log.
    _ = Unmanaged.passRetained(log)
    return log.path
  }
}
