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
  private var order = OrderTracker()

  package init(id: DeliveryID, callback: Callback) {
    self.id = id
    self.callback = callback
  }

  package var isRunning: Bool { entered != nil && left == nil }

  package mutating func apply(_ event: RecordedEvent, _ fact: Fact) -> UnexpectedOrder? {
    switch fact.kind {
    case .deliverySent: sent = sent ?? fact
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
