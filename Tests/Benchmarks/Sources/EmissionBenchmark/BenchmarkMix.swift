import XferEvents
import XferLogStore

/// The xferlog contender of the emission benchmark, which emits three events: progress, a callback, and a redirect with a
/// public host and a private path.
struct BenchmarkMix: MixSink, Sendable {
  private let log: EventLog
  private let tasks: [TaskIdentity]
  private let host = "cdn.example."
  private let path = "/files/objects/abc/12345"

  init(log: EventLog) {
    self.log = log
    tasks = (0..<16).map { number in
      let uid = TaskUID(high: UInt64(number), low: UInt64(number) &* 0x9e37_79b9_7f4a_7c15)
      return TaskIdentity(uid: uid, session: "default-1", number: UInt32(number + 1))
    }
  }

  @inline(__always)
  func received(_ step: Int) {
    log.emit(AttemptBytesReceived(task: tasks[step & 15], attempt: 1, received: Int64(step), expected: 1 << 20))
  }

  @inline(__always)
  func entered(_ step: Int) {
    log.emit(
      DeliveryEntered(
        task: tasks[step & 15], delivery: DeliveryID(UInt64(step)), callback: .didComplete, queue: "delegate",
        onMainThread: false))
  }

  @inline(__always)
  func redirected(_ step: Int) {
    log.emit(
      AttemptRedirectReceived(task: tasks[step & 15], attempt: 1, transaction: 1, status: 302, host: host, path: path))
  }
}
