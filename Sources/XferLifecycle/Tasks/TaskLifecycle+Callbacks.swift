import XferEvents

// The state of a task's callbacks, and the meaning of its error.
extension TaskLifecycle {
  /// The task's callback that is running in the app's code.
  package var runningCallback: RunningCallback? {
    facts.completionDelivery?.runningCallback ?? facts.fileDelivery?.runningCallback ?? facts.otherCallback
  }

  /// A callback that was sent or received but not called yet.
  package var waitingDelivery: DeliveryLifecycle? {
    for case let delivery? in [facts.fileDelivery, facts.completionDelivery]
    where (delivery.received ?? delivery.sent) != nil && delivery.entered == nil {
      if delivery.dropped == nil { return delivery }
    }
    return nil
  }

  /// Whether the task or its last attempt ended because of a timeout.
  package var timedOut: Bool {
    guard let error = facts.error else { return false }
    if facts.attempt?.end == .timeout || error.name == "timedOut" { return true }
    // CURLE_OPERATION_TIMEDOUT and NSURLErrorTimedOut.
    return error.domain == .curl && error.number == 28 || error.domain == .url && error.number == -1001
  }
}
