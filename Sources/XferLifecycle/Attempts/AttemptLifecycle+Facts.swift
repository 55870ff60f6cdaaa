package import XferEvents

// Read access to the facts.
extension AttemptLifecycle {
  package var number: Int { facts.number }
  package var offset: Int64 { facts.offset }
  package var transactions: Int { facts.transactions }
  package var started: Fact? { facts.started }
  package var connectionAcquired: Fact? { facts.connectionAcquired }
  /// The time for which the reused connection had been idle; `nil` for a new connection, and if unknown.
  package var idle: Duration? { facts.idle }
  package var requestSent: Fact? { facts.requestSent }
  package var responseReceived: Fact? { facts.responseReceived }
  package var firstByte: Fact? { facts.firstByte }
  package var lastByte: Fact? { facts.lastByte }
  package var lastByteSent: Fact? { facts.lastByteSent }
  package var ended: Fact? { facts.ended }
  package var challengeOpen: Fact? { facts.challengeOpen }
  package var challengeAnswered: Fact? { facts.challengeAnswered }
  package var networkAwaited: Fact? { facts.networkAwaited }
  package var networkHold: HoldReason? { facts.networkHold }
  package var redirects: RedirectTrail { facts.redirects }
  package var status: Int? { facts.status }
  package var expected: Int64? { facts.expected }
  package var isChunked: Bool { facts.isChunked }
  package var hasContentEncoding: Bool { facts.hasContentEncoding }
  package var hasContentRange: Bool { facts.hasContentRange }
  package var rangeStart: Int64? { facts.rangeStart }
  package var acceptsRanges: Bool? { facts.acceptsRanges }
  package var entity: Entity? { facts.entity }
  package var method: String? { facts.method }
  package var isAuthorized: Bool? { facts.isAuthorized }
  var isGuarded: Bool? { facts.isGuarded }
  package var acceptedTypes: String? { facts.acceptedTypes }
  package var sourceSize: Int64? { facts.sourceSize }
  var uploadOffset: Int64? { facts.uploadOffset }
  package var phase: AttemptPhase? { facts.phase }
  package var received: Int64 { facts.received }
  package var sent: Int64 { facts.sent }
  package var expectedToSend: Int64? { facts.expectedToSend }
  package var end: AttemptEnd? { facts.end }
  package var error: TaskLifecycle.ErrorFacts? { facts.error }
  package var retryIn: Duration? { facts.retryIn }
  package var queueTime: Duration? { facts.queueTime }
  package var nameLookupTime: Duration? { facts.nameLookupTime }
  package var connectTime: Duration? { facts.connectTime }
  package var secureTime: Duration? { facts.secureTime }
  package var firstByteTime: Duration? { facts.firstByteTime }
  package var bodyTime: Duration? { facts.bodyTime }
}
