internal import NIOCore

/// Serves one connection. Requests are read in order, and each is answered before the next is parsed.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum State {
    /// The connection is accepted, but the script delays reading.
    case held
    case reading
    case answering
    case hanging
    /// The connection is closing, and received bytes are dropped.
    case closing
  }

  private let server: ServerState
  private let connection: Int
  private var context: ChannelHandlerContext?
  private var state = State.reading
  private var parser: RequestParser
  private var unread = ByteBuffer()
  private var exchange: Exchange?
  private var sender: ResponseSender?
  private var idleTimer: Scheduled<Void>?
  private var isReadingPaused = false

  init(_ server: ServerState) {
    self.server = server
    connection = server.ledger.accept()
    parser = RequestParser(headLimit: server.playback.script.headLimit)
  }

  func channelActive(context: ChannelHandlerContext) {
    self.context = context
    server.connections.add(context.channel)
    let hold = server.playback.script.beforeAccept
    guard hold > .zero else { return }
    state = .held
    context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(hold)) {
      guard self.context != nil else { return }
      self.state = .reading
      self.advance()
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard state != .closing, state != .hanging else { return }
    var bytes = unwrapInboundIn(data)
    unread.writeBuffer(&bytes)
    advance()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { sender?.channelBecameWritable() }
  }

  func channelInactive(context: ChannelHandlerContext) {
    self.context = nil
    idleTimer?.cancel()
    sender?.cancel()
    sender = nil
    if let exchange {
      let isHanging = state == .hanging
      server.ledger.end(
        exchange.sequence,
        isHanging ? .hung : server.connections.isStopping ? .serverStopped : .clientWentAway)
    }
    exchange = nil
    server.connections.remove(context.channel)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // A reset by the client arrives as an error. The record is ended when the channel becomes inactive.
    context.close(promise: nil)
  }
}

// MARK: Reading
extension ConnectionHandler {
  private func advance() {
    defer { throttleReading() }
    while state == .reading, let part = parser.next(&unread) {
      switch part {
      case .head(let head): begin(head)
      case .body(let bytes): receive(bytes)
      case .end: answer()
      case .refused(let refusal): refuse(refusal)
      }
    }
  }

  private func begin(_ head: RequestHead) {
    idleTimer?.cancel()
    let turn = server.playback.turn(for: head)
    let sequence = server.ledger.begin(head, connection: connection, turn: turn)
    exchange = Exchange(sequence: sequence, head: head, turn: turn)
    if cutsRequest() { return }
    guard head.awaitsContinue, let response = turn?.response else { return }
    switch response.continue100 {
    case .send: context?.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
    case .ignore: break
    case .answer:
      exchange?.leavesBodyUnread = true
      answer()
    }
  }

  private func receive(_ bytes: ByteBuffer) {
    guard exchange != nil else { return }
    bytes.withUnsafeReadableBytes { exchange!.crc.update($0) }
    exchange!.bodyBytes += bytes.readableBytes
    server.ledger.update(exchange!.sequence) { [exchange] request, _ in
      request.requestBodyBytes = exchange!.bodyBytes
      request.requestBodyCRC32 = exchange!.crc.value
    }
    _ = cutsRequest()
  }

  /// Ends the exchange if the script cuts it during the request's body. Returns whether it was cut.
  private func cutsRequest() -> Bool {
    guard let exchange, let cut = exchange.turn?.response?.cut, case .afterRequestBytes(let count) = cut.place,
      exchange.bodyBytes >= count, exchange.head.framing != .length(0)
    else { return false }
    // The client notices a hang during its upload only when the server stops reading, so reading ends here.
    if cut.how == .hang { setReading(false) }
    breakOff(cut.how)
    return true
  }

  /// Stops reading while many bytes are buffered, which throttles a client that sends during a response.
  private func throttleReading() {
    setReading(unread.readableBytes < 256 << 10 || state == .reading)
  }

  private func setReading(_ isOn: Bool) {
    guard isReadingPaused == isOn, state != .hanging, let context else { return }
    isReadingPaused = !isOn
    try? context.channel.syncOptions?.setOption(.autoRead, value: isOn)
  }
}

// MARK: Answering
extension ConnectionHandler {
  private func answer() {
    guard let exchange else { return }
    guard let turn = exchange.turn else {
      let problem = "no route for \(exchange.head.method) \(exchange.head.path)"
      return send(ResponsePlan(refusal: RequestRefusal(status: 404, problem: problem), to: exchange.head, keepAlive: nil))
    }
    guard let response = turn.response else { return breakOff(.close) }
    send(
      ResponsePlan(
        ResponsePlan.Question(
          head: exchange.head, response: response, captures: turn.captures, scriptSeed: server.playback.script.seed,
          leavesBodyUnread: exchange.leavesBodyUnread)))
  }

  private func refuse(_ refusal: RequestRefusal) {
    idleTimer?.cancel()
    if exchange == nil {
      exchange = Exchange(
        sequence: server.ledger.begin(nil, connection: connection, turn: nil),
        head: RequestHead(method: "", target: "", minorVersion: 1, headers: [:]), turn: nil)
    }
    send(ResponsePlan(refusal: refusal, to: nil))
  }

  private func send(_ plan: ResponsePlan) {
    guard let context, let exchange else { return }
    state = .answering
    server.ledger.update(exchange.sequence) { request, _ in request.phase = .responding }
    let sender = ResponseSender(plan, context: context, ledger: server.ledger, sequence: exchange.sequence) {
      let isCut = self.sender?.isCut == true
      self.sender = nil
      if isCut, let cut = plan.cut { self.breakOff(cut.how) } else { self.complete(closes: plan.closes) }
    }
    self.sender = sender
    sender.start()
  }

  private func complete(closes: Bool) {
    guard let exchange else { return }
    server.ledger.end(exchange.sequence, .complete)
    self.exchange = nil
    guard !closes else { return close() }
    state = .reading
    startIdling()
    advance()
  }

  /// Ends the exchange in the scripted manner, regardless of what was sent so far.
  private func breakOff(_ how: ScriptedResponse.Cut.Manner) {
    guard let context, let exchange else { return }
    switch how {
    case .hang:
      state = .hanging
      server.ledger.update(exchange.sequence) { request, _ in request.phase = .hanging }
    case .close:
      server.ledger.end(exchange.sequence, .closed)
      self.exchange = nil
      close()
    case .reset:
      state = .closing
      SocketEnding.reset(context) {
        self.server.ledger.end(exchange.sequence, .reset)
        self.exchange = nil
      }
    }
  }

  private func close() {
    state = .closing
    unread.clear()
    setReading(true)
    if let context { SocketEnding.close(context) }
  }

  private func startIdling() {
    guard let timeout = server.playback.script.idleTimeout, let context else { return }
    idleTimer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(timeout)) {
      guard self.exchange == nil, self.state == .reading else { return }
      self.context?.close(promise: nil)
    }
  }
}

/// A request and the state of its response.
private struct Exchange {
  var sequence: Int
  var head: RequestHead
  /// The scripted response. `nil` when no route matched.
  var turn: Playback.Turn?
  var leavesBodyUnread = false
  var bodyBytes = 0
  var crc = CRC32()
}
