package import XferEvents

/// One callback on its way to the app's code.
package struct DeliveryLifecycle: Sendable {
  package let id: DeliveryID
  package let callback: Callback
  package var sent: Fact?
  package var received: Fact?
  package var entered: Fact?
  package var left: Fact?
  /// The app has said that it has it: `task.acknowledged`, which names its delivery.
  package var acknowledged: Fact?
  package var dropped: Fact?
  package var dropReason: DropReason?
  /// Place of the process life that it reached last.
  private var process: Int?
  /// What became of it in each life, where it reached more than one.
  private var repeated: [Arrival] = []
  private var order = OrderTracker()

  package init(id: DeliveryID, callback: Callback) {
    self.id = id
    self.callback = callback
  }

  package var isRunning: Bool { entered != nil && left == nil }

  /// What became of it in one process life.
  package struct Arrival: Sendable {
    package let process: Int
    package fileprivate(set) var received: Fact?
    package fileprivate(set) var entered: Fact?
    package fileprivate(set) var left: Fact?
  }

  /// The lives that it reached, in their order: what was not acknowledged comes again.
  package var arrivals: [Arrival] {
    guard repeated.isEmpty else { return repeated }
    return process.map { [Arrival(process: $0, received: received, entered: entered, left: left)] } ?? []
  }

  private mutating func arrive(_ fact: Fact, in place: Int) {
    if process == nil { process = place }
    if process == place, repeated.isEmpty { return }
    if repeated.isEmpty { repeated = arrivals }
    if process != place {
      repeated.append(Arrival(process: place))
      process = place
    }
    let last = repeated.count - 1
    switch fact.kind {
    case .deliveryReceived: repeated[last].received = fact
    case .deliveryEntered: repeated[last].entered = fact
    default: repeated[last].left = fact
    }
  }

  /// - Parameter process: place of the process life that tells of it; `nil` for who does not tell lives apart.
  package mutating func apply(_ event: EventView, _ fact: Fact, process: Int? = nil) -> UnexpectedOrder? {
    switch fact.kind {
    case .deliveryReceived, .deliveryEntered, .deliveryLeft: if let process { arrive(fact, in: process) }
    default: break
    }
    switch fact.kind {
    case .deliverySent:
      sent = sent ?? fact
      // It begins anew, wherever it had come to.
      if event.redelivered ?? false { order = OrderTracker() }
    case .deliveryReceived: received = received ?? fact
    case .deliveryEntered: entered = entered ?? fact
    case .deliveryLeft: left = left ?? fact
    case .deliveryDropped:
      dropped = fact
      dropReason = event.why
    default: break
    }
    return order.note(fact)
  }
}
