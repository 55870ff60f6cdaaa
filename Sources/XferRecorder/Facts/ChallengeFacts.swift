internal import Foundation
internal import XferEvents

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// How a challenge is answered; the credential is passed on and never looked at.
typealias ChallengeAnswer = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

extension ChallengeMethod {
  /// Reads `NSURLAuthenticationMethod…`, of which not every system has every constant.
  init(_ method: String) {
    switch method {
    case "NSURLAuthenticationMethodServerTrust": self = .serverTrust
    case "NSURLAuthenticationMethodClientCertificate": self = .clientCertificate
    case "NSURLAuthenticationMethodHTTPBasic", "NSURLAuthenticationMethodDefault": self = .basic
    case "NSURLAuthenticationMethodHTTPDigest": self = .digest
    case "NSURLAuthenticationMethodOAuth": self = .bearer
    default: self = .other
    }
  }
}

extension ChallengeDisposition {
  init(_ disposition: URLSession.AuthChallengeDisposition) {
    switch disposition {
    case .useCredential: self = .useCredential
    case .performDefaultHandling: self = .performDefaultHandling
    case .cancelAuthenticationChallenge: self = .cancel
    default: self = .rejectProtectionSpace
    }
  }
}
