import XferEvents

/// The three events that emission is measured with: progress, a callback, and a redirect with a public host and a
/// private path.
struct BenchmarkMix: Sendable {
  let tasks: [TaskIdentity]
  let host = "cdn.example."
  let path = "/files/objects/abc/12345"

  init() {
    tasks = (0..<16).map { number in
      let uid = TaskUID(high: UInt64(number), low: UInt64(number) &* 0x9e37_79b9_7f4a_7c15)
      return TaskIdentity(uid: uid, session: "default-1", number: UInt32(number + 1))
    }
  }

  /// Emits `count` events in turn.
  @inline(never)
  func emit(_ count: Int, to sink: some EventSink) {
    for step in 0..<count / 3 {
      let task = tasks[step & 15]
      sink.emit(AttemptBytesReceived(task: task, attempt: 1, received: Int64(step), expected: 1 << 20))
      sink.emit(
        DeliveryEntered(
          task: task, delivery: DeliveryID(UInt64(step)), callback: .didComplete, queue: "delegate", onMainThread: false))
      sink.emit(AttemptRedirectReceived(task: task, attempt: 1, transaction: 1, status: 302, host: host, path: path))
    }
  }
}
