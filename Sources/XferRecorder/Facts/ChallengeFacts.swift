internal import Foundation
internal import XferEvents

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The completion handler of a challenge. The credential is passed on unread.
typealias ChallengeAnswer = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

extension ChallengeMethod {
  /// Creates a method from the value of an `NSURLAuthenticationMethod` constant. The values are literals, because some
  /// platforms lack some of the constants.
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
