internal import CXferPlatform
internal import Synchronization
internal import XferEvents

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// One callback on its way to the app's code.
struct Delivery: Sendable {
  let id: DeliveryID
  /// `nil` for an answer to a question of the app, which the log has in another form.
  let callback: Callback?
  /// `nil` for a callback of the session.
  let task: TaskIdentity?
  /// Whether the daemon has sent it, and said so.
  var isFromDaemon = false
  /// What is to be said once the callback is queued and before it can run.
  var queued: @Sendable () -> Void = {}
  /// The app's code.
  let call: @Sendable () -> Void
  /// What is so once the app's code has returned.
  var after: @Sendable () -> Void = {}

  /// Those of high rate are numbered, so that the gaps in the numbers count them, but not written one by one.
  var loggedCallback: Callback? {
    switch callback {
    case .didReceiveData, .didWriteData, .didSendBodyData: nil
    default: callback
    }
  }
}

/// Takes callbacks to the app in the order in which they were sent, one at a time, and says each step.
final class DeliveryLane: Sendable {
  private struct Queue {
    var waiting: [Delivery] = []
    var isDraining = false
    var isHeld = false
  }

  let executor: any DelegateExecutor
  private let session: String
  private let sink: any EventSink
  /// Upper half: the session's. Lower half: how many it has numbered.
  private let nextID: Atomic<UInt64>
  private let queue = Mutex(Queue())

  /// One executor block works off this many, so that others on the same queue have their turn.
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
    delivery.queued()
    start { $0.waiting.append(delivery) }
  }

  /// Until it is released no callback begins that follows a pause: to wake an executor costs as much as some callbacks.
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
    sink.emit(
      DeliveryEntered(
        task: task, session: session, delivery: id, callback: callback, queue: executor.name, onMainThread: Self.isMainThread))
    delivery.call()
    sink.emit(DeliveryLeft(task: task, session: session, delivery: id, callback: callback))
    delivery.after()
  }

  private static var isMainThread: Bool {
    #if canImport(Darwin)
      pthread_main_np() != 0
    #else
      xp_thread_id() == UInt32(getpid())
    #endif
  }
}
