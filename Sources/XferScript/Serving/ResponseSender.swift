internal import NIOCore

/// Sends one response at the pace of the script and of the client, and calls `atEnd` when the response is complete.
///
/// A sender runs on the event loop of its connection. If the connection is lost first, the sender never calls `atEnd`.
final class ResponseSender {
  private let plan: ResponsePlan
  private let context: ChannelHandlerContext
  private let ledger: RequestLedger
  private let sequence: Int
  private let atEnd: () -> Void
  private var pieces: BodyPieces
  private var timer: Scheduled<Void>?
  private var began = NIODeadline.uptimeNanoseconds(0)
  /// The number of body bytes handed to the channel. The ledger counts the bytes that the kernel accepted.
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

  /// Whether the script cuts this response before or after its last byte.
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

  /// Hands pieces to the channel until it is full, the script asks for a pause, or the response is complete.
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
    // If the flush empties the channel at once, the report that it is writable comes while `isPumping` is set and is ignored.
    // So check again here.
    if context.channel.isWritable { context.eventLoop.assumeIsolated().execute { self.pump() } }
  }

  private func sendPiece() {
    guard sendNextPiece() else { return handOver() }
    pump()
  }

  /// Sends the next piece of the body. Returns false at the end of the body.
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
      // The pause precedes the piece, so that the whole body takes the time given by its size and rate.
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

  /// Writes buffers, and calls `whenTaken` after the kernel has accepted all of them. If the connection is lost first,
  /// `whenTaken` is never called.
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
