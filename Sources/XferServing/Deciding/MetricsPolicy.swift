/// Decides which requests a server of metrics answers.
///
/// The metrics contain the names of hosts, and any program that can connect may read them. Pages that a browser shows may not: a page whose
/// name an attacker has made to mean this machine (DNS rebinding) sends its own name as `Host`.
package struct MetricsPolicy: Sendable {
  /// The accepted values of `Host`; `nil` if other machines may connect, because a machine can have any name.
  private let hosts: [String]?

  /// - Parameters:
  ///   - port: the port that the server listens on.
  ///   - isLocal: whether only this machine can connect.
  package init(port: Int, isLocal: Bool) {
    hosts = isLocal ? ["127.0.0.1", "localhost", "[::1]"].map { "\($0):\(port)" } : nil
  }

  /// Returns the reason for refusing a request; `nil` if it gets the metrics.
  package func refusal(of request: ReportRequest) -> MetricsRefusal? {
    guard request.hosts.count == 1, hosts?.contains(request.hosts[0].lowercased()) ?? true else { return .otherHost }
    guard ["GET", "HEAD"].contains(request.method) else { return .otherMethod }
    if request.hasBody { return .body }
    if request.sites.contains(where: { $0.lowercased() == "cross-site" }) { return .otherSite }
    return request.target.prefix { $0 != "?" } == "/metrics" ? nil : .unknownPath
  }
}

/// A reason for not sending metrics.
package enum MetricsRefusal: Sendable, CaseIterable {
  case otherHost, otherMethod, body, otherSite, unknownPath

  package var status: Int {
    switch self {
    case .otherHost: 421
    case .otherMethod: 405
    case .body: 413
    case .otherSite: 403
    case .unknownPath: 404
    }
  }

  /// The body of the answer.
  package var sentence: String {
    switch self {
    case .otherHost: "This server answers only to 127.0.0.1, localhost and [::1] with its own port."
    case .otherMethod: "This server only answers GET and HEAD."
    case .body: "This server accepts no request bodies."
    case .otherSite: "Another site made this request."
    case .unknownPath: "The metrics are at /metrics."
    }
  }
}
