import XferEvents
package import XferLifecycle

extension TaskLifecycle {
  /// Returns the stage that the task had reached when it ended or was lost, such as `body (30000 of 80000 bytes)`; `nil` if the log does
  /// not show it.
  ///
  /// - Parameter isExcerpt: Whether the log is one of another program, in which a missing event proves nothing.
  package func stageReached(isExcerpt: Bool) -> String? {
    if wireEnd != nil, error == nil, !hasFailedAttempt { return "delivery" + deliveryDetail }
    guard let attempt else {
      if isExcerpt, lastHold == nil, error != nil || created == nil && resumed == nil { return nil }
      return "queue" + (lastHold.map { " (held: \($0.meaning))" } ?? "")
    }
    switch attempt.end {
    case .redirectRefused: return "redirect"
    // Other programs' logs may have a refusal without a response.
    case .refused where attempt.status != nil: return "response"
    default: break
    }
    let body = "body" + Self.amount(attempt.received, of: attempt.declaredLength, isExcerpt: isExcerpt)
    let request = "request" + Self.amount(attempt.sent, of: attempt.expectedToSend, isExcerpt: isExcerpt)
    if attempt.status != nil { return body }
    switch attempt.phase {
    case .queued: return "queue"
    case .resolving: return "connect (name lookup)"
    case .securing: return "connect (TLS)"
    case .connecting: return "connect"
    case .sending: return request
    case .waiting: return "first byte (no response)"
    case .receiving: return body
    case nil: break
    }
    if attempt.received > 0 { return body }
    if attempt.requestSent != nil { return "first byte (no response)" }
    if attempt.connectionAcquired != nil || attempt.sent > 0 { return request }
    return isExcerpt ? nil : "connect"
  }

  private var deliveryDetail: String {
    guard let delivery = completionDelivery else { return " (the completion was not sent)" }
    if delivery.left != nil { return "" }
    if delivery.entered != nil { return " (the completion was being handled)" }
    return delivery.received != nil ? " (the completion was not handled)" : " (the completion was not received)"
  }

  private static func amount(_ count: Int64, of total: Int64?, isExcerpt: Bool) -> String {
    // Logs of other programs often do not tell how much has arrived.
    if isExcerpt, count == 0 { return total.map { " (\($0) bytes expected)" } ?? "" }
    if let total { return " (\(count) of \(total) bytes)" }
    return count > 0 ? " (\(count.counted("byte")))" : ""
  }
}
