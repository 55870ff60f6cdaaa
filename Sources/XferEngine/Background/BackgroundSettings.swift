/// What of a configuration the daemon acts by.
package struct BackgroundSettings: Codable, Sendable, Equatable {
  package var sendsLaunchEvents: Bool
  package var isDiscretionary: Bool
  package var extendedIdle: Bool
  package var container: String?
  /// Seconds; `nil` is no limit.
  package var requestTimeout: Double?
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
  }

  /// How the daemon's engine carries the session's tasks out.
  package func configuration(temporaryDirectory: String) -> TransferSession.Configuration {
    var configuration = TransferSession.Configuration.ephemeral
    configuration.timeoutIntervalForRequest = requestTimeout.map { .seconds(clamping: $0) }
    configuration.timeoutIntervalForResource = resourceTimeout.map { .seconds(clamping: $0) }
    configuration.httpMaximumConnectionsPerHost = connectionsPerHost
    (configuration.allowsCellularAccess, configuration.allowsExpensiveNetworkAccess) = (allowsCellular, allowsExpensive)
    (configuration.allowsConstrainedNetworkAccess, configuration.redirectLimit) = (allowsConstrained, redirectLimit)
    configuration.maximumBodyBytes = maximumBodyBytes
    (configuration.serverTrust.authoritiesFile, configuration.serverTrust.allowsAnyServer) = (authoritiesFile, allowsAnyServer)
    configuration.maximumBytesPerSecondReceived = bytesPerSecondReceived
    configuration.maximumBytesPerSecondSent = bytesPerSecondSent
    configuration.urlCache = nil
    configuration.waitsForConnectivity = true
    configuration.temporaryDirectory = temporaryDirectory
    // What the network does to a transfer is the daemon's to mend, for as long as the resource's limit allows.
    configuration.retryPolicy = TransferSession.RetryPolicy(maximumRetries: .max)
    // A status is an answer.
    configuration.retryPolicy.statusCodes = []
    return configuration
  }
}

extension Duration {
  /// - Parameter seconds: of a message or a file; values out of 0 to 1e9 become the nearest of these.
  static func seconds(clamping seconds: Double) -> Duration { .seconds(seconds.isNaN ? 0 : max(0, min(seconds, 1e9))) }
}
