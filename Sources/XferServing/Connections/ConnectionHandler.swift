internal import NIOCore
internal import NIOHTTP1

/// One connection: reads requests and sends answers, and closes the connection when its client takes too long. A subclass decides on the
/// answers.
class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let connections: OpenConnections
  private let size: RequestSizeLimit
  private let idle: TimeAmount
  private var head: HTTPRequestHead?
  private var hasBody = false
  private var deadline: Scheduled<Void>?

  /// The time limits of the waits of a connection.
  private enum Pause {
    /// The first request, or the rest of a request.
    static let request = TimeAmount.seconds(10)
    /// The client's reading of an answer.
    static let answer = TimeAmount.seconds(30)
  }

  /// - Parameter idle: The maximum time between an answer and the next request.
  init(_ connections: OpenConnections, size: RequestSizeLimit, idle: TimeAmount) {
    (self.connections, self.size, self.idle) = (connections, size, idle)
  }

  /// Sends the answer to a request, now or later.
  func respond(to request: ReportRequest, _ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    send(.refusal(.unknownPath), head, context)
  }

  // MARK: The connection

  func channelActive(context: ChannelHandlerContext) {
    connections.add(context.channel)
    closeUnless(within: Pause.request, context)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    connections.remove(context.channel)
    stopDeadline()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  /// Notes that a request of the connection was permitted.
  func trust(_ context: ChannelHandlerContext) { connections.trust(context.channel) }

  /// Closes the connection after a time, unless another deadline is set before.
  private func closeUnless(within time: TimeAmount, _ context: ChannelHandlerContext) {
    after(time, context) { $0.close(promise: nil) }
  }

  /// Calls a function after a time, in the place of the present deadline.
  func after(_ time: TimeAmount, _ context: ChannelHandlerContext, _ act: @escaping (ChannelHandlerContext) -> Void) {
    stopDeadline()
    let bound = NIOLoopBound((context, act), eventLoop: context.eventLoop)
    deadline = context.eventLoop.scheduleTask(in: time) {
      let (context, act) = bound.value
      act(context)
    }
  }

  func stopDeadline() { deadline?.cancel() }

  // MARK: Requests and answers

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      (self.head, hasBody) = (head, false)
      closeUnless(within: Pause.request, context)
    case .body: hasBody = true
    case .end:
      size.beginNextRequest()
      if let head {
        let request = ReportRequest(
          method: head.method.rawValue, target: head.uri, hosts: head.headers["host"], cookies: head.headers["cookie"],
          sites: head.headers["sec-fetch-site"], hasBody: hasBody)
        respond(to: request, head, context)
      }
      head = nil
    }
  }

  func send(_ answer: ServedAnswer, _ request: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let staysOpen = request.isKeepAlive && answer.staysOpen
    closeUnless(within: Pause.answer, context)
    context.write(wrapOutboundOut(.head(answer.head(staysOpen: staysOpen))), promise: nil)
    if request.method != .HEAD { context.write(wrapOutboundOut(.body(.byteBuffer(answer.body))), promise: nil) }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenSuccess {
      let (handler, context) = bound.value
      if staysOpen { handler.closeUnless(within: handler.idle, context) } else { context.close(promise: nil) }
    }
  }
}
