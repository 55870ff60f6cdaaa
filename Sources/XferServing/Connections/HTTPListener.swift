internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import Synchronization

/// A port on which an HTTP/1.1 server accepts connections, with a thread of its own.
final class HTTPListener: Sendable {
  let port: Int
  private let group: MultiThreadedEventLoopGroup
  private let listener: any Channel
  private let connections: OpenConnections

  /// The maximum number of connections. A browser opens at most six to one host.
  private static let mostConnections = 128
  /// The maximum size of a request in bytes.
  private static let mostBytes = 32 << 10

  /// Makes the handler of a connection.
  typealias MakeHandler = @Sendable (RequestSizeLimit) -> any ChannelInboundHandler

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - port: the port to listen on; 0 selects a free port.
  ///   - prepare: a function that gets the port, which the system may have chosen, before the first connection is accepted.
  init(host: String, port: Int, prepare: (Int, OpenConnections) -> MakeHandler) throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let connections = OpenConnections(limit: Self.mostConnections)
    do {
      let handler = Mutex<MakeHandler?>(nil)
      let listener = try Self.bootstrap(group) { handler.withLock(\.self) }.bind(host: host, port: port).wait()
      let bound = listener.localAddress?.port ?? port
      let make = prepare(bound, connections)
      handler.withLock { $0 = make }
      try listener.setOption(.autoRead, value: true).wait()
      (self.port, self.group, self.listener, self.connections) = (bound, group, listener, connections)
    } catch {
      try? group.syncShutdownGracefully()
      throw error
    }
  }

  private static func bootstrap(
    _ group: MultiThreadedEventLoopGroup, _ handler: @escaping @Sendable () -> MakeHandler?
  ) -> ServerBootstrap {
    ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 128)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelOption(.autoRead, value: false)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          guard let make = handler() else { throw ChannelError.inappropriateOperationForState }
          let size = RequestSizeLimit(bytes: mostBytes)
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(size)
          try pipeline.configureHTTPServerPipeline(position: .last)
          try pipeline.addHandler(make(size))
        }
      }
  }

  /// Closes the port and all connections.
  func stop() {
    try? listener.close().wait()
    connections.stop()
    try? group.syncShutdownGracefully()
  }
}
