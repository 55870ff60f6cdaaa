internal import XferEvents

extension TransferError {
  /// Why a path that is there may not be used: URLError's `NetworkUnavailableReason`.
  public enum NetworkUnavailableReason: String, Sendable {
    case cellular, expensive, constrained
  }
}

/// Which paths a session's tasks may use.
struct PathPermissions: Sendable, Equatable {
  var allowsCellular = true
  var allowsExpensive = true
  var allowsConstrained = true

  enum Verdict: Equatable {
    case go
    /// - Parameter reason: `nil` when there is no path at all.
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

  /// Hosts of which one has to be reachable for a request to go out: its proxy, or itself.
  func firstHosts(to host: String) -> [String] {
    guard let connectionProxy, let proxy = try? URLFacts(connectionProxy.urlText) else { return [host] }
    // Which hosts are excepted only libcurl knows.
    return connectionProxy.exceptions.isEmpty ? [proxy.host] : [proxy.host, host]
  }
}
