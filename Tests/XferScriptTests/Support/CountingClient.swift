import NIOCore
import NIOPosix
import XferScript

/// A client that counts the bytes of a generated body and compares the first megabyte, without storing the body.
struct CountingClient {
  private let channel: any Channel
  private let total: EventLoopFuture<Int>

  static func connect(to server: ScriptedServer) async throws -> CountingClient {
    let total = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: Int.self)
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 256 << 10))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Counter(total)) }
      }
      .connect(host: server.host, port: server.port).get()
    return CountingClient(channel: channel, total: total.futureResult)
  }

  /// Sends a request and returns the number of body bytes in the response.
  func count(_ request: String) async throws -> Int {
    try await channel.writeAndFlush(ByteBuffer(string: request.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n")))
    return try await total.get()
  }

  private final class Counter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let total: EventLoopPromise<Int>
    private var head: [UInt8]? = []
    private var count = 0

    init(_ total: EventLoopPromise<Int>) { self.total = total }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let bytes = unwrapInboundIn(data)
      guard head != nil else { return count += bytes.readableBytes }
      head!.append(contentsOf: bytes.readableBytesView)
      guard let end = head!.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
      count = head!.count - end.upperBound
      head = nil
    }

    func channelInactive(context: ChannelHandlerContext) { total.succeed(count) }
  }
}
