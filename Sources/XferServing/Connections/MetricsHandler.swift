internal import NIOCore
internal import NIOHTTP1

/// One connection of a server of metrics.
final class MetricsHandler: ConnectionHandler {
  private let policy: MetricsPolicy
  private let metrics: LiveMetrics

  init(_ policy: MetricsPolicy, _ metrics: LiveMetrics, _ connections: OpenConnections, size: RequestSizeLimit) {
    (self.policy, self.metrics) = (policy, metrics)
    // Prometheus keeps its connection between two scrapes.
    super.init(connections, size: size, idle: .seconds(300))
  }

  override func respond(to request: ReportRequest, _ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    if let refusal = policy.refusal(of: request) { return send(.refusal(refusal), head, context) }
    trust(context)
    // The client decides how long it waits.
    stopDeadline()
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let loop = context.eventLoop
    metrics.ask { answer in
      loop.execute {
        let (handler, context) = bound.value
        if context.channel.isActive { handler.send(.metrics(answer), head, context) }
      }
    }
  }
}
