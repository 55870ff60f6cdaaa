/// An HTTP/1.1 server that sends metrics to Prometheus.
package final class MetricsServer: Sendable {
  package let port: Int
  private let host: String
  private let listener: HTTPListener

  /// Starts a server, which the caller must stop.
  ///
  /// - Parameters:
  ///   - host: the IP address to listen on.
  ///   - port: the port to listen on; 0 selects a free port.
  ///   - isLocal: whether the address is one that only this machine can connect to.
  ///   - metrics: the requests, which the caller answers.
  package init(host: String, port: Int, isLocal: Bool, metrics: LiveMetrics) throws(ServingError) {
    do {
      listener = try HTTPListener(host: host, port: port) { bound, connections in
        let policy = MetricsPolicy(port: bound, isLocal: isLocal)
        return { MetricsHandler(policy, metrics, connections, size: $0) }
      }
      (self.host, self.port) = (host, listener.port)
    } catch {
      throw ServingError(host: host, port: port, error, alternative: "write --listen 0")
    }
  }

  /// The address of the metrics.
  package var url: String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port)/metrics" }

  /// Closes the port and all connections.
  package func stop() { listener.stop() }
}
