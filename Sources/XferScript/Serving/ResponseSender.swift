internal import NIOCore

/// Sends one response at the pace of the script and of the client, and says when it is at its end.
///
/// Lives on its connection's event loop. When the connection goes away first, it never says anything again.
final class ResponseSender {
  private let plan: ResponsePlan
  private let context: ChannelHandlerContext
  private let ledger: RequestLedger
  private let sequence: Int
  private let atEnd: () -> Void
  private var pieces: BodyPieces
  private var timer: Scheduled<Void>?
  private var began = NIODeadline.uptimeNanoseconds(0)
  /// Body bytes handed to the channel; the ledger has those that the kernel took.
  private var bodyBytes = 0
  private var isSendingBody = false
  private var hasSentPiece = false
  private var isPumping = false
  private var writesInFlight = 0
  private var hasHandedOverAll = false

  init(
    _ plan: ResponsePlan, context: ChannelHandlerContext, ledger: RequestLedger, sequence: Int, atEnd: @escaping () -> Void
  ) {
    self.plan = plan
    self.context = context
    self.ledger = ledger
    self.sequence = sequence
    self.atEnd = atEnd
    pieces = BodyPieces(plan)
  }

  /// Whether the script ends this response, rather than its own last byte.
  var isCut: Bool {
    switch plan.cut?.place {
    case nil, .afterRequestBytes: false
    case .afterBodyBytes: pieces.isCut
    case .beforeStatus, .midHeaders, .afterHeaders, .midBody, .afterBody: true
    }
  }

  func start() {
    wait(plan.delay.beforeStatus) { self.sendHead() }
  }

  func channelBecameWritable() { pump() }

  func cancel() {
    timer?.cancel()
    isSendingBody = false
    hasHandedOverAll = false
  }

  private func sendHead() {
    guard plan.cut?.place != .beforeStatus else { return handOver() }
    for status in plan.informational {
      write([ByteBuffer(string: "HTTP/1.1 \(status) \(StatusPhrase.usual(status))\r\n\r\n")]) {}
    }
    let isCutShort = plan.cut?.place == .midHeaders
    let head = isCutShort ? plan.head.prefix(plan.head.count / 2) : plan.head[...]
    let body = (planned: plan.slice.count, offset: plan.slice.lowerBound)
    write([ByteBuffer(bytes: head)]) { [plan, ledger, sequence] in
      ledger.update(sequence) { request, time in
        request.responded = time
        request.status = plan.status
        request.validator = plan.validator
        request.entityBytes = plan.entity.count
        request.bodyBytesPlanned = body.planned
        request.bodyOffset = body.offset
        request.problem = plan.problem
      }
    }
    guard !isCutShort, plan.cut?.place != .afterHeaders else { return handOver() }
    if plan.delay.beforeBody > .zero { context.flush() }
    wait(plan.delay.beforeBody) { self.sendBody() }
  }

  private func sendBody() {
    isSendingBody = true
    began = .now()
    pump()
  }

  /// Hands pieces over until the channel is full, the script wants a pause, or nothing is left.
  private func pump() {
    guard isSendingBody, !isPumping, timer == nil, !hasHandedOverAll else { return }
    isPumping = true
    defer { isPumping = false }
    while context.channel.isWritable {
      let pause = pauseBeforeNextPiece()
      guard pause == .zero else {
        context.flush()
        return wait(pause) { self.sendPiece() }
      }
      guard sendNextPiece() else { return handOver() }
    }
    context.flush()
    // A flush that empties the channel at once tells of it while `isPumping`, so look again.
    if context.channel.isWritable { context.eventLoop.assumeIsolated().execute { self.pump() } }
  }

  private func sendPiece() {
    guard sendNextPiece() else { return handOver() }
    pump()
  }

  /// False at the end of the body.
  private func sendNextPiece() -> Bool {
    guard let piece = pieces.next() else { return false }
    bodyBytes += piece.bodyBytes
    write(piece.buffers) { [ledger, sequence] in
      guard piece.bodyBytes > 0 else { return }
      ledger.update(sequence) { request, time in
        request.bodyBegan = request.bodyBegan ?? time
        request.bodyBytesWritten += piece.bodyBytes
      }
    }
    hasSentPiece = true
    return true
  }

  private func pauseBeforeNextPiece() -> Duration {
    guard bodyBytes < pieces.count else { return .zero }
    var pause = hasSentPiece ? plan.pause : .zero
    if let rate = plan.rate {
      // A piece is due with its last byte, so that a body takes as long as its size says.
      let due = began + .nanoseconds(Int64(min(9e18, Double(bodyBytes + pieces.nextCount) / Double(rate) * 1e9)))
      pause = max(pause, .nanoseconds((due - .now()).nanoseconds))
    }
    return max(pause, .zero)
  }

  private func handOver() {
    hasHandedOverAll = true
    context.flush()
    endIfAllIsWritten()
  }

  private func endIfAllIsWritten() {
    guard hasHandedOverAll, writesInFlight == 0 else { return }
    hasHandedOverAll = false
    isSendingBody = false
    atEnd()
  }

  /// `whenTaken` runs once the kernel has all of the buffers, and never when the connection goes away first.
  private func write(_ buffers: [ByteBuffer], whenTaken: @escaping () -> Void) {
    let promise = context.eventLoop.makePromise(of: Void.self)
    writesInFlight += 1
    promise.futureResult.assumeIsolated().whenSuccess {
      self.writesInFlight -= 1
      whenTaken()
      self.endIfAllIsWritten()
    }
    for buffer in buffers.dropLast() { context.write(NIOAny(buffer), promise: nil) }
    context.write(NIOAny(buffers.last ?? ByteBuffer()), promise: promise)
  }

  private func wait(_ duration: Duration, then act: @escaping () -> Void) {
    guard duration > .zero else { return act() }
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(duration)) {
      self.timer = nil
      act()
    }
  }
}
