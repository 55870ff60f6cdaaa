internal import CCurl
internal import CCurlShims
internal import HTTPTypes
internal import XferEvents

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// Connections and response heads, as libcurl reports them.
extension Transfer {
  /// Records the connection on which libcurl is about to send the request.
  func connectionAcquired(remote: String, remotePort: Int, local: String, localPort: Int) {
    guard let easy else { return }
    if transaction.connection != nil { noteStaleConnection() }
    let made = easy.number(CURLINFO_NUM_CONNECTS)
    let isNew = made > transaction.connectionsMade
    let key = ConnectionLedger.Key(local: local, localPort: localPort)
    let (id, idle) = loop.connections.acquire(key, isNew: isNew, now: loop.now, make: context.makeCorrelation)
    transaction.connectionsMade = made
    transaction.connection = key
    transaction.isReused = !isNew
    connectivity = nil
    transaction.remoteAddress = remote
    transaction.remotePort = remotePort
    transaction.localAddress = local
    transaction.localPort = localPort
    touch()
    logConnectionAcquired(id, idle: idle, easy)
    loop.awaitingSend.append(self)
  }

  /// Ends the attempt and starts a new one, because libcurl repeats the request on another connection after the server had closed
  /// the reused one.
  private func noteStaleConnection() {
    noteRequestSent()
    let lost = TransferError(
      curl: CURLE_RECV_ERROR, osError: nil, stage: .response, message: "the reused connection had been closed")
    // libcurl sends any request again. A request that the server may have carried out must not be sent twice.
    if transaction.isRequestSent, !isRepeatable {
      refusal = .notRepeatable(plan.method, "the server closed the reused connection after the request was sent")
      return
    }
    logAttemptEnded(.transport, lost, retryIn: .zero)
    let made = transaction.connectionsMade
    beginAttempt()
    transaction = makeTransaction(1)
    transaction.connectionsMade = made
  }

  func noteRequestSent() {
    guard !transaction.isRequestSent, transaction.connection != nil, let easy else { return }
    let bytes = easy.number(CURLINFO_REQUEST_SIZE)
    guard bytes > 0 else { return }
    transaction.isRequestSent = true
    logRequestSent(bytes: Int64(bytes))
  }

  /// Processes one header line from libcurl.
  ///
  /// - Returns: the result of libcurl's header callback: the byte count, or another value to stop the transaction.
  func receiveHeader(_ line: UnsafeRawBufferPointer) -> Int {
    noteRequestSent()
    touch()
    do throws(TransferError) {
      if context.configuration.messages.deliversHeads { transaction.headLines.append(contentsOf: line) }
      let step = try transaction.head.take(line)
      if step == .complete || step == .interim || step == .trailer { sendHead() }
      if step == .complete || step == .interim { try checkVersion(transaction.head) }
      if step == .complete { try receiveHead() }
    } catch {
      refusal = error
    }
    return refusal == nil && !hasUnboundedRemainder ? line.count : 0
  }

  /// Whether the body is to be discarded but ends only when the connection closes.
  var hasUnboundedRemainder: Bool {
    guard transaction.head.isComplete, next != nil, case .discard = transaction.body else { return false }
    return transaction.head.hasBody(for: plan.method) && transaction.head.endsWithConnection
  }

  /// Delivers the collected header lines to the delegate, if the app wants them.
  func sendHead() {
    guard !transaction.headLines.isEmpty else { return }
    let (task, lane, lines) = (task, context.lane, transaction.headLines)
    transaction.headLines = Data()
    lane.send(
      Delivery(id: lane.makeID(), callback: nil, task: task.identity) {
        task.session.delegate?.urlSession(task.session, task: task, didReceiveHead: lines)
      })
  }

  private func receiveHead() throws(TransferError) {
    let head = transaction.head
    let options = context.configuration.messages
    try head.check(takesTransferCodings: options.acceptsTransferCodings || options.keepsCodings)
    try checkSolicited(head)
    let isDelimited = head.isChunked || options.ignoresContentLength
    let isClear = head.hasUnambiguousLength(acceptingAnySize: options.acceptsAnyContentLength)
    if head.hasBody(for: plan.method), !isDelimited, !isClear { throw .ambiguousLength }
    observeEnd(head)
    let response = TransferResponse(
      urlText: plan.url.text,
      httpResponse: HTTPResponse(
        status: .init(code: max(0, min(999, head.status)), reasonPhrase: head.reason), headerFields: head.fields),
      networkProtocolName: head.protocolName, expectedContentLength: head.expectedBytes(for: plan.method))
    if head.protocolName == "h2" { loop.slots.noteMultiplexed(plan.url.origin) }
    sendBytesSent()
    logResponseReceived(head)
    noteInvalidation(head)
    if let delay = loop.retryDelay(self, after: .status(head.status, retryAfter: retryAfter)) {
      retryDelay = delay
      transaction.body = .discard
    } else if answeredByStored(head) {
      // The stored response becomes the result, or the request is repeated without conditions.
    } else if challenged(by: head, response) {
      // The request is repeated with a credential, or the app is asked for one.
    } else if let location = head.fields[.location], RedirectPolicy.applies(to: head.status, location: location),
      context.configuration.messages.followsRedirects
    {
      try redirect(to: location, response)
    } else {
      try accept(response)
      beginRecording(head)
    }
  }

  /// Starts to observe the TLS connection when only its close ends the body.
  ///
  /// A missing `close_notify` then reveals a truncated body.
  private func observeEnd(_ head: ResponseHead) {
    let isDelimited = head.isChunked || head.contentLength != nil && !context.configuration.messages.ignoresContentLength
    guard head.hasBody(for: plan.method), !isDelimited, head.protocolName.hasPrefix("http/"), plan.url.scheme == "https" else {
      return
    }
    transaction.observedEnd = easy.flatMap { cc_tls_begin($0.pointer) }
  }

  /// Stops observing the TLS connection.
  ///
  /// - Returns: the error if the connection closed without `close_notify`, so that the body may be truncated; `nil` otherwise.
  func truncatedEnd() -> TransferError? {
    guard let observed = transaction.observedEnd else { return nil }
    transaction.observedEnd = nil
    if cc_tls_end(observed) != 0 { return nil }
    return TransferError(
      curl: CURLE_RECV_ERROR, osError: nil, stage: .body,
      message: "the TLS connection closed without close_notify, so the body of undeclared length may be truncated")
  }

  /// Rejects an HTTP/2 or HTTP/3 status line on a connection for which that version was not negotiated.
  ///
  /// libcurl 7 treats a connection with this status line as multiplexed, and would send further requests to the server on
  /// connections that are in use.
  private func checkVersion(_ head: ResponseHead) throws(TransferError) {
    let mayBeHTTP2 = context.configuration.httpVersions == .http2PriorKnowledge
    guard ["h2", "http/3"].contains(head.protocolName), !mayBeHTTP2, let easy else { return }
    guard plan.url.scheme == "http" || cc_tls_agreed_on_http2(easy.pointer) == 0 else { return }
    loop.peers.falseHTTP2.insert(plan.url.origin)
    throw .badResponse("the server answers with \(head.protocolName) on a connection that did not agree on it")
  }

  /// Throws for a 206 or 304 response that the request did not ask for.
  ///
  /// If the response were accepted as the whole resource, a 206 would produce a truncated file and a 304 an empty file. Only
  /// download tasks reject a 304; other tasks get it as their response.
  private func checkSolicited(_ head: ResponseHead) throws(TransferError) {
    if head.status == 206, !wire.fields.contains(.range) {
      throw .badResponse("the server sent a partial response (206) to a request without a range")
    }
    let conditions: [HTTPField.Name] = [.ifNoneMatch, .ifModifiedSince]
    if head.status == 304, task.type == .download, !conditions.contains(where: { wire.fields.contains($0) }) {
      throw .badResponse("the server sent 304 Not Modified to a request without a condition")
    }
  }

  // MARK: Redirects

  private func redirect(to location: String, _ response: TransferResponse) throws(TransferError) {
    let policy = RedirectPolicy(
      limit: context.configuration.redirectLimit, keepingMethod: context.configuration.messages.statusesKeepingMethod)
    let status = response.statusCode
    switch policy.verdict(on: plan, status: status, location: location, followed: redirects) {
    case .refuse(let decision, let target, let error):
      task.noteResponse(response)
      logRedirectReceived(status, target)
      logRedirectAnswered(decision, credentialsKept: nil, by: .engine)
      throw error
    case .follow(let proposed):
      logRedirectReceived(status, proposed.url)
      guard case .delegate = task.consumer, let delegate = task.session.delegate else {
        return follow(proposed, by: .engine)
      }
      question = .redirect(proposed: proposed)
      self.response = response
      pauses.insert(.question)
      task.noteHeld(TaskHeld(task: task.identity, hold: .redirect, host: proposed.url.host))
      ask(delegate, response, proposed.httpRequest)
    }
  }

  private func ask(_ delegate: any TransferSessionDelegate, _ response: TransferResponse, _ request: HTTPRequest) {
    let (task, lane, mailbox) = (task, context.lane, context.mailbox)
    lane.send(
      Delivery(id: lane.makeID(), callback: .willPerformRedirect, task: task.identity) {
        delegate.urlSession(task.session, task: task, willPerformHTTPRedirection: response, newRequest: request) { request in
          mailbox.post(.answer(task, .redirect(request)))
        }
      })
  }

  func redirectAnswered(_ request: HTTPRequest?, proposed: RequestPlan) throws(TransferError) {
    task.noteHoldEnded(.redirect)
    if let request {
      // A request changed by the app keeps its body unless the method was changed too.
      let body = request.method == proposed.method ? proposed.body : .none
      let plan = request == proposed.httpRequest ? proposed : try RequestPlan(request, additional: [:], body: body)
      follow(plan, by: .app)
    } else {
      logRedirectAnswered(.refusedByApp, credentialsKept: nil, by: .app)
      guard let response else { preconditionFailure("a redirect that awaits the app's answer has a response") }
      try accept(response)
    }
  }

  private func follow(_ plan: RequestPlan, by actor: Actor) {
    logRedirectAnswered(
      .followed, credentialsKept: self.plan.carriesCredentials ? plan.carriesCredentials : nil, by: actor)
    next = .redirect(plan)
    transaction.body = .discard
  }

  /// Makes a follow-up request the transfer's current one.
  func take(_ next: Next) {
    switch next {
    case .again(let plan):
      self.plan = plan
      caching.isConsulted = false
    case .redirect(let plan):
      redirects += 1
      self.plan = plan
      caching = CacheUse()
      (refusedCredentials, rejectedMethods, peer) = (0, [], PeerInquiry())
      task.noteRequest(plan.httpRequest)
    }
  }
}
