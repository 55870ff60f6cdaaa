import XferEvents
import XferLifecycle

/// The kind of a request's failure on the network, which follows from its error and from the phase that the attempt had reached.
enum NetworkFailure {
  case unknownHost
  case unreachable
  /// The system did not let the app use the network.
  case notAllowed
  case refused
  case security
  case timeout
  case connectionLost
  case unspecified

  init(_ error: TaskLifecycle.ErrorFacts, of attempt: AttemptLifecycle?) {
    switch error.domain {
    case .url, nil: self = Self.urlSession[error.number] ?? Self(attempt)
    case .curl: self = Self.curl[error.number] ?? Self(attempt)
    case .posix: self = error.name.flatMap(Self.init(named:)) ?? Self(attempt)
    case .other: self = error.name.flatMap(Self.init(named:)) ?? Self(attempt)
    case .http, .xfer, .cocoa, .cfnetwork: self = Self(attempt)
    }
  }

  private init(_ attempt: AttemptLifecycle?) {
    if attempt?.end == .timeout {
      self = .timeout
      return
    }
    switch attempt?.phase {
    case .resolving: self = .unknownHost
    case .connecting: self = .refused
    case .securing: self = .security
    case .sending, .waiting, .receiving: self = .connectionLost
    case .queued, nil: self = .unspecified
    }
  }

  /// - Parameter name: a name of Chromium or of errno, or the class of an exception.
  private init?(named name: String) {
    let name = name.uppercased()
    guard let found = Self.words.first(where: { word in name.contains(word.text) }) else { return nil }
    self = found.failure
  }

  /// Whether a number of NSURLErrorDomain is that of a failure on the network.
  static func isKnown(urlSession number: Int) -> Bool { urlSession[number] != nil }

  private static let urlSession: [Int: NetworkFailure] = [
    -1001: .timeout, -1003: .unknownHost, -1004: .refused, -1005: .connectionLost, -1006: .unknownHost, -1009: .unreachable,
    -1018: .notAllowed, -1019: .notAllowed, -1020: .notAllowed, -1200: .security, -1201: .security, -1202: .security,
    -1203: .security, -1204: .security, -1205: .security, -1206: .security,
  ]

  private static let curl: [Int: NetworkFailure] = [
    5: .unknownHost, 6: .unknownHost, 7: .refused, 16: .connectionLost, 18: .connectionLost, 28: .timeout, 35: .security,
    51: .security, 52: .connectionLost, 55: .connectionLost, 56: .connectionLost, 58: .security, 59: .security, 60: .security,
    66: .security, 77: .security, 82: .security, 83: .security, 90: .security, 91: .security, 92: .connectionLost,
    95: .connectionLost, 98: .security,
  ]

  /// Parts of names, in upper case. The first that occurs in a name decides.
  private static let words: [(text: String, failure: NetworkFailure)] = [
    ("TIMEDOUT", .timeout), ("TIMED_OUT", .timeout), ("TIMEOUT", .timeout), ("UNKNOWNHOST", .unknownHost),
    ("NAME_NOT_RESOLVED", .unknownHost), ("NAME_RESOLUTION", .unknownHost), ("ERR_DNS_", .unknownHost),
    ("ENOTFOUND", .unknownHost), ("INTERNET_DISCONNECTED", .unreachable), ("UNREACH", .unreachable),
    ("NOROUTE", .unreachable), ("ENETDOWN", .unreachable), ("EHOSTDOWN", .unreachable), ("NETWORK_ACCESS", .notAllowed),
    ("REFUSED", .refused), ("ERR_CONNECTION_FAILED", .refused), ("CONNECTEXCEPTION", .refused), ("SSL", .security),
    ("TLS", .security), ("CERT", .security), ("HANDSHAKE", .security), ("RESET", .connectionLost), ("CLOSED", .connectionLost),
    ("ABORTED", .connectionLost), ("EPIPE", .connectionLost), ("ENOTCONN", .connectionLost), ("EOF", .connectionLost),
    ("PROTOCOL", .connectionLost), ("EMPTY_RESPONSE", .connectionLost), ("MISMATCH", .connectionLost),
    ("INCOMPLETE", .connectionLost), ("SOCKETEXCEPTION", .connectionLost),
  ]

  // MARK: Remedies

  /// The programs whose users know different interfaces.
  enum Client { case urlSession, curl, other }

  /// Returns how to fix the failure, with the names that the program's users know.
  func remedy(for client: Client) -> String {
    switch self {
    case .unknownHost:
      "Check the host's name and the resolver. Nothing was sent, so the request can be repeated."
        + (client == .urlSession
          ? " If every host is unknown on macOS, the app in the App Sandbox lacks the entitlement com.apple.security.network.client."
          : "")
    case .unreachable:
      client == .urlSession
        ? "Set waitsForConnectivity, so that the task waits for the network instead of failing, and start it again when the device is online."
        : "Check the network of the machine and the route to the host. Nothing was sent, so the request can be repeated."
    case .notAllowed:
      client == .urlSession
        ? """
        The system lets the app use no mobile data at the moment: check the app's switch under Mobile Data, roaming and calls, and the \
        properties allowsCellularAccess, allowsExpensiveNetworkAccess and allowsConstrainedNetworkAccess. waitsForConnectivity makes the \
        task wait.
        """
        : "Check which network the program is allowed to use."
    case .refused:
      """
      Check that the server listens at this address and port, and that no firewall or VPN rejects the connection. Nothing was sent, so \
      the request can be repeated.
      """
    case .security:
      "Check the certificate of the server (its names, dates and chain), the versions of TLS on both sides, and any client certificate. "
        + (client == .urlSession
          ? "App Transport Security requires TLS 1.2 and a trusted certificate."
          : client == .curl ? "`curl -v` prints the reason." : "A repetition without a change fails again.")
    case .timeout:
      """
      Find out which limit was reached and whether data still arrived then, and raise the limit or reduce the work of the server.
      """
        + " "
        + (client == .urlSession
          ? "timeoutIntervalForRequest starts again with each part of the response; timeoutIntervalForResource limits the whole task."
          : client == .curl
            ? "The limits are --connect-timeout, --max-time, and --speed-time with --speed-limit."
            : "Repeat only requests that are idempotent: the server may have carried out the request.")
    case .connectionLost:
      (client == .urlSession
        ? "Continue a download with its resume data. "
        : client == .curl ? "Continue a download with `-C -`. " : "Continue a download with a range request. ")
          + """
          Repeat other requests only if they are idempotent: the server may have carried out the request. If it happens again, look for a \
          limit of the server or of a proxy in between (idle timeout, maximum duration or size).
          """
    case .unspecified:
      "Repeat the request after a delay if it is idempotent. If it fails again, capture more of the log: the error does not name the step."
    }
  }
}

extension NetworkFailure.Client {
  init(_ error: TaskLifecycle.ErrorFacts, in coverage: ImportCoverage) {
    switch error.domain {
    case .url: self = .urlSession
    case .curl: self = .curl
    default: self = coverage.isApple ? .urlSession : .other
    }
  }
}
