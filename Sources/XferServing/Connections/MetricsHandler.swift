internal import NIOCore
internal import NIOHTTP1

/// One connection of a server of metrics.
final class MetricsHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let policy: MetricsPolicy
  private let metrics: LiveMetrics
  private let connections: OpenConnections
  private let size: RequestSizeLimit
  private var head: HTTPRequestHead?
  private var hasBody = false
  private var deadline: Scheduled<Void>?

  /// The time limits of the waits of a connection.
  private enum Pause {
    /// The first request, or the rest of a request.
    static let request = TimeAmount.seconds(10)
    /// The next request. Prometheus keeps its connection between two scrapes.
    static let idle = TimeAmount.seconds(300)
    /// The client's reading of an answer.
    static let answer = TimeAmount.seconds(30)
  }

  init(_ policy: MetricsPolicy, _ metrics: LiveMetrics, _ connections: OpenConnections, size: RequestSizeLimit) {
    (self.policy, self.metrics, self.connections, self.size) = (policy, metrics, connections, size)
  }

  func channelActive(context: ChannelHandlerContext) {
    connections.add(context.channel)
    closeUnless(within: Pause.request, context)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    connections.remove(context.channel)
    deadline?.cancel()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  /// Closes the connection after a time, unless this function is called again before.
  private func closeUnless(within time: TimeAmount, _ context: ChannelHandlerContext) {
    deadline?.cancel()
    let channel = context.channel
    deadline = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      (self.head, hasBody) = (head, false)
      closeUnless(within: Pause.request, context)
    case .body: hasBody = true
    case .end:
      size.beginNextRequest()
      if let head { respond(to: head, context) }
      head = nil
    }
  }

  private func respond(to head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let request = ReportRequest(
      method: head.method.rawValue, target: head.uri, hosts: head.headers["host"], sites: head.headers["sec-fetch-site"],
      hasBody: hasBody)
    if let refusal = policy.refusal(of: request) { return send(.refusal(refusal), head, context) }
    connections.trust(context.channel)
    // The client decides how long it waits.
    deadline?.cancel()
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let loop = context.eventLoop
    metrics.ask { answer in
      loop.execute {
        let (handler, context) = bound.value
        if context.channel.isActive { handler.send(.metrics(answer), head, context) }
      }
    }
  }

  private func send(_ answer: ServedAnswer, _ request: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let staysOpen = request.isKeepAlive && answer.staysOpen
    closeUnless(within: Pause.answer, context)
    context.write(wrapOutboundOut(.head(answer.head(staysOpen: staysOpen))), promise: nil)
    if request.method != .HEAD { context.write(wrapOutboundOut(.body(.byteBuffer(answer.body))), promise: nil) }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenSuccess {
      let (handler, context) = bound.value
      if staysOpen { handler.closeUnless(within: Pause.idle, context) } else { context.close(promise: nil) }
    }
  }
}
