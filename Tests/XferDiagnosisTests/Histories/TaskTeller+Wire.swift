import XferEvents

extension TaskTeller {
  /// Returns the events of a whole attempt, which ends as the task does.
  mutating func attemptMoves(
    _ scene: Scene, _ story: inout Story, fails: Walks.Ending? = nil, retryIn: Duration? = nil
  ) -> [Move] {
    let end = fails ?? ending
    let shapes: [String] =
      switch end {
      case .success where type == .upload: Walks.sending
      case .success where type == .data && story.chance(8): Walks.redirectRefusing
      case .success: Walks.finishing
      case .notFound: Walks.refusing
      // A timeout of the attempt itself needs a connection.
      case .timeout: Walks.failing.filter { $0.contains("C") }
      // If the daemon sends the body again while the app does not run, the reported progress decreases.
      case .transport where isBackground && retryIn != nil: Walks.failing.filter { !$0.contains("U") }
      case .transport, .none: Walks.failing
      case .cancelled, .invalidated: type == .upload ? Walks.sending : Walks.finishing
      }
    return wire(story.pick(shapes), end, scene, &story, retryIn: retryIn)
  }

  /// Returns the events of an attempt that will be interrupted, without its end.
  mutating func open(_ scene: Scene, _ story: inout Story) -> [Move] {
    wire(String(story.pick(Walks.stopped).dropLast()), .none, scene, &story)
  }

  /// Returns the end of an interrupted attempt.
  mutating func close(_ scene: Scene, _ story: inout Story) -> [Move] {
    let (end, error): (AttemptEnd, Int) = isCancelled ? (.cancelled, 42) : (.suspended, 42)
    return [
      .tell(
        scene.engine,
        AttemptEnded(
          task: task, attempt: attempt, end: end, domain: .curl, error: error, errorName: isCancelled ? "cancelled" : "suspended",
          received: received, sent: 0))
    ]
  }

  /// Returns the events of an attempt.
  ///
  /// - Parameter shape: the attempt's letters, with or without its end.
  mutating func wire(
    _ shape: String, _ end: Walks.Ending, _ scene: Scene, _ story: inout Story, retryIn: Duration? = nil
  ) -> [Move] {
    attempt += 1
    var wire = WireTeller(self, end, scene, shape)
    var moves: [Move] = []
    for place in shape.indices { moves += wire.tell(place, &story, retryIn: retryIn) }
    take(wire)
    return moves
  }
}

/// A generator of one attempt's events.
struct WireTeller {
  let shape: String
  let teller: TaskTeller
  let end: Walks.Ending
  let scene: TaskTeller.Scene
  var transaction = 1
  var received: Int64
  var sent: Int64 = 0
  var status: Int?
  private var challenge: CorrelationID?
  let firstByte: Int64
  private var task: TaskIdentity { teller.task }
  private var number: Int { teller.attempt }

  typealias Move = Story.Move

  init(_ teller: TaskTeller, _ end: Walks.Ending, _ scene: TaskTeller.Scene, _ shape: String) {
    (self.teller, self.end, self.scene, self.shape) = (teller, end, scene, shape)
    let goesOn = teller.type != .upload && teller.etag != nil
    firstByte = goesOn ? max(teller.received, teller.offset) : 0
    received = firstByte
  }

  mutating func tell(_ place: String.Index, _ story: inout Story, retryIn: Duration?) -> [Move] {
    let pen = scene.engine
    let rest = shape[shape.index(after: place)...]
    let wait = story.briefly()
    func tell(_ event: any TransferEvent) -> Move { .tell(pen, event, after: wait) }
    let connection = CorrelationID(story.identifier())
    switch shape[place] {
    case "S":
      return [
        tell(
          AttemptStarted(
            task: task, attempt: number, scheme: "https", host: teller.host, port: 443, offset: firstByte,
            sourceSize: teller.type == .upload ? teller.size : nil))
      ]
    case "C":
      return [
        tell(
          AttemptConnectionAcquired(
            task: task, attempt: number, transaction: transaction, connection: connection, reused: story.chance(2),
            protocol: "http/1.1", host: teller.host, remoteAddress: "10.0.0.1", remotePort: 443, queueTime: .milliseconds(1)))
      ]
    case "Q":
      return [
        tell(
          AttemptRequestSent(
            task: task, attempt: number, transaction: transaction, method: teller.type == .upload ? "PUT" : "GET",
            requestBytes: 200, headers: "host,accept", authorized: false, offset: firstByte, ifRange: firstByte > 0))
      ]
    case "U":
      let isAgain = sent > 0 && shape[..<place].contains("A")
      sent = rest.contains("U") ? teller.size / 2 : teller.size
      return (isAgain ? callback(.needNewBodyStream, &story) : []) + [
        tell(AttemptBytesSent(task: task, attempt: number, sent: sent, expected: teller.size))
      ]
        + callback(.didSendBodyData, &story)
    case "P": return respond(rest, tell, &story)
    case "B": return receive(rest, tell, &story)
    case "N":
      return [tell(AttemptNetworkAwaited(task: task, attempt: number, hold: story.pick([.network, .networkPolicy])))]
        + callback(.waitingForConnectivity, &story) + [.pause(.milliseconds(story.number(1...2000)))]
    case "H":
      challenge = story.correlation()
      return [
        tell(
          AttemptChallengeReceived(
            task: task, attempt: number, challenge: challenge, challengeMethod: story.pick([.serverTrust, .basic, .bearer]),
            host: teller.host, previousFailures: 0))
      ] + callback(.didReceiveChallenge, &story)
    case "A":
      let isRefused = end == .notFound || rest.first == "E"
      return [
        tell(
          AttemptChallengeAnswered(
            task: task, attempt: number, challenge: challenge, disposition: isRefused ? .performDefaultHandling : .useCredential,
            by: .app))
      ]
    case "R":
      return [
        tell(
          AttemptRedirectReceived(
            task: task, attempt: number, transaction: transaction, status: 302, scheme: "https", host: teller.host,
            path: "/elsewhere/\(transaction)"))
      ] + callback(.willPerformRedirect, &story)
    case "T":
      let isRefused = rest.first == "B" || rest.first == "E" && end != .success
      transaction += 1
      return [
        tell(
          AttemptRedirectAnswered(
            task: task, attempt: number, transaction: transaction - 1, decision: isRefused ? .refusedByApp : .followed,
            credentialsKept: true, by: isRefused ? .app : .engine))
      ]
    case "E":
      let isKept = teller.type == .data && end == .success
      return finish(tell, retryIn) + (isKept ? callback(.willCacheResponse, &story) : [])
    default: preconditionFailure("an attempt has no \(shape[place])")
    }
  }

  private mutating func respond(
    _ rest: Substring, _ tell: (any TransferEvent) -> Move, _ story: inout Story
  ) -> [Move] {
    let isLast = !rest.contains("P")
    let next = rest.first
    let status: Int
    switch next {
    case "R": status = 302
    case "B" where rest.dropFirst().first == "R": status = 302
    case "H", "C": status = 401
    case "B" where rest.dropFirst().first == "H" || rest.dropFirst().first == "C" || rest.dropFirst().first == "P": status = 401
    case "P": status = 103
    case _ where isLast && teller.type == .upload && end != .success && end != .notFound: status = 503
    default: status = end == .notFound ? 404 : firstByte > 0 ? 206 : 200
    }
    if isLast || status == 200 { self.status = status }
    let isWhole = status == 200 || status == 206
    if isWhole, firstByte > 0 { story.note(.resumedRange) }
    let length = rest.contains("B") ? teller.size - firstByte : 0
    return [
      tell(
        AttemptResponseReceived(
          task: task, attempt: number, transaction: transaction, status: status,
          expected: isWhole ? (length > 0 || end != .success ? teller.size - firstByte : 0) : 100, contentType: "image/png",
          chunked: false,
          etag: isWhole ? teller.etag : nil, rangeStart: status == 206 ? firstByte : nil,
          rangeTotal: status == 206 ? teller.size : nil, acceptsRanges: true, protocol: "http/1.1",
          firstByteTime: .milliseconds(1), headers: "content-length", host: teller.host))
    ] + (isLast && teller.type == .data ? callback(.didReceiveResponse, &story) : [])
  }

  private mutating func receive(
    _ rest: Substring, _ tell: (any TransferEvent) -> Move, _ story: inout Story
  ) -> [Move] {
    // An intermediate response has a body of its own.
    if let next = rest.first, "RHCPN".contains(next), next != "N" {
      return [tell(AttemptBytesReceived(task: task, attempt: number, received: 100, expected: 100))]
    }
    if shape.contains("TB") {
      received = 100
      return [tell(AttemptBytesReceived(task: task, attempt: number, received: 100, expected: 100))]
    }
    let isAll = !rest.contains("B") && end == .success
    if end == .notFound {
      received = 100
      return [tell(AttemptBytesReceived(task: task, attempt: number, received: 100, expected: 100))]
    }
    received = isAll ? teller.size : max(received, firstByte + (teller.size - firstByte) / 3)
    return [
      tell(
        AttemptBytesReceived(
          task: task, attempt: number, received: received - firstByte, expected: teller.size - firstByte))
    ]
      + callback(teller.type == .download ? .didWriteData : .didReceiveData, &story)
  }

  private func finish(_ tell: (any TransferEvent) -> Move, _ retryIn: Duration?) -> [Move] {
    let (why, error): (AttemptEnd, (ErrorDomain, Int, String)?) =
      switch end {
      case .success, .notFound: (.finished, nil)
      case .timeout: (.timeout, (.curl, 28, "operationTimedOut"))
      case .transport, .none: (.transport, (.curl, 56, "recvError"))
      case .cancelled, .invalidated: (.cancelled, (.curl, 42, "cancelled"))
      }
    return [
      tell(
        AttemptEnded(
          task: task, attempt: number, end: why, domain: error?.0, error: error?.1, errorName: error?.2,
          received: received - firstByte, sent: sent, retryIn: retryIn, phase: error == nil ? nil : phase))
    ]
  }

  /// The phase in which the attempt failed.
  private var phase: AttemptPhase {
    if shape.contains("P") { return .receiving }
    if shape.contains("Q") || shape.contains("U") { return .waiting }
    return shape.contains("C") ? .sending : .connecting
  }

  /// Returns a delegate callback during the attempt, or nothing.
  private func callback(_ callback: Callback, _ story: inout Story) -> [Move] {
    guard let delegate = scene.delegate, story.chance(2) else { return [] }
    // A progress callback is sometimes dropped.
    if callback == .didWriteData || callback == .didReceiveData || callback == .didSendBodyData, story.chance(10) {
      return dropped(callback, story.delivery(), story.number(0...2), delegate)
    }
    return Story.callback(callback, story.delivery(), of: task, from: scene.engine, to: delegate)
  }
}

extension WireTeller {
  private func dropped(_ callback: Callback, _ delivery: DeliveryID, _ steps: Int, _ delegate: Pen) -> [Move] {
    var moves: [Move] = [.tell(scene.engine, DeliverySent(task: teller.task, delivery: delivery, callback: callback))]
    if steps > 0 { moves.append(.tell(delegate, DeliveryReceived(task: teller.task, delivery: delivery, callback: callback))) }
    let drop = DeliveryDropped(task: teller.task, delivery: delivery, callback: callback, why: .noConsumer, by: .app)
    let entered = DeliveryEntered(task: teller.task, delivery: delivery, callback: callback, queue: "delegate")
    let last: [Move] = (steps > 1 ? [.tell(delegate, entered)] : []) + [.tell(delegate, drop)]
    return moves + [.callback(queue: "\(delegate.writer) \(teller.task.session)", last)]
  }
}

extension Story {
  /// Returns the events of a callback from its sending to its return.
  static func callback(
    _ callback: Callback, _ delivery: DeliveryID, of task: TaskIdentity, from engine: Pen, to delegate: Pen,
    redelivered: Bool? = nil, isSent: Bool = false, within moves: [Move] = []
  ) -> [Move] {
    var told: [Move] = []
    if !isSent {
      told.append(.tell(engine, DeliverySent(task: task, delivery: delivery, callback: callback, redelivered: redelivered)))
    }
    told.append(.tell(delegate, DeliveryReceived(task: task, delivery: delivery, callback: callback)))
    told.append(
      .callback(
        queue: "\(delegate.writer) \(task.session)",
        [
          .tell(
            delegate,
            DeliveryEntered(task: task, delivery: delivery, callback: callback, queue: "delegate", onMainThread: false))
        ] + moves + [.tell(delegate, DeliveryLeft(task: task, delivery: delivery, callback: callback))]))
    return told
  }
}
