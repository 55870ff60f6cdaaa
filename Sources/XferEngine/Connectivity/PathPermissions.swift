internal import XferEvents

extension TransferError {
  /// The reason why an available path must not be used. Corresponds to `URLError.NetworkUnavailableReason`.
  public enum NetworkUnavailableReason: String, Sendable {
    case cellular, expensive, constrained
  }
}

/// The kinds of network paths that a session's tasks may use.
struct PathPermissions: Sendable, Equatable {
  var allowsCellular = true
  var allowsExpensive = true
  var allowsConstrained = true

  enum Verdict: Equatable {
    case go
    /// - Parameter reason: the kind of path that is not allowed; `nil` when no path is available.
    case no(TransferError.NetworkUnavailableReason?)

    var hold: HoldReason? {
      switch self {
      case .go: nil
      case .no(nil): .network
      case .no: .networkPolicy
      }
    }
  }

  func verdict(on path: TransferSession.NetworkPath) -> Verdict {
    if !path.isSatisfied { return .no(nil) }
    if path.isCellular, !allowsCellular { return .no(.cellular) }
    if path.isExpensive, !allowsExpensive { return .no(.expensive) }
    if path.isConstrained, !allowsConstrained { return .no(.constrained) }
    return .go
  }
}

extension TransferSession.Configuration {
  var pathPermissions: PathPermissions {
    PathPermissions(
      allowsCellular: allowsCellularAccess, allowsExpensive: allowsExpensiveNetworkAccess,
      allowsConstrained: allowsConstrainedNetworkAccess)
  }

  /// Returns the hosts to which libcurl may open a connection for a request: the proxy, the host, or both.
  ///
  /// The request may start if the session allows the path to one of these hosts.
  func firstHosts(to host: String) -> [String] {
    guard let connectionProxy, let proxy = try? URLFacts(connectionProxy.urlText) else { return [host] }
    // Only libcurl matches hosts against the proxy exceptions, so the engine does not know which of the two will be used.
    return connectionProxy.exceptions.isEmpty ? [proxy.host] : [proxy.host, host]
  }
}
