import XferEvents

/// The events of one successful download, as emitted by the engine and the app.
struct TaskHistory {
  private let task: TaskIdentity
  private let number: UInt64
  /// Whether the completion of this task is lost.
  private let isLost: Bool
  private var step = 0

  /// The number of progress events, at one per second of the download.
  static let progress = 24
  static let length = 24 + progress

  init(session: String, number: Int, isLost: Bool) {
    self.isLost = isLost
    self.number = UInt64(number)
    task = TaskIdentity(
      uid: TaskUID(high: 0x0123_4567_89ab_cdef ^ UInt64(session.utf8.reduce(0) { $0 &* 31 &+ Int($1) }), low: self.number),
      session: session, number: UInt32(number))
  }

  var isOver: Bool { step == Self.length || step == Self.loss && isLost }

  /// The step at which the completion is lost: after it was sent and after the other callbacks.
  private static let loss = 6 + progress + 13

  private static let size: Int64 = 25 << 20

  /// Emits the next event.
  mutating func advance(_ sink: some EventSink) {
    let (data, file, completion) = (DeliveryID(number * 4), DeliveryID(number * 4 + 1), DeliveryID(number * 4 + 2))
    let bodyEnd = 6 + Self.progress
    switch step {
    case 0:
      sink.emit(
        TaskCreated(
          task: task, type: .download, origin: .foreground, method: "GET", scheme: "http", host: "cdn.example.com", port: 80,
          path: "/files/of/some/depth/\(number).bin"))
    case 1: sink.emit(TaskResumed(task: task, by: .app))
    case 2: sink.emit(AttemptStarted(task: task, attempt: 1, scheme: "http", host: "cdn.example.com"))
    case 3: sink.emit(AttemptConnectionAcquired(task: task, attempt: 1, transaction: 1, reused: true))
    case 4: sink.emit(AttemptRequestSent(task: task, attempt: 1, transaction: 1, method: "GET"))
    case 5: sink.emit(AttemptResponseReceived(task: task, attempt: 1, transaction: 1, status: 200, expected: Self.size))
    case 6..<bodyEnd:
      let received = Self.size / Int64(Self.progress) * Int64(step - 5)
      sink.emit(AttemptBytesReceived(task: task, attempt: 1, received: received, expected: Self.size))
    case bodyEnd: sink.emit(AttemptEnded(task: task, attempt: 1, end: .finished, received: Self.size))
    case bodyEnd + 1: sink.emit(TaskTransferred(task: task, received: Self.size, sent: 0, status: 200))
    case bodyEnd + 2: sink.emit(DeliverySent(task: task, delivery: data, callback: .didFinishCollectingMetrics))
    case bodyEnd + 3: sink.emit(DeliverySent(task: task, delivery: file, callback: .didFinishDownloading))
    case bodyEnd + 4:
      sink.emit(FileOffered(task: task, delivery: file, inode: Int64(number), size: Self.size, exists: true))
    case bodyEnd + 5: sink.emit(DeliverySent(task: task, delivery: completion, callback: .didComplete))
    case bodyEnd + 6: sink.emit(DeliveryReceived(task: task, delivery: data, callback: .didFinishCollectingMetrics))
    case bodyEnd + 7: sink.emit(DeliveryEntered(task: task, delivery: data, callback: .didFinishCollectingMetrics))
    case bodyEnd + 8: sink.emit(DeliveryLeft(task: task, delivery: data, callback: .didFinishCollectingMetrics))
    case bodyEnd + 9: sink.emit(DeliveryReceived(task: task, delivery: file, callback: .didFinishDownloading))
    case bodyEnd + 10: sink.emit(DeliveryEntered(task: task, delivery: file, callback: .didFinishDownloading))
    case bodyEnd + 11: sink.emit(FileClaimed(task: task, delivery: file, operation: .move, inCallback: true, size: Self.size))
    case bodyEnd + 12: sink.emit(DeliveryLeft(task: task, delivery: file, callback: .didFinishDownloading))
    case bodyEnd + 13: sink.emit(DeliveryReceived(task: task, delivery: completion, callback: .didComplete))
    case bodyEnd + 14: sink.emit(DeliveryEntered(task: task, delivery: completion, callback: .didComplete))
    case bodyEnd + 15: sink.emit(DeliveryLeft(task: task, delivery: completion, callback: .didComplete))
    case bodyEnd + 16: sink.emit(TaskCompleted(task: task, delivery: completion, received: Self.size, status: 200))
    default: sink.emit(TaskAcknowledged(task: task, delivery: completion))
    }
    step += 1
  }
}
