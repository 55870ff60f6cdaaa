package import XferEvents

/// What is known of one try of a task on the wire, and how an event changes it. What follows from it is asked of `AttemptLifecycle`.
package struct AttemptFacts: Sendable {
  package let number: Int
  package var offset: Int64 = 0
  package var transactions = 0

  package var started: Fact?
  package var connectionAcquired: Fact?
  package var requestSent: Fact?
  package var responseReceived: Fact?
  package var firstByte: Fact?
  package var lastByte: Fact?
  package var lastByteSent: Fact?
  package var ended: Fact?
  package var challengeOpen: Fact?
  /// Whether the transaction's response has come.
  private var isAnswered = false
  package var challengeAnswered: Fact?
  private var challenge: CorrelationID?
  /// Since when it waits, or waited until it ended, for the network, and why.
  package var networkAwaited: Fact?
  package var networkHold: HoldReason?

  package var redirects = RedirectTrail()

  /// What the last response said.
  package var status: Int?
  package var expected: Int64?
  package var isChunked = false
  package var hasContentEncoding = false
  package var hasContentRange = false
  package var acceptsRanges: Bool?
  package var entity: Entity?
  package var method: String?
  /// Whether the request carried credentials; `nil` when the log does not say.
  package var isAuthorized: Bool?
  /// Whether the request, which is not idempotent, carries what tells the server that it is the same one.
  var isGuarded: Bool?
  /// What kinds of answer the request takes; `nil` for any.
  var acceptedTypes: String?
  /// How much of an upload the client believes the server to have.
  var uploadOffset: Int64?
  /// How far it had got when it ended.
  package var phase: AttemptPhase?

  package var received: Int64 = 0
  package var sent: Int64 = 0
  package var expectedToSend: Int64?
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

  package mutating func apply(_ event: EventView, _ fact: Fact) {
    switch fact.kind {
    case .attemptConnectionAcquired:
      // Another part of the resource has a request of its own.
      if (event.transaction ?? 1) > transactions { isAnswered = false }
      // One that is told of when its answer is there already was measured, and its moment is not known.
      if !isAnswered { connectionAcquired = fact }
      networkAwaited = nil
      transactions = max(transactions, event.transaction ?? 1)
      measure(event)
    case .attemptRequestSent:
      requestSent = fact
      method = event.method ?? method
      offset = event.offset ?? offset
      redirects.send(event, fact)
      isAuthorized = event.authorized
      acceptedTypes = event.acceptedTypes
      if method == "POST" || method == "PATCH" { isGuarded = event.headers.map(Self.isGuard) }
    case .attemptResponseReceived:
      responseReceived = fact
      isAnswered = true
      status = event.status
      expected = event.expected
      isChunked = event.chunked ?? false
      hasContentEncoding = event.contentEncoding.map { $0 != "identity" } ?? false
      hasContentRange = event.rangeStart != nil || event.rangeTotal != nil
      acceptsRanges = event.acceptsRanges ?? acceptsRanges
      entity = Entity(event, fact)
      firstByteTime = event.firstByteTime ?? firstByteTime
    case .attemptBytesReceived:
      if firstByte == nil { firstByte = fact }
      lastByte = fact
      received = event.received ?? received
    case .attemptBytesSent:
      lastByteSent = fact
      sent = event.sent ?? sent
      expectedToSend = event.expected ?? expectedToSend
    case .attemptEnded:
      ended = fact
      end = event.end
      error = event.error.map { .init(domain: event.domain, number: $0, name: event.errorName, osError: event.osError) }
      // Bytes that only the end tells of came at some time until then.
      if let total = event.received, total > received { lastByte = fact }
      if let total = event.sent, total > sent { lastByteSent = fact }
      received = event.received ?? received
      sent = event.sent ?? sent
      retryIn = event.retryIn
      phase = event.phase
      bodyTime = event.bodyTime
      firstByteTime = event.firstByteTime ?? firstByteTime
      measure(event)
    case .attemptNetworkAwaited:
      networkAwaited = networkAwaited ?? fact
      networkHold = event.hold
    case .attemptChallengeReceived:
      challengeOpen = fact
      challenge = event.challenge
    case .attemptChallengeAnswered:
      // The answer to another challenge leaves this one open.
      if let answered = event.challenge, let challenge, answered != challenge { break }
      challengeOpen = nil
      challengeAnswered = fact
      isAnswered = false
      redirects.noteCredentials()
    case .attemptRedirectReceived: redirects.receive(event, fact)
    case .attemptRedirectAnswered:
      redirects.answer(event, fact)
      isAnswered = false
      // What the redirect itself carried is not the resource.
      status = nil
      expected = nil
    default: break
    }
  }

  /// Whether one of some fields keeps a request from being carried out twice: a key of its own, or a condition that holds once.
  private static func isGuard(_ names: String) -> Bool {
    let guards: Set<String> = ["idempotency-key", "upload-offset", "if-match", "if-none-match", "if-unmodified-since"]
    return names.lowercased().split(separator: ",").contains { guards.contains(String($0)) }
  }

  private mutating func measure(_ event: EventView) {
    queueTime = event.queueTime ?? queueTime
    nameLookupTime = event.nameLookupTime ?? nameLookupTime
    connectTime = event.connectTime ?? connectTime
    secureTime = event.secureTime ?? secureTime
  }
}
