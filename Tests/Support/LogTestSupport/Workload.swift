package import XferEvents

/// Events that contain their thread and their number in the thread, so that a reader can detect missing, duplicated and wrong
/// events without a record of what was written.
package enum Workload {
  /// A privacy policy that stores the workload's texts unmasked, so that every byte can be compared.
  package static let policy = PrivacyPolicy(declaredPublic: [.path, .message], key: (1, 2))

  package static func task(_ thread: Int) -> TaskIdentity {
    let uid = TaskUID(high: 0xABCD, low: UInt64(thread + 1) &* 0x9e37_79b9_7f4a_7c15)
    return TaskIdentity(uid: uid, session: "session \(thread % 3)", number: UInt32(thread))
  }

  private static func text(_ number: Int) -> String { String(repeating: "日本 \(number) ", count: number % 9) }

  package static func emit(_ thread: Int, _ number: Int, task: TaskIdentity, to sink: some EventSink) {
    switch number & 3 {
    case 0: sink.emit(AttemptBytesReceived(task: task, attempt: 1, received: Int64(number), expected: Int64(number) * 3))
    case 1:
      sink.emit(
        AttemptRedirectReceived(
          task: task, attempt: 1, transaction: number, status: 302, host: "host-\(number % 301)", path: text(number)))
    case 2:
      sink.emit(
        DeliveryEntered(
          task: task, delivery: DeliveryID(UInt64(number)), callback: .didReceiveData, queue: "queue \(number % 7)",
          onMainThread: number & 4 == 0))
    default: sink.emit(AppNoted(task: task, intent: String(number), message: text(number)))
    }
  }

  private static func largeText(_ number: Int) -> String { String(repeating: "كبير \(number) ", count: 4000) }

  /// Emits an event that is too large for a chunk, in place of the event with the given number.
  package static func emitLarge(_ number: Int, task: TaskIdentity, to sink: some EventSink) {
    sink.emit(AppNoted(task: task, intent: String(number), message: largeText(number)))
  }

  /// Emits the events of a range of numbers, in order.
  package static func emit(_ thread: Int, numbers: Range<Int>, to sink: some EventSink) {
    let task = task(thread)
    for number in numbers { emit(thread, number, task: task, to: sink) }
  }

  /// Returns the thread and number of a workload event, or `nil` for events that the log writes itself.
  package static func place(of event: RecordedEvent) -> (thread: Int, number: Int)? {
    guard let kind = event.kind, let task = event.task else { return nil }
    let number: Int? =
      switch kind {
      case .attemptBytesReceived: event.received.map(Int.init)
      case .attemptRedirectReceived: event.transaction
      case .deliveryEntered: event.delivery.flatMap { Int(exactly: $0.rawValue) }
      case .appNoted: if case .plain(let text)? = event.intent { Int(text) } else { nil }
      default: nil
      }
    return number.map { (Int(task.number), $0) }
  }

  /// Returns whether a workload event has exactly the written contents.
  package static func isWhole(_ event: RecordedEvent) -> Bool {
    guard let (thread, number) = place(of: event), event.task == task(thread) else { return false }
    switch event.kind {
    case .attemptBytesReceived: return event.attempt == 1 && event.expected == Int64(number) * 3 && event.values.count == 4
    case .attemptRedirectReceived:
      return event.attempt == 1 && event.status == 302 && event.host == "host-\(number % 301)"
        && event.path == .plain(text(number)) && event.values.count == 6
    case .deliveryEntered:
      return event.callback == .didReceiveData && event.queue == "queue \(number % 7)"
        && event.onMainThread == (number & 4 == 0) && event.values.count == 5
    case .appNoted:
      return event.values.count == 3
        && (event.message == .plain(text(number)) || event.message == .plain(largeText(number)))
    default: return false
    }
  }
}

extension EventSink {
  /// Emits a single event of the workload.
  package func emit(thread: Int, number: Int) { Workload.emit(thread, numbers: number..<number + 1, to: self) }
}
