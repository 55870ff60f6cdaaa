package import XferEvents

/// The facts about one attempt of a task, and their changes by events. `AttemptLifecycle` derives further properties.
package struct AttemptFacts: Sendable {
  package let number: Int
  package var offset: Int64 = 0
  /// The offset at which the attempt began. Later requests of the attempt continue behind the bytes that it has received.
  var firstOffset: Int64?
  package var transactions = 0

  package var started: Fact?
  package var connectionAcquired: Fact?
  /// The time for which the reused connection had been idle; `nil` for a new connection, and if unknown.
  package var idle: Duration?
  package var requestSent: Fact?
  package var responseReceived: Fact?
  package var firstByte: Fact?
  package var lastByte: Fact?
  package var lastByteSent: Fact?
  package var ended: Fact?
  package var challengeOpen: Fact?
  /// Whether the response of the current transaction was received.
  private var isAnswered = false
  package var challengeAnswered: Fact?
  private var challenge: CorrelationID?
  /// The start of the last wait for the network.
  package var networkAwaited: Fact?
  /// The reason for the last wait for the network.
  package var networkHold: HoldReason?

  package var redirects = RedirectTrail()

  /// The status of the last response. The properties from `expected` to `entity` describe the same response.
  package var status: Int?
  package var expected: Int64?
  package var isChunked = false
  package var hasContentEncoding = false
  package var hasContentRange = false
  /// The offset in the resource of the first byte of a partial response.
  package var rangeStart: Int64?
  package var acceptsRanges: Bool?
  package var entity: Entity?
  package var method: String?
  /// Whether the request carried credentials; `nil` if unknown.
  package var isAuthorized: Bool?
  /// Whether a POST or PATCH request carries a header field by which the server recognizes a repetition; `nil` for other methods
  /// and if the fields are unknown.
  var isGuarded: Bool?
  /// The names of the request's header fields, separated by commas; `nil` if unknown.
  var requestHeaders: String?
  /// The media types that the request accepts; `nil` for any.
  var acceptedTypes: String?
  /// The size of the file that the attempt uploads, when the attempt opened it; `nil` if unknown, and for other tasks.
  package var sourceSize: Int64?
  /// The number of upload bytes that the server already has, according to the client.
  var uploadOffset: Int64?
  /// The phase that the attempt had reached when it ended.
  package var phase: AttemptPhase?

  package var received: Int64 = 0
  package var sent: Int64 = 0
  package var expectedToSend: Int64?
  package var end: AttemptEnd?
  package var error: TaskLifecycle.ErrorFacts?
  /// The pause before the next attempt, known when this attempt has ended; `nil` if no attempt follows.
  package var retryIn: Duration?

  // Durations that libcurl measured.
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

  /// Applies an event of the attempt. The start was stored when the attempt was created.
  package mutating func apply(_ kind: EventModel.Attempt, _ event: EventView, _ fact: Fact) {
    switch kind {
    case .attemptStarted: break
    case .attemptConnectionAcquired:
      // A new transaction sends a request of its own, which has no response yet.
      if (event.transaction ?? 1) > transactions { isAnswered = false }
      // If the response was already received, the event only reports measurements, and the time of the connection is unknown.
      if !isAnswered {
        connectionAcquired = fact
        idle = event.reused ?? false ? event.idle : nil
      }
      networkAwaited = nil
      transactions = max(transactions, event.transaction ?? 1)
      measure(event)
    case .attemptRequestSent:
      requestSent = fact
      method = event.method ?? method
      offset = event.offset ?? offset
      firstOffset = firstOffset ?? event.offset
      redirects.send(event, fact)
      isAuthorized = event.authorized
      acceptedTypes = event.acceptedTypes
      requestHeaders = event.headers
      if method == "POST" || method == "PATCH" { isGuarded = requestHeaders.map(Self.isGuard) }
    case .attemptResponseReceived:
      responseReceived = fact
      isAnswered = true
      status = event.status
      expected = event.expected
      isChunked = event.chunked ?? false
      hasContentEncoding = event.contentEncoding.map { $0 != "identity" } ?? false
      rangeStart = event.rangeStart
      hasContentRange = rangeStart != nil || event.rangeTotal != nil
      acceptsRanges = event.acceptsRanges ?? acceptsRanges
      entity = Entity(event, fact)
      firstByteTime = event.firstByteTime ?? firstByteTime
    case .attemptBytesReceived:
      if firstByte == nil { firstByte = fact }
      lastByte = fact
      received = event.received ?? received
      // The log of another program may have the length without the response.
      if status == nil { expected = event.expected ?? expected }
    case .attemptBytesSent:
      lastByteSent = fact
      sent = event.sent ?? sent
      expectedToSend = event.expected ?? expectedToSend
    case .attemptEnded:
      ended = fact
      end = event.end
      error = event.error.map { .init(domain: event.domain, number: $0, name: event.errorName, osError: event.osError) }
      // If the end event counts more bytes than the progress events, the last bytes came at an unknown time before the end. The
      // time of the end is used.
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
      // An answer to another challenge leaves this one open.
      if let answered = event.challenge, let challenge, answered != challenge { break }
      challengeOpen = nil
      challengeAnswered = fact
      isAnswered = false
      redirects.noteCredentials()
    case .attemptRedirectReceived: redirects.receive(event, fact)
    case .attemptRedirectAnswered:
      redirects.answer(event, fact)
      isAnswered = false
      // The redirect response does not describe the resource, so its status and length are removed.
      status = nil
      expected = nil
    }
  }

  /// Whether one of the named header fields, joined by commas, prevents the server from carrying out the request twice: an
  /// idempotency key, or a condition that holds only once.
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
