internal import CCurl
internal import CCurlShims
internal import HTTPTypes
internal import XferEvents

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What a transfer wants to know of the server before it talks to it.
struct PeerInquiry {
  /// What the last probe was shown; `nil` when none was made, or it was not shown anything.
  var shown: [Data]?
  /// Why the server is not believed; what it shows is looked at without belief.
  var problem: TransferError?
  /// Certificates of the client that were refused.
  var refusedCertificates = 0
  /// Servers that show one key to who looks and another to who comes would keep a task busy for ever.
  var count = 0

  static let limit = 8
}

/// A question of TLS that the app has not answered.
struct PeerChallenge {
  let id: CorrelationID
  let question: Question

  enum Question {
    /// - Parameter error: `nil` for a server whose certificate is valid.
    case trust(TransferSession.PeerTrust, error: TransferError?)
    /// - Parameter error: `nil` when nobody knows yet whether the server wants one.
    case certificate(error: TransferError?)
  }
}

// The app is asked whether to believe a server, and for a certificate of its own.
//
// libcurl cannot stop in the middle of a handshake. So a connection of its own shows who is there and is given up before anything
// is sent; what the app says then holds for connections to the very key that it was shown.
extension Transfer {
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

  /// libcurl has a connection. - Returns: whether a request is to be sent.
  func mayProceed() -> Bool {
    guard tls.isProbe, let easy else { return true }
    peer.shown = easy.shownCertificates
    return false
  }

  /// Looks at a connection that brought nothing: whether the app can do something about it.
  func askAboutPeer(_ error: TransferError) {
    guard plan.url.scheme == "https", refusal == nil, next == nil, peer.count < PeerInquiry.limit,
      task.session.delegate != nil
    else { return }
    peer.count += 1
    if let shown = peer.shown {
      peer.shown = nil
      askAboutShown(shown)
    } else if error.code == .serverCertificateUntrusted {
      lookWithoutBelief(error)
    } else if error.wantsCertificate, tls.certificate == nil || loop.peers.certificates[plan.url.origin] != nil {
      if tls.certificate != nil { peer.refusedCertificates += 1 }
      ask(.certificate(error: error))
    } else {
      peer.count -= 1
      // The file cannot be used: the next task asks again.
      if error.code == .clientCertificateRejected { loop.peers.certificates[plan.url.origin] = nil }
    }
  }

  private func askAboutShown(_ shown: [Data]) {
    let asksTrust = context.configuration.asksAboutServerTrust && loop.peers.trust[plan.url.origin] == nil
    guard asksTrust else { return ask(.certificate(error: nil)) }
    let problem = peer.problem
    peer.problem = nil
    if let trust = TransferSession.PeerTrust(certificates: shown, problem: problem?.problem) {
      ask(.trust(trust, error: problem))
    } else {
      refusal = problem ?? .nothingShown
    }
  }

  private func lookWithoutBelief(_ error: TransferError) {
    if error.isOfPin {
      // Which keys a session takes is not the app's to give up; one that the app has trusted may be another by now.
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
    sayChallengeReceived(challenge.id, space.authenticationMethod, failures: peer.refusedCertificates)
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
    sayChallengeAnswered(challenge.id, disposition.logged, by: .app)
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
            "the app believes \(plan.url.host, privacy: .public), whose certificate is not valid, by its key \(trust.publicKeyPin, privacy: .public)",
          task: task.identity))
    }
  }
}

extension EasyHandle {
  /// What the server has shown, in DER, its own certificate first; libcurl keeps it where it was asked to.
  fileprivate var shownCertificates: [Data] {
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
  /// Whether the server has ended the handshake for want of a certificate. TLS 1.2 has no word of its own for it.
  fileprivate var wantsCertificate: Bool {
    guard code == .secureConnectionFailed || code == .networkConnectionLost else { return false }
    return ["alert certificate required", "alert handshake failure", "alert bad certificate", "alert unknown ca"].contains {
      problem.contains($0)
    }
  }

  /// Whether the server has another key than it should.
  fileprivate var isOfPin: Bool { domain == .curl && number == Int(CURLE_SSL_PINNEDPUBKEYNOTMATCH.rawValue) }

  static let peerChallengeCancelled = TransferError(
    .userCancelledAuthentication, number: 67, stage: .connection, problem: "the app gave up when it was asked about the server")

  static let serverRejected = TransferError(
    .serverCertificateUntrusted, number: 60, stage: .connection, problem: "the app does not believe the server")

  static let nothingShown = TransferError(
    .serverCertificateUntrusted, number: 60, stage: .connection, problem: "the server's certificate cannot be read")
}
