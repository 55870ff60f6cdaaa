import XferEvents
import XferLogStore
import XferTesting

/// A transfer whose events a test writes by itself.
struct RecordedTransfer {
  let task: TaskIdentity
  private let log: TransferLog

  init(_ number: UInt32 = 1, in log: TransferLog) {
    self.log = log
    task = TaskIdentity(uid: TaskUID(high: 0x7E57, low: UInt64(number)), session: "maps", number: number)
  }

  /// Writes the events up to the last byte.
  func transfer() {
    log.events.emit(TaskCreated(task: task, type: .data, method: "GET", host: "tiles.example"))
    log.events.emit(TaskResumed(task: task))
    log.events.emit(AttemptStarted(task: task, attempt: 1))
    log.events.emit(AttemptEnded(task: task, attempt: 1, end: .finished, received: 10))
    log.events.emit(TaskTransferred(task: task, received: 10, status: 200))
  }

  /// Writes the events of the completion.
  func complete() {
    let delivery = DeliveryID(UInt64(task.number))
    log.events.emit(DeliverySent(task: task, delivery: delivery, callback: .didComplete))
    log.events.emit(DeliveryReceived(task: task, delivery: delivery, callback: .didComplete))
    log.events.emit(DeliveryEntered(task: task, delivery: delivery, callback: .didComplete))
    log.events.emit(DeliveryLeft(task: task, delivery: delivery, callback: .didComplete))
    log.events.emit(TaskCompleted(task: task, delivery: delivery, received: 10, status: 200))
  }
}
