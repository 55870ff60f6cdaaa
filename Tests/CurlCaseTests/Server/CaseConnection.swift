import NIOCore
import XferScript

/// One connection to a case's server, which reads requests in order and answers each with the case's bytes.
final class CaseConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum State {
    /// The connection is accepted, but requests are not read until the case's delay has passed.
    case held
    case reading
    case answering
    /// The connection is being closed; received bytes are dropped.
    case closing
  }

  /// The size of the pieces in which a reply is sent, in bytes. Small pieces test that clients reassemble replies.
  private static let pieceSize = 20
  /// The number of bytes after which the rest of a reply is sent at once, unless the case asks for pauses.
  private static let sizeInPieces = 4096
  private static let streamed = ByteBuffer(string: "a line of a reply that never ends\n")

  private let service: CaseService
  private var context: ChannelHandlerContext?
  private var number = 0
  private var state = State.reading
  private var reader: CaseRequestReader
  private var unread = ByteBuffer()
  private var isStreaming = false

  init(_ service: CaseService) {
    self.service = service
    reader = CaseRequestReader(orders: service.orders)
  }

  func channelActive(context: ChannelHandlerContext) {
    self.context = context
    number = service.accept(context.channel)
    guard reader.orders.delay > .zero else { return }
    state = .held
    after(reader.orders.delay) {
      self.state = .reading
      self.advance()
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard state != .closing else { return }
    var bytes = unwrapInboundIn(data)
    unread.writeBuffer(&bytes)
    advance()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) { if isStreaming { stream() } }

  func channelInactive(context: ChannelHandlerContext) {
    self.context = nil
    service.end(context.channel)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // A reset by the client arrives as an error.
    context.close(promise: nil)
  }

  private func advance() {
    guard state == .reading, var request = reader.next(&unread) else { return }
    state = .answering
    request.connection = number
    let reply = service.reply(to: request)
    if reader.orders.staysIdle { return }
    if reader.orders.streams {
      isStreaming = true
      return stream()
    }
    send(ByteBuffer(bytes: reply.bytes)) {
      let pause = self.service.pauseAfterReply
      guard pause > .zero else { return self.finish(reply) }
      self.after(pause) { self.finish(reply) }
    }
  }

  private func send(_ bytes: ByteBuffer, whenSent: @escaping () -> Void) {
    guard let context else { return }
    let pause = reader.orders.writeDelay
    var rest = bytes
    while let piece = rest.readSlice(length: min(Self.pieceSize, rest.readableBytes)), piece.readableBytes > 0 {
      context.writeAndFlush(wrapOutboundOut(piece), promise: nil)
      if pause > .zero {
        return after(pause) { self.send(rest, whenSent: whenSent) }
      } else if rest.readerIndex > Self.sizeInPieces {
        context.writeAndFlush(wrapOutboundOut(rest), promise: nil)
        break
      }
    }
    whenSent()
  }

  private func stream() {
    while let context, context.channel.isActive, context.channel.isWritable {
      context.writeAndFlush(wrapOutboundOut(Self.streamed), promise: nil)
    }
  }

  private func finish(_ reply: CaseService.Reply) {
    guard let context else { return }
    guard reply.closes else {
      state = .reading
      return advance()
    }
    state = .closing
    SocketEnding.close(context)
  }

  private func after(_ pause: Duration, _ body: @escaping () -> Void) {
    context?.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(pause)) { if self.context != nil { body() } }
  }
}
