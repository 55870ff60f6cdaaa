internal import XferEvents

/// A transfer's wait for connectivity.
struct ConnectivityWait {
  /// The logged reason for the wait.
  let hold: HoldReason
  /// The number of consecutive failures to find a usable network path.
  let tries: Int

  /// Returns the delay before the next check if no path change is reported: one second, doubled each time, up to a minute.
  ///
  /// - Parameter chance: a random number from 0 up to 1; as jitter, it shortens the delay by up to a quarter.
  func delay(chance: Double) -> Duration {
    let longest: Duration = .seconds(60)
    let delay = tries > 6 ? longest : min(longest, .seconds(1) * (1 << (max(1, tries) - 1)))
    return delay * (1 - chance / 4)
  }
}

extension TransferError {
  /// Whether connectivity was missing: the host's name could not be resolved, or there was no route to the host.
  ///
  /// A refused connection or a timeout does not count, because the network was usable.
  var isLackOfConnectivity: Bool {
    switch code {
    case .cannotFindHost, .notConnectedToInternet: true
    case .cannotConnectToHost: osError.map(Self.unreachable.contains) ?? false
    default: false
    }
  }

  static func notConnected(_ reason: NetworkUnavailableReason?) -> TransferError {
    let problem =
      reason.map { "the network path is \($0.rawValue), which the session does not allow" } ?? "no network path is available"
    // The numbers are those of a failed connection: libcurl's `CURLE_COULDNT_CONNECT` and the kernel's `ENETUNREACH`.
    var error = TransferError(
      .notConnectedToInternet, number: 7, osError: Int(networkUnreachable), stage: .connection, problem: problem)
    error.networkUnavailableReason = reason
    return error
  }
}
