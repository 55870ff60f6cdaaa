internal import HTTPTypes
internal import XferEvents

// HTTP authentication challenges (401).
extension Transfer {
  /// An HTTP authentication challenge that the app has not answered.
  struct Challenge {
    let id: CorrelationID
    let answerable: ChallengeList.Answerable
    let proposed: TransferSession.Credential?
    let response: TransferResponse
  }

  /// Handles a response that asks for a credential.
  ///
  /// - Returns: `false` when the response is the task's result.
  func challenged(by head: ResponseHead, _ response: TransferResponse) -> Bool {
    // A request with its own `Authorization` field gets the 401 response as its result.
    guard head.status == 401, !plan.fields.contains(.authorization) else { return false }
    let offered = ChallengeList(head.fields[values: .wwwAuthenticate])
      .answerable(plan.url, allowed: context.configuration.authenticationMethods)
      .first { !rejectedMethods.contains($0.space.authenticationMethod) }
    guard let offered else { return false }
    let sent = sentAuthorization
    sentAuthorization = nil
    if let sent, loop.authorizations[sent.origin]?.credential == sent.credential { loop.authorizations[sent.origin] = nil }
    if let sent, offered.isStale {
      logChallenge(offered.space.authenticationMethod, response, then: .useCredential)
      use(sent.credential, for: offered)
      return true
    }
    if sent != nil { refusedCredentials += 1 }
    let proposed = sent == nil ? context.configuration.urlCredentialStorage?.credential(for: offered.space) : nil
    if case .delegate = task.consumer, let delegate = task.session.delegate {
      ask(delegate, Challenge(id: context.makeCorrelation(), answerable: offered, proposed: proposed, response: response))
      return true
    }
    logChallenge(offered.space.authenticationMethod, response, then: .performDefaultHandling)
    guard let proposed else { return false }
    use(proposed, for: offered)
    return true
  }

  private func ask(_ delegate: any TransferSessionDelegate, _ challenge: Challenge) {
    question = .challenge(challenge)
    pauses.insert(.question)
    logChallengeReceived(challenge.id, challenge.answerable.space.authenticationMethod)
    send(
      TransferSession.AuthenticationChallenge(
        protectionSpace: challenge.answerable.space, previousFailureCount: refusedCredentials,
        proposedCredential: challenge.proposed, failureResponse: challenge.response), to: delegate)
  }

  /// Sends the challenge to the delegate and holds the task until the delegate answers.
  func send(_ asked: TransferSession.AuthenticationChallenge, to delegate: any TransferSessionDelegate) {
    task.noteHeld(TaskHeld(task: task.identity, hold: .challenge, host: plan.url.host))
    let (task, lane, mailbox) = (task, context.lane, context.mailbox)
    lane.send(
      Delivery(id: lane.makeID(), callback: .didReceiveChallenge, task: task.identity) {
        delegate.urlSession(task.session, task: task, didReceive: asked) { disposition, credential in
          mailbox.post(.answer(task, .challenge(disposition, credential)))
        }
      })
  }

  func challengeAnswered(
    _ disposition: TransferSession.AuthChallengeDisposition, _ credential: TransferSession.Credential?, _ challenge: Challenge
  ) throws(TransferError) {
    task.noteHoldEnded(.challenge)
    logChallengeAnswered(challenge.id, disposition.logged, by: .app)
    switch disposition {
    case .useCredential:
      guard let credential else { break }
      return use(credential, for: challenge.answerable)
    case .performDefaultHandling:
      guard let proposed = challenge.proposed else { break }
      return use(proposed, for: challenge.answerable)
    case .cancelAuthenticationChallenge: throw .challengeCancelled
    case .rejectProtectionSpace:
      rejectedMethods.insert(challenge.answerable.space.authenticationMethod)
      if challenged(by: transaction.head, challenge.response) { return }
    }
    try accept(challenge.response)
  }

  /// Repeats the request with a credential.
  private func use(_ credential: TransferSession.Credential, for offered: ChallengeList.Answerable) {
    loop.authorizations[plan.url.origin] = Authorization(
      origin: plan.url.origin, credential: credential, method: offered.method)
    next = .again(plan)
    transaction.body = .discard
  }

  /// Returns the value of the next request's `Authorization` field. `nil` when the request needs none.
  func authorize(_ plan: RequestPlan) -> String? {
    sentAuthorization = nil
    let origin = plan.url.origin
    guard !plan.fields.contains(.authorization) else { return nil }
    if loop.authorizations[origin] == nil, let credential = preemptiveCredential(plan.url) {
      loop.authorizations[origin] = Authorization(origin: origin, credential: credential, method: .basic)
    }
    let value = loop.authorizations[origin]?.value(method: plan.method.rawValue, target: plan.url.target, clientNonce: nonce())
    sentAuthorization = loop.authorizations[origin]
    return value
  }

  private func nonce() -> String { String(context.makeCorrelation().rawValue, radix: 16) }

  /// Returns the credential for preemptive Basic authentication. `nil` when it is disabled or no credential is known.
  func preemptiveCredential(_ url: URLFacts) -> TransferSession.Credential? {
    guard context.configuration.sendsCredentialsUnasked, refusedCredentials == 0 else { return nil }
    return context.configuration.urlCredentialStorage?.credential(
      for: .init(scheme: url.scheme, host: url.host, port: url.effectivePort, authenticationMethod: .httpBasic))
  }

  // MARK: Logging

  private func logChallenge(
    _ method: TransferSession.AuthenticationMethod, _ response: TransferResponse, then disposition: ChallengeDisposition
  ) {
    let id = context.makeCorrelation()
    logChallengeReceived(id, method)
    logChallengeAnswered(id, disposition, by: .engine)
  }

  func logChallengeReceived(_ id: CorrelationID, _ method: TransferSession.AuthenticationMethod, failures: Int? = nil) {
    sink.emit(
      AttemptChallengeReceived(
        task: task.identity, attempt: attempt, challenge: id, challengeMethod: method.logged, host: plan.url.host,
        previousFailures: failures ?? refusedCredentials))
  }

  func logChallengeAnswered(_ id: CorrelationID, _ disposition: ChallengeDisposition, by actor: Actor) {
    sink.emit(
      AttemptChallengeAnswered(task: task.identity, attempt: attempt, challenge: id, disposition: disposition, by: actor))
  }
}

extension TransferSession.AuthenticationMethod {
  fileprivate var logged: ChallengeMethod {
    switch self {
    case .httpBasic: .basic
    case .httpDigest: .digest
    case .serverTrust: .serverTrust
    case .clientCertificate: .clientCertificate
    }
  }
}

extension TransferSession.AuthChallengeDisposition {
  var logged: ChallengeDisposition {
    switch self {
    case .useCredential: .useCredential
    case .performDefaultHandling: .performDefaultHandling
    case .cancelAuthenticationChallenge: .cancel
    case .rejectProtectionSpace: .rejectProtectionSpace
    }
  }
}

extension TransferError {
  /// The app cancelled an HTTP authentication challenge. The number is libcurl's `CURLE_LOGIN_DENIED`.
  static let challengeCancelled = TransferError(
    .userCancelledAuthentication, number: 67, stage: .response, problem: "the app cancelled the authentication challenge")
}
