internal import NIOCore

/// Closes a connection whose request is too large, before its bytes are collected.
final class RequestSizeLimit: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let limit: Int
  private var count = 0

  init(bytes limit: Int) { self.limit = limit }

  /// Notes that a request was received completely.
  func beginNextRequest() { count = 0 }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    count += unwrapInboundIn(data).readableBytes
    if count > limit { context.close(promise: nil) } else { context.fireChannelRead(data) }
  }
}
