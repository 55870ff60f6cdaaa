internal import NIOCore
internal import NIOHTTP1
import XferEvents

/// One connection: reads requests, has them decided, and sends the answers.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let server: ServedPages
  private let size: RequestSizeLimit
  private var head: HTTPRequestHead?
  private var hasBody = false
  /// The waiting for news, and what is sent when there is some.
  private var waiting: Int?
  private var answer: ((ChannelHandlerContext) -> Void)?
  private var deadline: Scheduled<Void>?

  /// The time limits of the waits of a connection.
  private enum Pause {
    /// The first request, or the rest of a request.
    static let request = TimeAmount.seconds(10)
    /// The next request.
    static let idle = TimeAmount.seconds(60)
    /// The client's reading of an answer.
    static let answer = TimeAmount.seconds(30)
    /// News. The page asks again after it.
    static let news = TimeAmount.seconds(10)
  }

  init(_ server: ServedPages, size: RequestSizeLimit) { (self.server, self.size) = (server, size) }

  // MARK: The connection

  func channelActive(context: ChannelHandlerContext) {
    server.connections.add(context.channel)
    closeUnless(within: Pause.request, context)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    server.connections.remove(context.channel)
    deadline?.cancel()
    stopWaiting()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  /// Closes the connection after a time, unless this function is called again before.
  private func closeUnless(within time: TimeAmount, _ context: ChannelHandlerContext) {
    after(time, context) { $0.close(promise: nil) }
  }

  private func after(_ time: TimeAmount, _ context: ChannelHandlerContext, _ act: @escaping (ChannelHandlerContext) -> Void) {
    deadline?.cancel()
    let bound = NIOLoopBound((context, act), eventLoop: context.eventLoop)
    deadline = context.eventLoop.scheduleTask(in: time) {
      let (context, act) = bound.value
      act(context)
    }
  }

  private func stopWaiting() {
    if let waiting { server.report.cancel(waiting) }
    (waiting, answer) = (nil, nil)
  }

  // MARK: Requests

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
      method: head.method.rawValue, target: head.uri, hosts: head.headers["host"], cookies: head.headers["cookie"],
      sites: head.headers["sec-fetch-site"], hasBody: hasBody)
    let decision = server.policy.decision(on: request)
    if case .refuse(let refusal) = decision { return send(.refusal(refusal), head, context) }
    server.connections.trust(context.channel)
    server.report.noteQuestion()
    switch decision {
    case .admit(let location, let cookie): send(.redirect(to: location, cookie: cookie), head, context)
    case .page: whenNews(after: nil, context) { [server] in self.send(.page(server.report.news, server.page), head, $0) }
    case .news(let number):
      whenNews(after: number, context) { [server] in self.send(.news(server.report.news, at: server.now()), head, $0) }
    case .data: send(.data(server.report.news), head, context)
    case .refuse: break
    }
  }

  /// Sends an answer when there is news, or after ten seconds.
  private func whenNews(
    after number: String?, _ context: ChannelHandlerContext, _ answer: @escaping (ChannelHandlerContext) -> Void
  ) {
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let loop = context.eventLoop
    let waiting = server.report.wait(after: number) {
      loop.execute {
        let (handler, context) = bound.value
        handler.answerNow(context)
      }
    }
    guard let waiting else { return answer(context) }
    (self.waiting, self.answer) = (waiting, answer)
    after(Pause.news, context) { [unowned self] in answerNow($0) }
  }

  private func answerNow(_ context: ChannelHandlerContext) {
    let answer = answer
    stopWaiting()
    answer?(context)
  }

  // MARK: Answers

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
