internal import HTTPTypes
internal import XferEvents

/// The name and value of one configuration setting, as text.
struct Setting: Sendable, Equatable {
  let name: String
  let value: String
  /// The value that may be logged: `set` instead of a private value.
  let loggedValue: String

  init(_ name: String, _ value: some CustomStringConvertible) {
    (self.name, self.value, loggedValue) = (name, "\(value)", "\(value)")
  }

  init(_ name: String, _ value: Duration?) { self.init(name, value.map(Self.seconds) ?? "none") }

  init(_ name: String, _ value: Int64?) { self.init(name, value.map { "\($0)" } ?? "none") }

  /// Creates a setting with a private value, such as a path. The log shows only whether there is a value; `nil` means none.
  init(_ name: String, private value: String?, logged: String = "set") {
    (self.name, self.value, loggedValue) = (name, value ?? "none", value == nil ? "none" : logged)
  }

  /// Formats a duration in seconds, such as `60s` or `0.25s`.
  private static func seconds(_ duration: Duration) -> String {
    let nanoseconds = duration.nanoseconds
    return nanoseconds % 1_000_000_000 == 0 ? "\(nanoseconds / 1_000_000_000)s" : "\(Double(nanoseconds) / 1e9)s"
  }
}

extension TransferSession.Configuration {
  /// All settings that affect the session's behaviour, in a fixed order.
  var settings: [Setting] {
    timeSettings + connectionSettings + networkSettings + contentSettings + messageSettings + backgroundSettings
  }

  private var timeSettings: [Setting] {
    [
      Setting("timeoutIntervalForRequest", timeoutIntervalForRequest),
      Setting("requestTimeoutOrigin", requestTimeoutOrigin.name),
      Setting("timeoutIntervalForResource", timeoutIntervalForResource),
      Setting("timeoutIntervalForConnection", timeoutIntervalForConnection),
      Setting("maximumRetries", retryPolicy.maximumRetries),
      Setting("retryDelay", Optional(retryPolicy.delay)),
      Setting("maximumRetryTime", retryPolicy.maximumTime),
      Setting("retriesUnsafeMethods", retryPolicy.retriesUnsafeMethods),
      Setting("maximumRetryDelay", Optional(retryPolicy.maximumDelay)),
      Setting("maximumRetryAfter", Optional(retryPolicy.maximumRetryAfter)),
      Setting("retriedStatusCodes", retryPolicy.statusCodes.sorted().map(String.init).joined(separator: "+")),
      Setting("retriesRefusedConnections", retryPolicy.retriesRefusedConnections),
      Setting("hasFixedRetryDelay", retryPolicy.hasFixedDelay),
    ]
  }

  private var connectionSettings: [Setting] {
    [
      Setting("httpMaximumConnectionsPerHost", httpMaximumConnectionsPerHost),
      Setting("maximumConnections", maximumConnections),
      Setting("httpVersions", httpVersions.rawValue),
      Setting("addressFamily", addressFamily.rawValue),
      Setting("hostAddresses", private: hostAddresses.isEmpty ? nil : "\(hostAddresses)"),
      Setting(
        "connectionProxy",
        connectionProxy.flatMap { try? URLFacts($0.urlText) }.map { "\($0.scheme)://\($0.authority)" } ?? "none"),
      Setting("tlsMinimumSupportedProtocolVersion", "\(tlsMinimumSupportedProtocolVersion)"),
      Setting("tlsMaximumSupportedProtocolVersion", tlsMaximumSupportedProtocolVersion.map { "\($0)" } ?? "newest"),
      Setting("allowsAnyServer", serverTrust.allowsAnyServer),
      Setting("authoritiesFile", private: serverTrust.authoritiesFile),
      Setting("pinnedPublicKeys", private: serverTrust.pinnedPublicKeys.isEmpty ? nil : "\(serverTrust.pinnedPublicKeys)"),
      Setting("clientCertificate", private: clientCertificate?.certificateFile),
      Setting("asksAboutServerTrust", asksAboutServerTrust),
      Setting("asksForClientCertificate", asksForClientCertificate),
      Setting("maximumBytesPerSecondReceived", maximumBytesPerSecondReceived),
      Setting("maximumBytesPerSecondSent", maximumBytesPerSecondSent),
    ]
  }

  private var networkSettings: [Setting] {
    [
      Setting("waitsForConnectivity", waitsForConnectivity),
      Setting("allowsCellularAccess", allowsCellularAccess),
      Setting("allowsExpensiveNetworkAccess", allowsExpensiveNetworkAccess),
      Setting("allowsConstrainedNetworkAccess", allowsConstrainedNetworkAccess),
    ]
  }

  private var messageSettings: [Setting] {
    let omitted = messages.omittedFields.map(\.canonicalName).sorted()
    return [
      Setting("contentDecoding", messages.contentDecoding.rawValue),
      Setting("acceptsTransferCodings", messages.acceptsTransferCodings),
      Setting("keepsCodings", messages.keepsCodings),
      Setting("ignoresContentLength", messages.ignoresContentLength),
      Setting("acceptsAnyContentLength", messages.acceptsAnyContentLength),
      Setting("timeoutIntervalForContinue", messages.timeoutIntervalForContinue),
      Setting("omittedFields", LoggedText.names(omitted)),
      Setting("followsRedirects", messages.followsRedirects),
      Setting("statusesKeepingMethod", messages.statusesKeepingMethod.sorted().map(String.init).joined(separator: "+")),
    ]
  }

  private var contentSettings: [Setting] {
    [
      Setting("redirectLimit", redirectLimit),
      Setting("httpAdditionalHeaders", LoggedText.names(Set(httpAdditionalHeaders.map(\.name.canonicalName)).sorted())),
      Setting("httpCookieStorage", private: httpCookieStorage == nil ? nil : "set"),
      Setting("httpCookieAcceptPolicy", httpCookieAcceptPolicy.rawValue),
      Setting("httpShouldSetCookies", httpShouldSetCookies),
      Setting("urlCredentialStorage", private: urlCredentialStorage == nil ? nil : "set"),
      Setting("authenticationMethods", authenticationMethods.map { "\($0)" }.sorted().joined(separator: "+")),
      Setting("sendsCredentialsUnasked", sendsCredentialsUnasked),
      Setting("urlCache", urlCache.map { "\($0.memoryCapacity)+\($0.diskCapacity)" } ?? "none"),
      Setting("requestCachePolicy", requestCachePolicy.rawValue),
      Setting("keepsPartialDownloads", keepsPartialDownloads),
      Setting("maximumResponseHeaderBytes", maximumResponseHeaderBytes),
      Setting("maximumResponseHeaderFields", maximumResponseHeaderFields),
      Setting("maximumBodyBytes", maximumBodyBytes),
      Setting("maximumDecodedBytes", maximumDecodedBytes),
      Setting("maximumDecodedRatio", maximumDecodedRatio),
      Setting("coalescesIdenticalRequests", coalescesIdenticalRequests),
      Setting("digestsContent", digestsContent),
      Setting("sendsTraceContext", sendsTraceContext),
      Setting("traceParent", private: traceParent, logged: trace == nil ? "malformed" : "set"),
      Setting("synchronisesDownloads", synchronisesDownloads),
      Setting("temporaryDirectory", private: temporaryDirectory),
    ]
  }

  private var backgroundSettings: [Setting] {
    [
      Setting("isDiscretionary", isDiscretionary),
      Setting("sessionSendsLaunchEvents", sessionSendsLaunchEvents),
      Setting("sharedContainerIdentifier", private: sharedContainerIdentifier),
      Setting("shouldUseExtendedBackgroundIdleMode", shouldUseExtendedBackgroundIdleMode),
    ]
  }

  private static func defaults(of kind: Kind, _ identifier: String?) -> Self {
    switch kind {
    case .default: .default
    case .ephemeral: .ephemeral
    case .background: .background(withIdentifier: identifier ?? "")
    }
  }

  /// One line that is equal for configurations with the same behaviour. Excludes the values of header fields.
  var canonical: String { "\(kind) " + settings.map { "\($0.name)=\($0.value)" }.joined(separator: " ") }

  /// The canonical line without private values.
  var canonicalAsLogged: String { "\(kind) " + settings.map { "\($0.name)=\($0.loggedValue)" }.joined(separator: " ") }

  /// The settings that differ from the defaults of the session's kind, with the values that may be logged. Empty if none
  /// differs.
  var changedSettings: String {
    let defaults = Self.defaults(of: kind, identifier)
    let changed = zip(settings, defaults.settings).filter { $0.value != $1.value }.map(\.0)
    return LoggedText.bounded(changed.map { "\($0.name)=\($0.loggedValue)" }.joined(separator: " "), 2048)
  }
}
