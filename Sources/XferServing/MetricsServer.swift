internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import Synchronization

/// An HTTP/1.1 server that sends metrics to Prometheus.
package final class MetricsServer: Sendable {
  package let port: Int
  private let host: String
  private let group: MultiThreadedEventLoopGroup
  private let listener: any Channel
  private let connections: OpenConnections

  private static let mostConnections = 128
  /// The maximum size of a request in bytes.
  private static let mostBytes = 32 << 10

  /// Starts a server, which the caller must stop.
  ///
  /// - Parameters:
  ///   - host: the IP address to listen on.
  ///   - port: the port to listen on; 0 selects a free port.
  ///   - isLocal: whether the address is one that only this machine can connect to.
  ///   - metrics: the requests, which the caller answers.
  package init(host: String, port: Int, isLocal: Bool, metrics: LiveMetrics) throws(ServingError) {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let connections = OpenConnections(limit: Self.mostConnections)
    do {
      let policy = Mutex<MetricsPolicy?>(nil)
      let bootstrap = ServerBootstrap(group: group)
        .serverChannelOption(.backlog, value: 128)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .serverChannelOption(.autoRead, value: false)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            guard let policy = policy.withLock(\.self) else { throw ChannelError.inappropriateOperationForState }
            let size = RequestSizeLimit(bytes: Self.mostBytes)
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(size)
            try pipeline.configureHTTPServerPipeline(position: .last)
            try pipeline.addHandler(MetricsHandler(policy, metrics, connections, size: size))
          }
        }
      let listener = try bootstrap.bind(host: host, port: port).wait()
      // The policy needs the port, which the system may have chosen. Connections are accepted only now.
      let bound = listener.localAddress?.port ?? port
      policy.withLock { $0 = MetricsPolicy(port: bound, isLocal: isLocal) }
      try listener.setOption(.autoRead, value: true).wait()
      (self.host, self.port, self.group, self.listener, self.connections) = (host, bound, group, listener, connections)
    } catch {
      try? group.syncShutdownGracefully()
      throw ServingError(host: host, port: port, error, alternative: "write --listen 0")
    }
  }

  /// The address of the metrics.
  package var url: String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port)/metrics" }

  /// Closes the port and all connections.
  package func stop() {
    try? listener.close().wait()
    connections.stop()
    try? group.syncShutdownGracefully()
  }
}
