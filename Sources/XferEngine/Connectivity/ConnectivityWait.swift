internal import XferEvents

/// A transfer that waits for the network.
struct ConnectivityWait {
  /// Why, in the words of the log.
  let hold: HoldReason
  /// How often in a row it has found no way.
  let tries: Int

  /// How long to wait before looking again, should nobody tell of a change: one second, then twice as long each time, up to a minute.
  ///
  /// - Parameter chance: from 0 up to 1; takes off up to a quarter, so that not all come at once.
  func delay(chance: Double) -> Duration {
    let longest: Duration = .seconds(60)
    let delay = tries > 6 ? longest : min(longest, .seconds(1) * (1 << (max(1, tries) - 1)))
    return delay * (1 - chance / 4)
  }
}

extension TransferError {
  /// Whether the network is to blame that no connection came about: there is no way to the host, or nobody could say where it is. A
  /// host that refuses, or that says nothing, was reached.
  var isLackOfConnectivity: Bool {
    switch code {
    case .cannotFindHost, .notConnectedToInternet: true
    case .cannotConnectToHost: osError.map(Self.unreachable.contains) ?? false
    default: false
    }
  }

  static func notConnected(_ reason: NetworkUnavailableReason?) -> TransferError {
    let problem =
      reason.map { "the network path is \($0.rawValue), and the session does not use such" } ?? "there is no network path"
    // As libcurl has it, with what the kernel would have said.
    var error = TransferError(
      .notConnectedToInternet, number: 7, osError: Int(networkUnreachable), stage: .connection, problem: problem)
    error.networkUnavailableReason = reason
    return error
  }
}
