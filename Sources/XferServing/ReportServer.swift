internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import Synchronization
package import XferEvents

/// An HTTP/1.1 server on 127.0.0.1 that shows the latest report to browsers with its token.
package final class ReportServer: Sendable {
  package let port: Int
  package let token: AccessToken
  private let group: MultiThreadedEventLoopGroup
  private let listener: any Channel
  private let connections: OpenConnections

  /// The maximum number of connections. A browser opens at most six to one host.
  private static let mostConnections = 128
  /// The maximum size of a request in bytes.
  private static let mostBytes = 32 << 10

  /// Starts a server, which the caller must stop.
  ///
  /// - Parameters:
  ///   - port: the port to listen on; 0 selects a free port.
  ///   - token: what clients must present.
  ///   - report: the report that the caller publishes.
  ///   - page: the parts of the page that do not depend on the report.
  package init(
    port: Int, token: AccessToken, report: LiveReport, page: ServedPages.Page, now: @escaping @Sendable () -> WallTime
  ) throws(ServingError) {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let connections = OpenConnections(limit: Self.mostConnections)
    do {
      let pages = Mutex<ServedPages?>(nil)
      let listener = try Self.bootstrap(group) { pages.withLock(\.self) }.bind(host: "127.0.0.1", port: port).wait()
      // The policy needs the port, which the system may have chosen. Connections are accepted only now.
      let bound = listener.localAddress?.port ?? port
      pages.withLock {
        $0 = ServedPages(
          policy: RequestPolicy(port: bound, token: token), report: report, page: page, now: now, connections: connections)
      }
      try listener.setOption(.autoRead, value: true).wait()
      (self.port, self.token, self.group, self.listener, self.connections) = (bound, token, group, listener, connections)
    } catch {
      try? group.syncShutdownGracefully()
      throw ServingError(port: port, error)
    }
  }

  private static func bootstrap(
    _ group: MultiThreadedEventLoopGroup, _ pages: @escaping @Sendable () -> ServedPages?
  ) -> ServerBootstrap {
    ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 128)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelOption(.autoRead, value: false)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          guard let pages = pages() else { throw ChannelError.inappropriateOperationForState }
          let size = RequestSizeLimit(bytes: mostBytes)
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(size)
          try pipeline.configureHTTPServerPipeline(position: .last)
          try pipeline.addHandler(ConnectionHandler(pages, size: size))
        }
      }
  }

  /// The address to open: with the token, which the server moves to a cookie.
  package var url: String { "http://127.0.0.1:\(port)/?token=\(token.text)" }

  /// Closes the port and all connections.
  package func stop() {
    try? listener.close().wait()
    connections.stop()
    try? group.syncShutdownGracefully()
  }
}
