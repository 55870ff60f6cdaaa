package import XferEvents

/// What is known of one task: the facts themselves, and how an event changes them. What follows from them is asked of
/// `TaskLifecycle`.
package struct TaskFacts {
  package typealias ErrorFacts = TaskLifecycle.ErrorFacts
  package typealias Traits = TaskLifecycle.Traits
  package typealias RunningCallback = TaskLifecycle.RunningCallback
  package typealias EarlierResumeData = TaskLifecycle.EarlierResumeData
  package typealias FailedTry = TaskLifecycle.FailedTry
  package typealias RateLimit = TaskLifecycle.RateLimit
  package typealias NumberBinding = TaskLifecycle.NumberBinding
  package typealias HoldTerms = TaskLifecycle.HoldTerms
  package typealias Incidents = TaskLifecycle.Incidents
  typealias IncidentsBox = TaskLifecycle.IncidentsBox
  package typealias Oddities = TaskLifecycle.Oddities
  package typealias AppRecord = TaskLifecycle.AppRecord
  typealias OdditiesBox = TaskLifecycle.OdditiesBox
  package typealias Contradiction = TaskLifecycle.Contradiction
  package typealias AnswerReceipt = TaskLifecycle.AnswerReceipt
  package typealias Count = TaskLifecycle.Count
  package typealias Regress = TaskLifecycle.Regress
  package typealias Label = TaskLifecycle.Label
  package typealias Relabelled = TaskLifecycle.Relabelled
  package typealias SameNumber = TaskLifecycle.SameNumber
  package typealias Twin = TaskLifecycle.Twin
  package typealias Unowned = TaskLifecycle.Unowned
  package typealias Replay = TaskLifecycle.Replay
  package typealias NeedlessTry = TaskLifecycle.NeedlessTry
  package typealias RefusedRange = TaskLifecycle.RefusedRange
  package typealias Timeouts = TaskLifecycle.Timeouts
  package typealias OddContent = TaskLifecycle.OddContent
  package typealias OddRange = TaskLifecycle.OddRange
  package typealias ResumeDataUse = TaskLifecycle.ResumeDataUse
  package typealias UploadAnswer = TaskLifecycle.UploadAnswer
  package typealias KnownUpload = TaskLifecycle.KnownUpload
  package typealias PolicyChange = TaskLifecycle.PolicyChange
  package typealias ChainLink = TaskLifecycle.ChainLink
  package typealias ChallengeWake = TaskLifecycle.ChallengeWake

  package let identity: TaskIdentity
  /// Place of the process life that the last of its events came from.
  package var process: Int
  package var type: TaskType?
  /// Where the app was when it made the task.
  package private(set) var origin: TaskOrigin?
  package var method: String?
  package var scheme: String?
  package var host: String?
  package private(set) var port: Int?
  package var path: RecordedText?
  package private(set) var query: RecordedText?
  /// The whole URL, as far as to tell one from another.
  package var resource: ValueDigest?
  package var intent: String?
  package var expectedToReceive: Int64?
  package var requestTimeout: Duration?
  package var resourceTimeout: Duration?
  /// What it was made with, to go on where another task had got to.
  package var resumeData: ValueDigest?
  /// Where in the resource it was made to begin.
  package var offset: Int64?
  /// As asked for and as it applies; `nil` when the log does not say.
  package private(set) var discretionary: Bool?
  package private(set) var effectiveDiscretionary: Bool?
  package private(set) var allowsCellular: Bool?
  /// Place of the app's life that made it, or knew it again last, and of the one before; set by the replay.
  package var owner: Int?
  package var earlierOwner: Int?
  /// Place of the daemon's life that last spoke of it; set by the replay.
  package var carrier: Int?

  // Facts, `nil` until they happen.
  package var created: Fact?
  /// The daemon has said that it has it, when the log had not told of it yet.
  package var listed: Fact?
  package var resumed: Fact?
  package var suspended: Fact?
  package var cancelRequested: Fact?
  package var cancelledBy: Actor?
  /// URLSession's reason, as the request to cancel or the completion gives it.
  package private(set) var cancelReason: CancelReason?
  /// Whether resume data came with its failure.
  package private(set) var leftResumeData = false
  package var held: Fact?
  package var hold: HoldReason?
  /// What it waited for last.
  package private(set) var lastHold: HoldReason?
  package private(set) var holdEnded: Fact?
  package var holdHost: String?
  /// Connections allowed where it waits for one.
  package var slots: Int?
  package private(set) var holdTerms: HoldTerms?
  package var delayAsked: Fact?
  package var transferred: Fact?
  package var completed: Fact?
  package var completedDelivery: DeliveryID?
  /// A completion after the first that is no redelivery of it, and whether both say which delivery they are.
  package var completedAgain: Fact?
  package var namesBothCompletions = false
  /// The first progress that came when the task was complete.
  package var lateProgress: Fact?
  package var acknowledged: Fact?
  package var forgotten: Fact?
  package private(set) var forgetReason: ForgetReason?
  package var handedOff: Fact?
  package var adopted: Fact?
  /// Since when another task carries its transfer.
  package var coalesced: Fact?

  /// What `task.completed` says.
  package var status: Int?
  package var error: ErrorFacts?
  package var received: Int64?
  package var sent: Int64?

  /// Connections that its attempts and their redirects were given, and how many of them had been used before.
  package private(set) var connections: UInt32 = 0
  package private(set) var reusedConnections: UInt32 = 0

  /// The last attempt and how many there were.
  package private(set) var attempt: AttemptLifecycle?
  package var attemptCount = 0
  package var firstAttempt: Fact?
  /// The starts of the last attempts, oldest first, at most `startsLimit`.
  package var attemptStarts: [Fact] = []
  package var pieces = Pieces()

  /// The callbacks that matter to the outcome; others are counted.
  package var completionDelivery: DeliveryLifecycle?
  package var fileDelivery: DeliveryLifecycle?
  package var otherDeliveries = 0
  /// Which of the others runs in the app's code, and since when.
  package private(set) var otherCallback: RunningCallback?
  package var file = FileLifecycle()

  /// What the app said it made of it.
  package var outcome: Outcome?
  package var outcomeRecorded: Fact?
  /// Work of its own for this task that the app has begun and not ended.
  package var appWork: Fact?

  package internal(set) var earlierResumeData: EarlierResumeData?
  /// What the last task for the same resource had of it, where the resume data does not say whose it is.
  package internal(set) var likelyEntity: Entity?
  /// The first time that it was to go on where it had stopped, and began anew.
  package private(set) var restart: Restart?
  private var rangeAnswer: RangeAnswer?
  /// A restart, if the next attempt begins at the beginning.
  private var refused: Restart?
  /// Tasks for the same intent that failed one after another before this one was made, oldest first.
  package internal(set) var failedTries: [FailedTry] = []
  /// Few tasks have any.
  package internal(set) var rateLimit: RateLimit?
  package internal(set) var numberBinding: NumberBinding?
  var box: IncidentsBox?
  var oddityBox: OdditiesBox?
  /// What the app said of its record; few apps say it of many tasks.
  package private(set) var record: AppRecord?
  /// What the file to send was like, the first time that somebody looked.
  package var source: SourceLook? { looks.first }
  private var looks: [SourceLook] = []
  /// The first time that it was another one.
  package internal(set) var sourceChange: SourceChange?
  /// What the file system refused, oldest first.
  package private(set) var troubles: [FileTrouble] = []

  /// What the process's end made of it; set by the replay.
  package var processEnd: Fact?

  /// What few tasks have, at a glance.
  package internal(set) var traits: Traits = []

  package private(set) var unexpected: [UnexpectedOrder] = []
  private var taskOrder = OrderTracker()
  private var attemptOrder = OrderTracker()
  private var fileOrder = OrderTracker()

  package init(identity: TaskIdentity, process: Int) {
    self.identity = identity
    self.process = process
  }

  /// Kept per task; a log that is wrong throughout must not cost memory.
  private static let unexpectedLimit = 8
  /// As many as it takes to see that attempts come too often.
  package static let startsLimit = 10
  /// From here on somebody may ask why a task did not begin; what is quicker is not looked at.
  private static let slowStartTime: Duration = .milliseconds(100)
  private static let troublesLimit = 8

  // MARK: Applying an event

  /// Total: an order that is not expected is kept as such, never refused.
  package mutating func apply(_ event: EventView, _ fact: Fact) {
    switch fact.kind {
    case .taskCreated: create(event, fact)
    case .taskResumed:
      resumed = resumed ?? fact
      suspended = nil
    case .taskSuspended: suspended = fact
    case .taskCancelRequested:
      cancelRequested = cancelRequested ?? fact
      cancelledBy = cancelledBy ?? event.by
      cancelReason = cancelReason ?? event.cancelReason
    case .taskHeld:
      held = fact
      hold = event.hold
      lastHold = hold
      holdHost = event.host
      slots = event.slots
      holdTerms = HoldTerms(event)
    case .taskDelayAsked: delayAsked = fact
    case .taskDelayAnswered: delayAsked = nil
    case .taskHoldEnded:
      holdEnded = fact
      held = nil
      hold = nil
    case .taskAdopted:
      adopted = fact
      if oddityBox != nil { noteLabel(event, fact) }
    case .taskTransferred:
      transferred = fact
      status = event.status ?? status
      received = event.received ?? received
      sent = event.sent ?? sent
    case .taskCompleted: complete(event, fact)
    case .taskAcknowledged: acknowledge(event, fact)
    case .taskForgotten:
      forgotten = fact
      forgetReason = event.forgotten
    case .taskHandedOff: handedOff = fact
    case .taskCoalesced: coalesced = coalesced ?? fact
    case .taskChanged:
      expectedToReceive = event.expectedToReceive ?? expectedToReceive
      if oddityBox != nil { noteLabel(event, fact) }
    case .attemptStarted: start(event, fact)
    case .attemptConnectionAcquired, .attemptRequestSent, .attemptResponseReceived, .attemptBytesReceived,
      .attemptBytesSent, .attemptEnded, .attemptNetworkAwaited, .attemptChallengeReceived, .attemptChallengeAnswered,
      .attemptRedirectReceived, .attemptRedirectAnswered:
      // What is said of the next attempt is not about the last, even where the log lacks the event that begins it.
      if attempt.map({ $0.ended != nil && event.attempt ?? 0 > $0.number }) ?? true {
        attempt = AttemptLifecycle(AttemptFacts(number: event.attempt ?? 1, started: nil))
      } else if !isKnownUniquelyReferenced(&attempt) {
        // Another copy of these facts keeps it as it was.
        attempt = AttemptLifecycle(attempt!.facts)
      }
      if fact.kind == .attemptConnectionAcquired {
        connections += 1
        if event.reused ?? false { reusedConnections += 1 }
      }
      if fact.kind == .attemptBytesReceived || fact.kind == .attemptBytesSent { noteBytes(event, fact) }
      attempt!.facts.apply(event, fact)
      switch fact.kind {
      case .attemptRequestSent:
        if attempt!.offset > 0 { traits.insert(.goesOn) }
        if type == .upload { attempt!.facts.uploadOffset = event.uploadOffset }
      case .attemptResponseReceived: receive(event)
      case .attemptEnded: noteEnd(event, fact)
      default: break
      }
      if completed != nil, fact.kind == .attemptBytesReceived || fact.kind == .attemptBytesSent { noteLateProgress(fact) }
    case .fileOffered, .fileClaimed, .fileUnclaimed, .fileReaped, .fileDeleted:
      file.apply(event, fact, callbackIsRunning: fileDelivery?.isRunning ?? false)
    case .deliverySent:
      if event.redelivered ?? false { traits.insert(.redelivered) }
      deliver(event, fact)
    case .deliveryReceived, .deliveryEntered, .deliveryLeft, .deliveryDropped: deliver(event, fact)
    case .appOutcomeRecorded:
      noteOutcome(event.outcome, fact)
      outcome = event.outcome
      outcomeRecorded = fact
    case .appIntentDeclared, .appIntentBound:
      intent = event.intent?.key ?? intent
    case .appWorkBegun: appWork = appWork ?? fact
    case .appWorkEnded: appWork = nil
    default: break
    }
    checkOrder(fact)
  }

  private mutating func receive(_ event: EventView) {
    guard let entity = attempt!.entity, let status = attempt!.status else { return }
    if attempt!.offset > 0, type != .upload {
      rangeAnswer = RangeAnswer(attempt!, earlier: pieces.entity ?? likelyEntity)
      if status == 200, !attempt!.hasContentRange { restart = restart ?? rangeAnswer.map { Restart($0, refused: nil) } }
    }
    pieces.receive(entity, status: status, offset: attempt!.offset)
    if status == 416 { traits.insert(.rangeRefused) }
    if attempt!.acceptedTypes != nil || type == .download && attempt!.redirects.received != nil { noteContent(event) }
    if attempt!.hasContentRange { noteRange(event) }
    if attempt!.uploadOffset != nil { noteUpload(event) }
  }

  private mutating func noteEnd(_ event: EventView, _ fact: Fact) {
    if attempt!.error != nil { traits.insert(.failed) }
    if attempt!.end == .timeout { noteTimeout(fact) }
    if attempt!.end == .refused { forgetOddAnswers() }
    noteUploadEnd()
    guard let answer = rangeAnswer else { return }
    rangeAnswer = nil
    guard attempt!.end == .refused else { return }
    // What looked like the whole was not taken.
    if restart?.response == answer.response { restart = nil }
    let reason: String? = if case .plain(let text)? = event.message { text } else { nil }
    refused = Restart(answer, refused: fact, reason: reason)
  }

  private mutating func create(_ event: EventView, _ fact: Fact) {
    created = created ?? fact
    type = event.type
    origin = event.origin
    if event.sourceOwned ?? false { traits.insert(.ownsSource) }
    method = event.method
    scheme = event.scheme
    host = event.host
    port = event.port
    path = event.path
    query = event.urlQuery
    resource = event.resource
    requestTimeout = event.requestTimeout
    resourceTimeout = event.resourceTimeout
    resumeData = event.resumeData
    offset = event.offset
    discretionary = event.discretionary
    effectiveDiscretionary = event.effectiveDiscretionary
    allowsCellular = event.allowsCellular
    expectedToReceive = event.expectedToReceive
    intent = event.intent?.key ?? intent
    if resumeData != nil || offset ?? 0 > 0 { traits.insert(.goesOn) }
    if let expires = event.credentialExpires { note(.expires) { $0.credentialExpires = expires } }
    look(event, fact)
  }

  private mutating func look(_ event: EventView, _ fact: Fact) {
    guard let look = SourceLook(event, fact) else { return }
    // Of a download, `content` would be another matter; nothing else looks at what is sent.
    guard let last = looks.first else { return looks.append(look) }
    if let change = SourceChange(last, look) { noteSource(change) }
  }

  package mutating func bind(_ fact: Fact) { record = AppRecord(bound: record?.bound ?? fact, unbound: nil) }
  package mutating func unbind(_ fact: Fact) { record = AppRecord(bound: record?.bound, unbound: fact) }

  package mutating func noteSource(_ change: SourceChange) {
    sourceChange = sourceChange ?? change
    traits.insert(.fileTrouble)
  }

  package mutating func note(_ trouble: FileTrouble) {
    traits.insert(.fileTrouble)
    if troubles.count < Self.troublesLimit { troubles.append(trouble) }
  }

  private mutating func start(_ event: EventView, _ fact: Fact) {
    if let attempt {
      noteRepetition(of: attempt, fact, offset: event.offset ?? 0)
      if event.offset ?? 0 == 0 { forgetOddAnswers() }
      noteRetry()
    } else if held == nil, lastHold == nil, let resumed, resumed.duration(to: fact) ?? .zero >= Self.slowStartTime {
      traits.insert(.slowStart)
    }
    attemptCount = max(attemptCount + 1, event.attempt ?? 0)
    var next = AttemptFacts(number: event.attempt ?? attemptCount, started: fact)
    next.offset = event.offset ?? 0
    if next.offset > 0 { traits.insert(.goesOn) }
    if attemptCount > 1 { traits.insert(.triedAgain) }
    if refused != nil, next.offset == 0 { restart = restart ?? refused }
    if event.sourceSize != nil || event.sourceModified != nil { look(event, fact) }
    (rangeAnswer, refused) = (nil, nil)
    // An attempt may begin where a redirect had led to; only at the task's own host its path is known.
    next.redirects.start(event, fact, path: event.host == host ? path : nil)
    attempt = AttemptLifecycle(next)
    firstAttempt = firstAttempt ?? fact
    // A single attempt, as most tasks have, needs no list.
    if firstAttempt != fact {
      if attemptStarts.isEmpty, let firstAttempt { attemptStarts.append(firstAttempt) }
      if attemptStarts.count == Self.startsLimit { attemptStarts.removeFirst() }
      attemptStarts.append(fact)
    }
    held = nil
    hold = nil
  }

  private mutating func complete(_ event: EventView, _ fact: Fact) {
    if completed == nil {
      noteCompletion(event, fact)
      completed = fact
      completedDelivery = event.delivery
    } else if completedAgain == nil, event.delivery == nil || event.delivery != completedDelivery {
      completedAgain = fact
      traits.insert(.late)
      namesBothCompletions = event.delivery != nil && completedDelivery != nil
    }
    status = event.status ?? status
    received = event.received ?? received
    sent = event.sent ?? sent
    error = event.error.map {
      ErrorFacts(domain: event.domain, number: $0, name: event.errorName, osError: event.osError)
    }
    if error != nil {
      traits.insert(.failed)
      cancelReason = event.cancelReason ?? cancelReason
      if event.resumeData != nil { leftResumeData = true }
    }
    if status ?? 0 >= 400 { traits.insert(.refused) }
    if error == nil, received ?? attempt?.received ?? 0 == 0 { traits.insert(.empty) }
  }

  private mutating func deliver(_ event: EventView, _ fact: Fact) {
    guard let delivery = event.delivery else { return }
    switch event.callback {
    case .didComplete:
      if completionDelivery == nil { completionDelivery = DeliveryLifecycle(id: delivery, callback: .didComplete) }
      note(completionDelivery!.apply(event, fact, process: process))
    case .didFinishDownloading:
      if fileDelivery == nil { fileDelivery = DeliveryLifecycle(id: delivery, callback: .didFinishDownloading) }
      note(fileDelivery!.apply(event, fact, process: process))
    default: deliverOther(delivery, event, fact)
    }
  }

  private mutating func deliverOther(_ delivery: DeliveryID, _ event: EventView, _ fact: Fact) {
    switch fact.kind {
    case .deliverySent: otherDeliveries += 1
    case .deliveryEntered:
      guard let callback = event.callback else { return }
      otherCallback = RunningCallback(delivery: delivery, callback: callback, entered: fact)
      if completed != nil, [.didReceiveData, .didWriteData, .didSendBodyData].contains(callback) { noteLateProgress(fact) }
    // What is dropped in the app's code is over, too.
    case .deliveryLeft, .deliveryDropped: if otherCallback?.delivery == delivery { otherCallback = nil }
    default: break
    }
  }

  private mutating func noteLateProgress(_ fact: Fact) {
    // What happened before the completion and was only written after it is no progress after it.
    if let end = completed?.monotonic, let now = fact.monotonic, now <= end { return }
    lateProgress = lateProgress ?? fact
    traits.insert(.late)
  }

  /// What names no delivery is about the completion.
  private mutating func acknowledge(_ event: EventView, _ fact: Fact) {
    acknowledged = fact
    if let delivery = event.delivery, delivery == fileDelivery?.id {
      fileDelivery?.acknowledged = fact
    } else if event.delivery == nil || event.delivery == completionDelivery?.id {
      completionDelivery?.acknowledged = fact
    }
  }

  private mutating func checkOrder(_ fact: Fact) {
    switch fact.kind.rawValue {
    case 60..<80: note(taskOrder.note(fact))
    case 80..<100: note(attemptOrder.note(fact))
    case 100..<110: note(fileOrder.note(fact))
    default: break
    }
  }

  private mutating func note(_ order: UnexpectedOrder?) {
    if let order, unexpected.count < Self.unexpectedLimit { unexpected.append(order) }
  }
}
