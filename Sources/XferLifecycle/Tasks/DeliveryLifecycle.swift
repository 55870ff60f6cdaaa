package import XferEvents

/// The delivery of one callback to the app's code.
package struct DeliveryLifecycle: Sendable {
  package let id: DeliveryID
  package let callback: Callback
  package var sent: Fact?
  package var received: Fact?
  package var entered: Fact?
  package var left: Fact?
  /// The event `task.acknowledged` that names this delivery.
  package var acknowledged: Fact?
  package var dropped: Fact?
  package var dropReason: DropReason?
  /// The index of the last process life that received the callback.
  private var process: Int?
  /// The deliveries by process life, if there was more than one; empty otherwise.
  private var repeated: [Arrival] = []
  private var order = OrderTracker()

  package init(id: DeliveryID, callback: Callback) {
    self.id = id
    self.callback = callback
  }

  package var isRunning: Bool { entered != nil && left == nil }

  /// The callback, while it is running in the app's code.
  var runningCallback: TaskLifecycle.RunningCallback? {
    guard isRunning, let entered else { return nil }
    return TaskLifecycle.RunningCallback(delivery: id, callback: callback, entered: entered)
  }

  /// The delivery in one process life.
  package struct Arrival: Sendable {
    package let process: Int
    package fileprivate(set) var received: Fact?
    package fileprivate(set) var entered: Fact?
    package fileprivate(set) var left: Fact?
  }

  /// The deliveries by process life, in their order. A callback that is not acknowledged is delivered again.
  package var arrivals: [Arrival] {
    guard repeated.isEmpty else { return repeated }
    return process.map { [Arrival(process: $0, received: received, entered: entered, left: left)] } ?? []
  }

  private mutating func arrive(_ kind: EventModel.Delivery, _ fact: Fact, in place: Int) {
    if process == nil { process = place }
    if process == place, repeated.isEmpty { return }
    if repeated.isEmpty { repeated = arrivals }
    if process != place {
      repeated.append(Arrival(process: place))
      process = place
    }
    let last = repeated.count - 1
    switch kind {
    case .deliveryReceived: repeated[last].received = fact
    case .deliveryEntered: repeated[last].entered = fact
    case .deliveryLeft: repeated[last].left = fact
    case .deliverySent, .deliveryDropped: break
    }
  }

  /// - Parameter process: the index of the process life that wrote the event; `nil` if the caller does not distinguish process
  ///   lives
  package mutating func apply(
    _ kind: EventModel.Delivery, _ event: EventView, _ fact: Fact, process: Int? = nil
  ) -> UnexpectedOrder? {
    switch kind {
    case .deliveryReceived, .deliveryEntered, .deliveryLeft: if let process { arrive(kind, fact, in: process) }
    case .deliverySent, .deliveryDropped: break
    }
    switch kind {
    case .deliverySent:
      sent = sent ?? fact
      // A redelivered callback passes through all steps again, so the order starts again.
      if event.redelivered ?? false { order = OrderTracker() }
    case .deliveryReceived: received = received ?? fact
    case .deliveryEntered: entered = entered ?? fact
    case .deliveryLeft: left = left ?? fact
    case .deliveryDropped:
      dropped = fact
      dropReason = event.why
    }
    return order.note(fact)
  }
}
