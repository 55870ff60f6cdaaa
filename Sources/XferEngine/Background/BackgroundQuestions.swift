package import HTTPTypes

/// A server's authentication challenge, as the daemon forwards it to the app.
package struct BackgroundChallenge: Codable, Sendable, Equatable {
  package enum Method: String, Codable, Sendable {
    case basic, digest
  }

  package var id: UInt64
  package var session: String
  package var task: String
  package var number: UInt32
  package var scheme: String
  package var host: String
  package var port: Int
  package var isProxy: Bool
  package var realm: String?
  package var method: Method
  package var failures: Int
  package var response: TransferredResponse?

  /// Returns `nil` for TLS challenges, which are not forwarded: the daemon evaluates server certificates itself, and private
  /// keys never leave the app.
  package init?(_ challenge: TransferSession.AuthenticationChallenge, id: UInt64, session: String, task: String, number: UInt32) {
    let space = challenge.protectionSpace
    switch space.authenticationMethod {
    case .httpBasic: method = .basic
    case .httpDigest: method = .digest
    case .serverTrust, .clientCertificate: return nil
    }
    (self.id, self.session, self.task, self.number) = (id, session, task, number)
    (scheme, host, port, isProxy, realm) = (space.scheme, space.host, space.port, space.isProxy, space.realm)
    failures = challenge.previousFailureCount
    response = challenge.failureResponse.map(TransferredResponse.init)
  }

  package var challenge: TransferSession.AuthenticationChallenge {
    .init(
      protectionSpace: .init(
        scheme: scheme, host: host, port: port, isProxy: isProxy, realm: realm,
        authenticationMethod: method == .basic ? .httpBasic : .httpDigest),
      previousFailureCount: failures, proposedCredential: nil, failureResponse: response?.transferResponse)
  }

  package static func == (left: Self, right: Self) -> Bool { left.id == right.id }
}

package struct ChallengeAnswer: Codable, Sendable {
  package enum Disposition: String, Codable, Sendable {
    case useCredential, performDefaultHandling, cancel, rejectProtectionSpace
  }

  package var id: UInt64
  package var disposition: Disposition
  package var user: String?
  package var password: String?

  package init(id: UInt64, _ disposition: TransferSession.AuthChallengeDisposition, _ credential: TransferSession.Credential?) {
    self.id = id
    switch disposition {
    case .useCredential: self.disposition = .useCredential
    case .performDefaultHandling: self.disposition = .performDefaultHandling
    case .cancelAuthenticationChallenge: self.disposition = .cancel
    case .rejectProtectionSpace: self.disposition = .rejectProtectionSpace
    }
    (user, password) = (credential?.user, credential?.password)
  }

  package var answer: (TransferSession.AuthChallengeDisposition, TransferSession.Credential?) {
    switch disposition {
    case .useCredential: (.useCredential, user.map { .init(user: $0, password: password ?? "") })
    case .performDefaultHandling: (.performDefaultHandling, nil)
    case .cancel: (.cancelAuthenticationChallenge, nil)
    case .rejectProtectionSpace: (.rejectProtectionSpace, nil)
    }
  }
}

/// The app's decision about a delayed task whose earliest begin date has passed.
package struct DelayAnswer: Codable, Sendable {
  package enum Disposition: Codable, Sendable {
    case begin, cancel
    case beginWith(HTTPRequest)
  }

  package var task: String
  package var disposition: Disposition

  package init(task: String, _ disposition: Disposition) { (self.task, self.disposition) = (task, disposition) }
}
