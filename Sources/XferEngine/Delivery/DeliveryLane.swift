internal import Synchronization
internal import XferEvents

/// One queued callback to the app's code.
struct Delivery: Sendable {
  let id: DeliveryID
  /// The kind of callback. `nil` if the log has no delivery events for the callback, such as the answer to an app's query.
  let callback: Callback?
  /// The task. `nil` for a callback about the session.
  let task: TaskIdentity?
  /// Whether the daemon sent the delivery and logged the sending.
  var isFromDaemon = false
  /// A closure that is called right before the callback is logged as entered.
  var entering: @Sendable () -> Void = {}
  /// A closure that calls the app's code.
  let call: @Sendable () -> Void
  /// A closure that is called after the app's code has returned.
  var after: @Sendable () -> Void = {}

  /// The kind of callback for the log. `nil` for frequent callbacks, which get an identifier but no event: gaps in the
  /// identifiers show their number.
  var loggedCallback: Callback? {
    switch callback {
    case .didReceiveData, .didWriteData, .didSendBodyData: nil
    default: callback
    }
  }
}

/// A serial queue that delivers callbacks to the app in order, one at a time, and logs each step.
final class DeliveryLane: Sendable {
  private struct Queue {
    var waiting: [Delivery] = []
    var isDraining = false
    var isHeld = false
  }

  let executor: any DelegateExecutor
  private let session: String
  private let sink: any EventSink
  /// The last identifier: the session's random prefix in the upper 32 bits, a counter in the lower 32 bits.
  private let nextID: Atomic<UInt64>
  private let queue = Mutex(Queue())

  /// The maximum number of callbacks per executor block, so that other work on the same queue is not delayed.
  private static let batch = 64

  init(executor: any DelegateExecutor, session: String, sink: any EventSink, prefix: UInt32) {
    self.executor = executor
    self.session = session
    self.sink = sink
    nextID = Atomic(UInt64(prefix) << 32)
  }

  func makeID() -> DeliveryID { DeliveryID(nextID.add(1, ordering: .relaxed).newValue) }

  func send(_ delivery: Delivery) {
    if let callback = delivery.loggedCallback, delivery.isFromDaemon {
      sink.emit(DeliveryReceived(task: delivery.task, delivery: delivery.id, callback: callback))
    } else if let callback = delivery.loggedCallback {
      let session = delivery.task == nil ? session : nil
      sink.emit(DeliverySent(task: delivery.task, session: session, delivery: delivery.id, callback: callback))
    }
    start { $0.waiting.append(delivery) }
  }

  /// Defers submitting queued callbacks to an idle executor until `release` is called, because waking the executor is
  /// expensive.
  func hold() { queue.withLock { $0.isHeld = true } }

  func release() { start { $0.isHeld = false } }

  private func start(_ change: (inout Queue) -> Void) {
    let mustStart = queue.withLock { queue in
      change(&queue)
      if queue.isHeld || queue.isDraining || queue.waiting.isEmpty { return false }
      queue.isDraining = true
      return true
    }
    if mustStart { executor.execute { self.drain() } }
  }

  private func drain() {
    var left = Self.batch
    while true {
      let taken = queue.withLock { queue -> [Delivery] in
        if queue.waiting.isEmpty { queue.isDraining = false }
        let taken = queue.waiting.prefix(left)
        queue.waiting.removeFirst(taken.count)
        return Array(taken)
      }
      if taken.isEmpty { return }
      for delivery in taken { perform(delivery) }
      left -= taken.count
      if left == 0 { return executor.execute { self.drain() } }
    }
  }

  private func perform(_ delivery: Delivery) {
    guard let callback = delivery.loggedCallback else {
      delivery.call()
      return delivery.after()
    }
    let (task, id) = (delivery.task, delivery.id)
    let session = task == nil ? session : nil
    if !delivery.isFromDaemon {
      sink.emit(DeliveryReceived(task: task, session: session, delivery: id, callback: callback))
    }
    delivery.entering()
    sink.emit(
      DeliveryEntered(
        task: task, session: session, delivery: id, callback: callback, queue: executor.name, onMainThread: isMainThread()))
    delivery.call()
    sink.emit(DeliveryLeft(task: task, session: session, delivery: id, callback: callback))
    delivery.after()
  }
}
