internal import Foundation
internal import XferEvents

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension URLSessionConfiguration {
  /// A configuration does not say of which kind it is. One that has an identifier is a background session's; one whose
  /// cookies and credentials are both its own is taken for an ephemeral one's.
  var sessionKind: SessionKind {
    if let identifier, !identifier.isEmpty { return .background }
    let hasOwnCookies = httpCookieStorage.map { $0 !== HTTPCookieStorage.shared } ?? false
    let hasOwnCredentials = urlCredentialStorage.map { $0 !== URLCredentialStorage.shared } ?? false
    return hasOwnCookies && hasOwnCredentials ? .ephemeral : .default
  }

  /// Names of the fields that every request has, without their values.
  var headerNames: [String] { (httpAdditionalHeaders ?? [:]).keys.compactMap { $0 as? String }.loggedNames }

  /// One line that is the same for configurations that act the same; header values are left out.
  var canonical: String {
    let limits = [
      timeoutIntervalForRequest, timeoutIntervalForResource, Double(httpMaximumConnectionsPerHost),
      Double(requestCachePolicy.rawValue), Double(networkServiceType.rawValue), Double(httpCookieAcceptPolicy.rawValue),
    ]
    let flags = [isDiscretionary, allowsCellularAccess, httpShouldSetCookies, urlCache != nil]
    return "\(sessionKind) \(limits) \(flags) \(headerNames)"
  }
}

/// What a configuration says on Apple systems only; elsewhere all of it is `nil`.
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
      #if !os(macOS)
        sendsLaunchEvents = configuration.sessionSendsLaunchEvents
      #endif
    #endif
  }
}

extension Sequence<String> {
  /// Names of header fields as a log has them: what is no name is no name there either, and a dictionary has no order.
  var loggedNames: [String] { filter(LoggedText.isToken).map { $0.lowercased() }.sorted() }
}
