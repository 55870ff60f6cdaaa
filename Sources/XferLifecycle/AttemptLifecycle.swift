package import XferEvents

/// One try of a task on the wire; a redirect adds a transaction to it.
package struct AttemptLifecycle: Sendable {
  package let number: Int
  package var offset: Int64 = 0
  package var transactions = 0

  package var started: Fact?
  package var connectionAcquired: Fact?
  package var requestSent: Fact?
  package var responseReceived: Fact?
  package var firstByte: Fact?
  package var lastByte: Fact?
  package var ended: Fact?
  package var challengeOpen: Fact?
  /// Whether the transaction's response has come.
  private var isAnswered = false

  /// What the last response said.
  package var status: Int?
  package var expected: Int64?
  package var isChunked = false
  package var hasContentEncoding = false
  package var method: String?

  package var received: Int64 = 0
  package var sent: Int64 = 0
  package var end: AttemptEnd?
  package var error: TaskLifecycle.ErrorFacts?
  /// When the engine will try again; `nil` after the end when it will not.
  package var retryIn: Duration?

  // As libcurl measured them.
  package var queueTime: Duration?
  package var nameLookupTime: Duration?
  package var connectTime: Duration?
  package var secureTime: Duration?
  package var firstByteTime: Duration?
  package var bodyTime: Duration?

  package init(number: Int, started: Fact?) {
    self.number = number
    self.started = started
  }

  package mutating func apply(_ event: RecordedEvent, _ fact: Fact) {
    switch fact.kind {
    case .attemptConnectionAcquired:
      // One that is told of when its answer is there already was measured, and its moment is not known.
      if !isAnswered { connectionAcquired = fact }
      transactions = max(transactions, event.transaction ?? 1)
      measure(event)
    case .attemptRequestSent:
      requestSent = fact
      method = event.method ?? method
    case .attemptResponseReceived:
      responseReceived = fact
      isAnswered = true
      status = event.status
      expected = event.expected
      isChunked = event.chunked ?? false
      hasContentEncoding = event.contentEncoding.map { $0 != "identity" } ?? false
      firstByteTime = event.firstByteTime ?? firstByteTime
    case .attemptBytesReceived:
      if firstByte == nil { firstByte = fact }
      lastByte = fact
      received = event.received ?? received
    case .attemptBytesSent: sent = event.sent ?? sent
    case .attemptEnded:
      ended = fact
      end = event.end
      error = event.error.map { .init(domain: event.domain, number: $0, name: event.errorName) }
      received = event.received ?? received
      sent = event.sent ?? sent
      retryIn = event.retryIn
      bodyTime = event.bodyTime
      firstByteTime = event.firstByteTime ?? firstByteTime
      measure(event)
    case .attemptChallengeReceived: challengeOpen = fact
    case .attemptChallengeAnswered:
      challengeOpen = nil
      isAnswered = false
    case .attemptRedirectAnswered:
      isAnswered = false
      // What the redirect itself carried is not the resource.
      status = nil
      expected = nil
    default: break
    }
  }

  private mutating func measure(_ event: RecordedEvent) {
    queueTime = event.queueTime ?? queueTime
    nameLookupTime = event.nameLookupTime ?? nameLookupTime
    connectTime = event.connectTime ?? connectTime
    secureTime = event.secureTime ?? secureTime
  }

  /// The length that the body must have, when the response declares one that counts on the wire.
  package var declaredLength: Int64? {
    guard let expected, let status, !isChunked, !hasContentEncoding, method != "HEAD" else { return nil }
    return status == 204 || status == 304 || status < 200 ? nil : expected
  }
}
