internal import CCurl
internal import CCurlShims
internal import HTTPTypes
internal import XferEvents

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The state of a transfer's inspection of the server's certificate.
struct PeerInquiry {
  /// The certificates that the last probe received, in DER. `nil` without a probe that completed its handshake.
  var shown: [Data]?
  /// The error with which the verification of the server's certificate failed. `nil` before a failure. After a failure, the next
  /// probe connection does not verify the certificate.
  var problem: TransferError?
  /// The number of client certificates that the server rejected.
  var refusedCertificates = 0
  /// The number of inspections. Limited because a server that alternates keys would otherwise keep the task busy forever.
  var count = 0

  static let limit = 8
}

/// A TLS authentication challenge that the app has not answered.
struct PeerChallenge {
  let id: CorrelationID
  let question: Question

  enum Question {
    /// The app decides whether to trust the server.
    ///
    /// - Parameter error: the verification error; `nil` for a valid certificate.
    case trust(TransferSession.PeerTrust, error: TransferError?)
    /// The app is asked for a client certificate.
    ///
    /// - Parameter error: the server's rejection; `nil` before the server has asked for a certificate.
    case certificate(error: TransferError?)
  }
}

// TLS authentication challenges: whether the app trusts the server, and which client certificate to use.
//
// libcurl cannot pause within a handshake. A separate probe connection therefore fetches the server's certificates and is
// closed before a request is sent. The app's decision then applies to connections to the same public key only.
extension Transfer {
  /// Returns the TLS settings of the next connection.
  func nextTLS() -> TLSUse {
    var use = TLSUse()
    guard plan.url.scheme == "https" else { return use }
    let (origin, configuration) = (plan.url.origin, context.configuration)
    let certificate = loop.peers.certificates[origin]
    use.certificate = certificate ?? configuration.clientCertificate
    use.offersHTTP2 = !loop.peers.falseHTTP2.contains(origin)
    if let trust = loop.peers.trust[origin] { (use.pin, use.verifies) = (trust.pin, trust.verifies) }
    guard task.session.delegate != nil else { return use }
    let asksTrust = configuration.asksAboutServerTrust && loop.peers.trust[origin] == nil
    let asksCertificate = configuration.asksForClientCertificate && use.certificate == nil && certificate == nil
    use.isProbe = asksTrust || asksCertificate
    if asksTrust, peer.problem != nil { use.verifies = false }
    return use
  }

  /// Whether a request is sent on the acquired connection. A probe connection only yields the server's certificates.
  func mayProceed() -> Bool {
    if refusal != nil { return false }
    if tls.isProbe, let easy {
      peer.shown = easy.serverCertificates
      return false
    }
    if let willSend = task.options.willSendUnrepeatable, !isRepeatable { willSend() }
    return true
  }

  /// Asks the app about the server after a probe or a failed handshake, if the app can resolve the failure.
  func askAboutPeer(_ error: TransferError) {
    guard plan.url.scheme == "https", refusal == nil, next == nil, peer.count < PeerInquiry.limit,
      task.session.delegate != nil
    else { return }
    peer.count += 1
    if let shown = peer.shown {
      peer.shown = nil
      askAboutCertificates(shown)
    } else if error.code == .serverCertificateUntrusted {
      probeWithoutVerification(error)
    } else if error.wantsCertificate, tls.certificate == nil || loop.peers.certificates[plan.url.origin] != nil {
      if tls.certificate != nil { peer.refusedCertificates += 1 }
      ask(.certificate(error: error))
    } else {
      peer.count -= 1
      // The certificate file is unusable, so the next task asks the app again.
      if error.code == .clientCertificateRejected { loop.peers.certificates[plan.url.origin] = nil }
    }
  }

  private func askAboutCertificates(_ shown: [Data]) {
    let asksTrust = context.configuration.asksAboutServerTrust && loop.peers.trust[plan.url.origin] == nil
    guard asksTrust else { return ask(.certificate(error: nil)) }
    let problem = peer.problem
    peer.problem = nil
    if let trust = TransferSession.PeerTrust(certificates: shown, problem: problem?.problem) {
      ask(.trust(trust, error: problem))
    } else {
      refusal = problem ?? .certificateUnreadable
    }
  }

  private func probeWithoutVerification(_ error: TransferError) {
    if error.isPinMismatch {
      // A pin from the session's configuration is final. A pin from an app's decision may be stale, so the app is asked again.
      guard tls.pin != nil else { return }
      loop.peers.trust[plan.url.origin] = nil
      next = .again(plan)
    } else if tls.isProbe, tls.verifies, context.configuration.asksAboutServerTrust {
      peer.problem = error
      next = .again(plan)
    }
  }

  private func ask(_ question: PeerChallenge.Question) {
    guard let delegate = task.session.delegate else { return }
    let challenge = PeerChallenge(id: context.makeCorrelation(), question: question)
    self.question = .peer(challenge)
    var space = TransferSession.ProtectionSpace(
      scheme: plan.url.scheme, host: plan.url.host, port: plan.url.effectivePort, authenticationMethod: .clientCertificate)
    var problem: TransferError?
    switch question {
    case .trust(let trust, let error):
      (space.authenticationMethod, space.serverTrust, problem) = (.serverTrust, trust, error)
    case .certificate(let error): problem = error
    }
    logChallengeReceived(challenge.id, space.authenticationMethod, failures: peer.refusedCertificates)
    send(
      TransferSession.AuthenticationChallenge(
        protectionSpace: space, previousFailureCount: peer.refusedCertificates, proposedCredential: nil, failureResponse: nil,
        error: problem), to: delegate)
  }

  // MARK: Answers

  func peerAnswered(
    _ disposition: TransferSession.AuthChallengeDisposition, _ credential: TransferSession.Credential?, _ challenge: PeerChallenge
  ) throws(TransferError) {
    task.noteHoldEnded(.challenge)
    logChallengeAnswered(challenge.id, disposition.logged, by: .app)
    if disposition == .cancelAuthenticationChallenge { throw .peerChallengeCancelled }
    switch challenge.question {
    case .trust(let trust, let error):
      try decide(trust, error, isTrusted: disposition == .useCredential && credential?.serverTrust == trust, disposition)
      if nextTLS().isProbe { return ask(.certificate(error: nil)) }
    case .certificate(let error):
      let certificate = disposition == .useCredential ? credential?.clientCertificate : nil
      loop.peers.certificates[plan.url.origin] = .some(certificate)
      if certificate == nil, let error { throw error }
    }
    next = .again(plan)
  }

  private func decide(
    _ trust: TransferSession.PeerTrust, _ error: TransferError?, isTrusted: Bool,
    _ disposition: TransferSession.AuthChallengeDisposition
  ) throws(TransferError) {
    if disposition == .rejectProtectionSpace { throw error ?? .serverRejected }
    if !isTrusted, let error { throw error }
    loop.peers.trust[plan.url.origin] = .init(pin: isTrusted ? trust.publicKeyPin : nil, verifies: error == nil)
    if isTrusted, error != nil {
      sink.emit(
        MessageFault(
          subsystem: "xferlog", category: "security",
          eventMessage:
            "the app trusts \(plan.url.host, privacy: .public) despite its invalid certificate, by its public key \(trust.publicKeyPin, privacy: .public)",
          task: task.identity))
    }
  }
}

extension EasyHandle {
  /// The certificates that the server sent, in DER, its own first. Available if `CURLOPT_CERTINFO` was set.
  fileprivate var serverCertificates: [Data] {
    var certificates: [Data] = []
    while let text = cc_shown_certificate(pointer, Int32(certificates.count)) {
      let lines = String(cString: text).split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }
      guard let certificate = Data(base64Encoded: lines.joined()) else { break }
      certificates.append(certificate)
    }
    return certificates
  }
}

extension TransferError {
  /// Whether the server aborted the handshake because it requires a client certificate.
  ///
  /// TLS 1.2 has no dedicated alert for a missing certificate, so several alerts count.
  fileprivate var wantsCertificate: Bool {
    guard code == .secureConnectionFailed || code == .networkConnectionLost else { return false }
    return ["alert certificate required", "alert handshake failure", "alert bad certificate", "alert unknown ca"].contains {
      problem.contains($0)
    }
  }

  /// Whether the server's public key does not match the pinned key.
  fileprivate var isPinMismatch: Bool { domain == .curl && number == Int(CURLE_SSL_PINNEDPUBKEYNOTMATCH.rawValue) }

  static let peerChallengeCancelled = TransferError(
    .userCancelledAuthentication, number: 67, stage: .connection, problem: "the app cancelled the TLS authentication challenge")

  static let serverRejected = TransferError(
    .serverCertificateUntrusted, number: 60, stage: .connection, problem: "the app rejected the server's certificate")

  static let certificateUnreadable = TransferError(
    .serverCertificateUntrusted, number: 60, stage: .connection, problem: "the server's certificate cannot be read")
}
