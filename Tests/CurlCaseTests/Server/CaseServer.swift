import NIOCore
import NIOPosix

/// A server for one case, on its own ports.
struct CaseServer {
  let service = CaseService()
  /// The port at 127.0.0.1.
  let port: Int
  /// The port at ::1. `nil` when the machine has no IPv6 loopback address.
  let port6: Int?
  private let listeners: [any Channel]

  init() throws {
    let listener = try Self.listen("127.0.0.1", service)
    let listener6 = try? Self.listen("::1", service)
    port = listener.localAddress?.port ?? 0
    port6 = listener6?.localAddress?.port
    listeners = [listener, listener6].compactMap(\.self)
  }

  private static func listen(_ host: String, _ service: CaseService) throws -> any Channel {
    try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(CaseConnection(service))
        }
      }
      .bind(host: host, port: 0).wait()
  }

  func stop() {
    for channel in listeners + service.stop() { try? channel.close().wait() }
  }
}
