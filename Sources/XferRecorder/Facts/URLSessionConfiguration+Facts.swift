internal import Foundation
internal import XferEvents

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension URLSessionConfiguration {
  /// The kind of session, inferred because a configuration does not state it. A configuration with an identifier is a
  /// background configuration. One with its own cookie and credential storage is treated as ephemeral.
  var sessionKind: SessionKind {
    if let identifier, !identifier.isEmpty { return .background }
    let hasOwnCookies = httpCookieStorage.map { $0 !== HTTPCookieStorage.shared } ?? false
    let hasOwnCredentials = urlCredentialStorage.map { $0 !== URLCredentialStorage.shared } ?? false
    return hasOwnCookies && hasOwnCredentials ? .ephemeral : .default
  }

  /// The names of the header fields that the session adds to every request.
  var headerNames: [String] { (httpAdditionalHeaders ?? [:]).keys.compactMap { $0 as? String }.loggedNames }

  /// A text that is equal for configurations with the same behavior. Header values are left out.
  var canonical: String {
    let limits = [
      timeoutIntervalForRequest, timeoutIntervalForResource, Double(httpMaximumConnectionsPerHost),
      Double(requestCachePolicy.rawValue), Double(networkServiceType.rawValue), Double(httpCookieAcceptPolicy.rawValue),
    ]
    let flags = [isDiscretionary, allowsCellularAccess, httpShouldSetCookies, urlCache != nil]
    return "\(sessionKind) \(limits) \(flags) \(headerNames)"
  }
}

/// Configuration values that exist only on Apple platforms. All are `nil` on other platforms.
struct ConfigurationLimits {
  var waitsForConnectivity: Bool?
  var sendsLaunchEvents: Bool?
  var extendedIdle: Bool?
  var allowsExpensive: Bool?
  var allowsConstrained: Bool?
  var container: String?

  init(_ configuration: URLSessionConfiguration) {
    #if canImport(Darwin)
      waitsForConnectivity = configuration.waitsForConnectivity
      extendedIdle = configuration.shouldUseExtendedBackgroundIdleMode
      allowsExpensive = configuration.allowsExpensiveNetworkAccess
      allowsConstrained = configuration.allowsConstrainedNetworkAccess
      container = configuration.sharedContainerIdentifier
      sendsLaunchEvents = configuration.sessionSendsLaunchEvents
    #endif
  }
}

extension Sequence<String> {
  /// Valid header field names in lowercase, sorted. Invalid names are left out.
  var loggedNames: [String] { filter(LoggedText.isToken).map { $0.lowercased() }.sorted() }
}
