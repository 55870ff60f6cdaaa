#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// How the requests to one origin prove who asks. Goes with no request to any other.
struct Authorization: Sendable {
  let origin: URLFacts.Origin
  let credential: TransferSession.Credential
  var method: Method

  enum Method: Sendable, Equatable {
    case basic
    case digest(DigestAnswer)
  }

  /// The value of the field for one more request.
  mutating func value(method name: String, target: String, clientNonce: @autoclosure () -> String) -> String {
    switch method {
    case .basic: return "Basic " + Data("\(credential.user):\(credential.password)".utf8).base64EncodedString()
    case .digest(var answer):
      defer { method = .digest(answer) }
      return answer.authorization(credential, method: name, target: target, clientNonce: clientNonce())
    }
  }
}

extension ChallengeList {
  /// One challenge that the engine can answer.
  struct Answerable {
    let space: TransferSession.ProtectionSpace
    let method: Authorization.Method
    /// The credential was right and its nonce too old.
    let isStale: Bool
  }

  /// What can be answered, the safest method first.
  func answerable(_ url: URLFacts, allowed: Set<TransferSession.AuthenticationMethod>) -> [Answerable] {
    let found = challenges.compactMap { challenge -> Answerable? in
      func space(_ realm: String?, _ method: TransferSession.AuthenticationMethod) -> TransferSession.ProtectionSpace {
        .init(scheme: url.scheme, host: url.host, port: url.effectivePort, realm: realm, authenticationMethod: method)
      }
      switch challenge.scheme {
      case "basic" where allowed.contains(.httpBasic):
        return Answerable(space: space(challenge.parameters["realm"], .httpBasic), method: .basic, isStale: false)
      case "digest" where allowed.contains(.httpDigest):
        guard let answer = DigestAnswer(challenge) else { return nil }
        return Answerable(
          space: space(answer.realm, .httpDigest), method: .digest(answer), isStale: DigestAnswer.isStale(challenge))
      default: return nil
      }
    }
    return found.filter { $0.method != .basic } + found.filter { $0.method == .basic }
  }
}
