import HTTPTypes
import XferEngine

extension SessionSettings {
  /// Returns a session configuration that implements the options.
  ///
  /// - Parameters:
  ///   - connections: The number of transfers that run at a time.
  ///   - cookies: The cookies of the command.
  ///   - synchronises: Whether downloaded files are synced to disk before the command receives them.
  func configuration(
    _ verb: Verb, connections: Int, cookies: TransferSession.CookieStorage?, synchronises: Bool
  ) throws(OptionProblem) -> TransferSession.Configuration {
    var configuration = TransferSession.Configuration.default
    configuration.name = verb.rawValue
    configuration.maximumConnections = connections
    configuration.httpMaximumConnectionsPerHost = connections
    configuration.timeoutIntervalForRequest = silence
    if let maxTime { configuration.timeoutIntervalForResource = maxTime }
    configuration.timeoutIntervalForConnection = connectTimeout
    configuration.redirectLimit = maxRedirects < 0 ? .max : maxRedirects
    configuration.maximumBodyBytes = maxFileSize
    configuration.maximumDecodedBytes = .max
    configuration.maximumBytesPerSecondReceived = rate
    configuration.maximumBytesPerSecondSent = rate
    configuration.retryPolicy = retryPolicy
    configuration.synchronisesDownloads = synchronises
    configuration.urlCredentialStorage = nil
    // As in curl, every request goes to the server, without a cache.
    configuration.urlCache = nil
    configuration.httpCookieStorage = usesCookies ? cookies : nil
    configuration.messages = messages
    configuration.addressFamily = addressFamily
    configuration.sendsTraceContext = sendsTraceContext
    configuration.hostAddresses = try resolve.map { entry throws(OptionProblem) in try Self.address(entry) }
    setTrust(&configuration)
    setVersion(&configuration)
    configuration.connectionProxy = proxySetting
    return configuration
  }

  private var retryPolicy: TransferSession.RetryPolicy {
    var policy = TransferSession.RetryPolicy(maximumRetries: retries)
    if let retryDelay { (policy.delay, policy.hasFixedDelay) = (retryDelay, true) }
    policy.maximumTime = retryMaxTime
    policy.retriesRefusedConnections = retriesRefused || retriesAllErrors
    policy.retriesUnsafeMethods = retriesAllErrors
    return policy
  }

  private var messages: TransferSession.MessageOptions {
    var options = TransferSession.MessageOptions()
    options.contentDecoding = isCompressed ? .always : .never
    options.acceptsTransferCodings = acceptsTransferCodings
    options.keepsCodings = isRaw
    options.ignoresContentLength = ignoresContentLength
    options.acceptsAnyContentLength = true
    options.timeoutIntervalForContinue = continueTimeout
    options.omittedFields = Set(omittedFields.compactMap { HTTPField.Name($0) })
    options.followsRedirects = followsRedirects
    options.statusesKeepingMethod = statusesKeepingMethod
    options.deliversHeads = wantsHeads
    options.deliversRetriedBodies = wantsRetriedBodies
    return options
  }

  private func setTrust(_ configuration: inout TransferSession.Configuration) {
    configuration.serverTrust.allowsAnyServer = isInsecure
    configuration.serverTrust.authoritiesFile = authorities
    configuration.serverTrust.pinnedPublicKeys = pins?.split(separator: ";").map(String.init) ?? []
    if let tlsMinimum { configuration.tlsMinimumSupportedProtocolVersion = tlsMinimum }
    configuration.tlsMaximumSupportedProtocolVersion = tlsMaximum
    guard let certificate else { return }
    let parts = certificate.split(separator: ":", maxSplits: 1)
    configuration.clientCertificate = .init(
      certificateFile: String(parts.first ?? ""), keyFile: key,
      keyPassword: keyPassword ?? (parts.count > 1 ? String(parts[1]) : nil))
  }

  private func setVersion(_ configuration: inout TransferSession.Configuration) {
    switch httpVersion {
    case .http10: configuration.httpVersions = .http10
    case .http11: configuration.httpVersions = .http1
    case .http2, nil: configuration.httpVersions = .automatic
    case .http2PriorKnowledge: configuration.httpVersions = .http2PriorKnowledge
    }
  }

  private var proxySetting: TransferSession.Proxy? {
    guard let proxy else { return nil }
    let url = GivenURL(proxy)
    var setting = TransferSession.Proxy(url.text, credential: url.credential)
    if let parts = proxyUser?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false) {
      setting.credential = .init(user: String(parts[0]), password: parts.count > 1 ? String(parts[1]) : "")
    }
    setting.exceptions = noProxy?.split(separator: ",").map { $0.trimmingPrefix(" ") }.map(String.init) ?? []
    setting.tunnelsEverything = tunnels
    return setting
  }

  /// Returns the address mapping in `HOST:PORT:ADDRESS[,ADDRESS]`. IPv6 addresses may be in brackets.
  private static func address(_ entry: String) throws(OptionProblem) -> TransferSession.HostAddress {
    let text = entry.hasPrefix("+") ? entry.dropFirst() : entry[...]
    let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, let port = Int(parts[1]), 0...65535 ~= port, !parts[2].isEmpty else {
      throw OptionProblem("--resolve expects HOST:PORT:ADDRESS, not '\(entry)'")
    }
    return .init(host: String(parts[0]), port: port, addresses: parts[2].split(separator: ",").map(String.init))
  }
}
