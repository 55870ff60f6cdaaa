#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The authorization of requests to one origin. It is never sent to another origin.
struct Authorization: Sendable {
  let origin: URLFacts.Origin
  let credential: TransferSession.Credential
  var method: Method

  enum Method: Sendable, Equatable {
    case basic
    case digest(DigestAnswer)
  }

  /// Returns the value of the `Authorization` field for the next request.
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
  /// A challenge that the engine can answer.
  struct Answerable {
    let space: TransferSession.ProtectionSpace
    let method: Authorization.Method
    /// Whether the server accepted the credential but rejected the request's nonce as expired.
    let isStale: Bool
  }

  /// Returns the challenges that can be answered, Digest before Basic.
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
