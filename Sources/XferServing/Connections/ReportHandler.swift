internal import NIOCore
internal import NIOHTTP1
import XferEvents

/// One connection of a server of reports.
final class ReportHandler: ConnectionHandler {
  private let server: ServedPages
  /// The waiting for news, and what is sent when there is some.
  private var waiting: Int?
  private var answer: ((ChannelHandlerContext) -> Void)?

  /// The time after which the page asks for news again.
  private static let newsPause = TimeAmount.seconds(10)

  init(_ server: ServedPages, size: RequestSizeLimit) {
    self.server = server
    super.init(server.connections, size: size, idle: .seconds(60))
  }

  override func channelInactive(context: ChannelHandlerContext) {
    stopWaiting()
    super.channelInactive(context: context)
  }

  private func stopWaiting() {
    if let waiting { server.report.cancel(waiting) }
    (waiting, answer) = (nil, nil)
  }

  override func respond(to request: ReportRequest, _ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let decision = server.policy.decision(on: request)
    if case .refuse(let refusal) = decision { return send(.refusal(refusal), head, context) }
    trust(context)
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
    after(Self.newsPause, context) { [unowned self] in answerNow($0) }
  }

  private func answerNow(_ context: ChannelHandlerContext) {
    let answer = answer
    stopWaiting()
    answer?(context)
  }
}
