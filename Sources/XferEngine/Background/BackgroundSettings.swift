/// The part of a background session's configuration that the app sends to the daemon.
package struct BackgroundSettings: Codable, Sendable, Equatable {
  package var sendsLaunchEvents: Bool
  package var isDiscretionary: Bool
  package var extendedIdle: Bool
  package var container: String?
  /// The time without progress after which a request fails, in seconds. `nil` means unlimited.
  package var requestTimeout: Double?
  /// The time limit for a whole task, in seconds. `nil` means unlimited.
  package var resourceTimeout: Double?
  package var connectionsPerHost: Int
  package var allowsCellular: Bool
  package var allowsExpensive: Bool
  package var allowsConstrained: Bool
  package var redirectLimit: Int
  package var maximumBodyBytes: Int64?
  package var authoritiesFile: String?
  package var allowsAnyServer: Bool
  package var bytesPerSecondReceived: Int64?
  package var bytesPerSecondSent: Int64?
  /// Whether requests with non-idempotent methods are retried, too. `nil` means no.
  package var retriesUnsafeMethods: Bool?
  /// Whether requests carry `traceparent`. `nil` means no.
  package var sendsTraceContext: Bool?
  /// The span to which attempts belong, as a value of `traceparent`. `nil` if there is none.
  package var traceParent: String?

  package init(_ configuration: TransferSession.Configuration) {
    (sendsLaunchEvents, isDiscretionary) = (configuration.sessionSendsLaunchEvents, configuration.isDiscretionary)
    (extendedIdle, container) = (configuration.shouldUseExtendedBackgroundIdleMode, configuration.sharedContainerIdentifier)
    requestTimeout = configuration.timeoutIntervalForRequest.map { $0 / .seconds(1) }
    resourceTimeout = configuration.timeoutIntervalForResource.map { $0 / .seconds(1) }
    connectionsPerHost = configuration.httpMaximumConnectionsPerHost
    (allowsCellular, allowsExpensive) = (configuration.allowsCellularAccess, configuration.allowsExpensiveNetworkAccess)
    (allowsConstrained, redirectLimit) = (configuration.allowsConstrainedNetworkAccess, configuration.redirectLimit)
    maximumBodyBytes = configuration.maximumBodyBytes
    (authoritiesFile, allowsAnyServer) = (configuration.serverTrust.authoritiesFile, configuration.serverTrust.allowsAnyServer)
    bytesPerSecondReceived = configuration.maximumBytesPerSecondReceived
    bytesPerSecondSent = configuration.maximumBytesPerSecondSent
    retriesUnsafeMethods = configuration.retryPolicy.retriesUnsafeMethods ? true : nil
    sendsTraceContext = configuration.sendsTraceContext ? true : nil
    traceParent = configuration.traceParent
  }

  /// Returns the configuration of the session with which the daemon carries out the app's tasks. Clamps the values, because the
  /// app's message may contain invalid ones.
  package func configuration(temporaryDirectory: String) -> TransferSession.Configuration {
    var configuration = TransferSession.Configuration.ephemeral
    configuration.timeoutIntervalForRequest = requestTimeout.map { Duration(clampingSeconds: $0) }
    configuration.timeoutIntervalForResource = resourceTimeout.map { Duration(clampingSeconds: $0) }
    configuration.httpMaximumConnectionsPerHost = min(max(1, connectionsPerHost), 256)
    (configuration.allowsCellularAccess, configuration.allowsExpensiveNetworkAccess) = (allowsCellular, allowsExpensive)
    (configuration.allowsConstrainedNetworkAccess, configuration.redirectLimit) = (
      allowsConstrained, min(max(0, redirectLimit), 10_000)
    )
    configuration.maximumBodyBytes = maximumBodyBytes.map { max(0, $0) }
    (configuration.serverTrust.authoritiesFile, configuration.serverTrust.allowsAnyServer) = (authoritiesFile, allowsAnyServer)
    configuration.maximumBytesPerSecondReceived = bytesPerSecondReceived.map { max(1, $0) }
    configuration.maximumBytesPerSecondSent = bytesPerSecondSent.map { max(1, $0) }
    configuration.sendsTraceContext = sendsTraceContext ?? false
    // The daemon's own environment is of no concern to the app.
    configuration.traceParent = traceParent
    configuration.urlCache = nil
    configuration.waitsForConnectivity = true
    configuration.temporaryDirectory = temporaryDirectory
    // The daemon retries after network errors until the resource timeout expires.
    configuration.retryPolicy = TransferSession.RetryPolicy(maximumRetries: .max)
    configuration.retryPolicy.retriesUnsafeMethods = retriesUnsafeMethods ?? false
    // No HTTP status causes a retry: the app gets every response.
    configuration.retryPolicy.statusCodes = []
    return configuration
  }
}
