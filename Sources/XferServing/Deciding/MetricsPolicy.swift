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
  package func refusal(of request: ReportRequest) -> RequestRefusal? {
    if let refusal = request.refusal(acceptedHosts: hosts) { return refusal }
    return request.target.prefix { $0 != "?" } == "/metrics" ? nil : .noMetrics
  }
}
