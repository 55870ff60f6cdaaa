public import XferEvents

/// The facts about one task, and their changes by events. `TaskLifecycle` derives further properties.
@usableFromInline package struct TaskFacts {
  package typealias ErrorFacts = TaskLifecycle.ErrorFacts
  @usableFromInline package typealias Traits = TaskLifecycle.Traits
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
  package typealias Count = TaskLifecycle.Count
  package typealias Regress = TaskLifecycle.Regress
  package typealias SameNumber = TaskLifecycle.SameNumber
  package typealias Twin = TaskLifecycle.Twin
  package typealias Unowned = TaskLifecycle.Unowned
  package typealias Replay = TaskLifecycle.Replay
  package typealias NeedlessTry = TaskLifecycle.NeedlessTry
  package typealias RefusedRange = TaskLifecycle.RefusedRange
  package typealias ResumeDataUse = TaskLifecycle.ResumeDataUse
  package typealias UploadAnswer = TaskLifecycle.UploadAnswer
  package typealias KnownUpload = TaskLifecycle.KnownUpload
  package typealias PolicyChange = TaskLifecycle.PolicyChange
  package typealias ChainLink = TaskLifecycle.ChainLink
  package typealias ChallengeWake = TaskLifecycle.ChallengeWake

  package let identity: TaskIdentity
  /// The index of the process life that wrote the last event about the task.
  @usableFromInline package var process: Int
  package var type: TaskType?
  /// Whether the app was in the foreground or the background when it created the task.
  package private(set) var origin: TaskOrigin?
  package var method: String?
  package var scheme: String?
  package var host: String?
  package private(set) var port: Int?
  package var path: RecordedText?
  package private(set) var query: RecordedText?
  /// The digest of the whole URL, to distinguish resources.
  package var resource: ValueDigest?
  package var intent: String?
  package var expectedToReceive: Int64?
  package var requestTimeout: Duration?
  package var resourceTimeout: Duration?
  /// The resume data from which the task was created.
  package var resumeData: ValueDigest?
  /// The byte offset in the resource at which the task was created to begin.
  package var offset: Int64?
  /// The requested value of `isDiscretionary`; `nil` if unknown.
  package private(set) var discretionary: Bool?
  /// The effective value of `isDiscretionary`; `nil` if unknown.
  package private(set) var effectiveDiscretionary: Bool?
  package private(set) var allowsCellular: Bool?
  /// The index of the app's life that created or last adopted the task; set by the replay.
  package var owner: Int?
  /// The index of the app's life that owned the task before `owner`; set by the replay.
  package var earlierOwner: Int?
  /// The index of the daemon's life that last wrote about the task; set by the replay.
  package var carrier: Int?

  // Facts that are `nil` until they happen.
  package var created: Fact?
  /// The daemon's list that mentioned the task before any other event did.
  package var listed: Fact?
  package var resumed: Fact?
  package var suspended: Fact?
  package var cancelRequested: Fact?
  package var cancelledBy: Actor?
  /// URLSession's reason for the cancellation, from the request or the completion.
  package private(set) var cancelReason: CancelReason?
  /// Whether the failed task left resume data.
  package private(set) var leftResumeData = false
  package var held: Fact?
  package var hold: HoldReason?
  /// The reason of the last hold.
  package private(set) var lastHold: HoldReason?
  package private(set) var holdEnded: Fact?
  package var holdHost: String?
  /// The maximum number of connections to the host or in the session, when the task waits for one of them; `nil` if unknown.
  package var slots: Int?
  package private(set) var holdTerms: HoldTerms?
  package var delayAsked: Fact?
  package var transferred: Fact?
  @usableFromInline package var completed: Fact?
  package var completedDelivery: DeliveryID?
  /// The first progress after the completion.
  package var lateProgress: Fact?
  package var acknowledged: Fact?
  package var forgotten: Fact?
  package private(set) var forgetReason: ForgetReason?
  package var handedOff: Fact?
  package var adopted: Fact?
  /// The event since which another task carries the transfer for this one.
  package var coalesced: Fact?

  /// The HTTP status that `task.transferred` or `task.completed` states.
  package var status: Int?
  package var error: ErrorFacts?
  package var received: Int64?
  package var sent: Int64?

  /// The number of connections that the attempts and their redirects used.
  package private(set) var connections: UInt32 = 0
  /// The number of connections that had been used before an attempt or a redirect used them.
  package private(set) var reusedConnections: UInt32 = 0

  /// The last attempt.
  package private(set) var attempt: AttemptLifecycle?
  package var attemptCount = 0
  package var firstAttempt: Fact?
  /// The starts of the last attempts, oldest first, at most `startsLimit`.
  package var attemptStarts: [Fact] = []
  package var pieces = Pieces()

  /// The delivery of the completion callback. Other callbacks, except that of `fileDelivery`, are only counted.
  package var completionDelivery: DeliveryLifecycle?
  package var fileDelivery: DeliveryLifecycle?
  package var otherDeliveries = 0
  /// The running callback of the app that is neither the completion nor the file callback; `nil` if none is running.
  package private(set) var otherCallback: RunningCallback?
  package var file = FileLifecycle()

  /// The outcome that the app recorded.
  package var outcome: Outcome?
  package var outcomeRecorded: Fact?
  /// The message that the app recorded with an outcome other than success.
  package private(set) var outcomeMessage: RecordedText?
  /// The HTTP error status that the app accepts on purpose.
  package private(set) var acceptedStatus: Int?
  /// Work for this task that the app has begun and not ended.
  package var appWork: Fact?

  package internal(set) var earlierResumeData: EarlierResumeData?
  /// The earlier task whose partial download this task continues.
  package private(set) var continues: TaskLifecycle.Continued?
  /// The first later task that continues this task's partial download; set by the replay.
  package internal(set) var continuation: TaskLifecycle.Continuation?
  /// The entity that an earlier task for the same resource had received and that this task probably continues; `nil` if unknown,
  /// or if this task was created from the earlier task's resume data.
  package internal(set) var likelyEntity: Entity?
  /// The first time that the transfer should have continued but started again from the beginning.
  package private(set) var restart: Restart?
  private var rangeAnswer: RangeAnswer?
  /// A refused response, which becomes a restart if the next attempt begins at the first byte.
  private var refused: Restart?
  /// The tasks for the same intent that failed one after another before this one was created, oldest first.
  package internal(set) var failedTries: [FailedTry] = []
  /// The delay of the task because the app was woken too often; rarely set.
  package internal(set) var rateLimit: RateLimit?
  package internal(set) var numberBinding: NumberBinding?
  var box: IncidentsBox?
  var oddityBox: OdditiesBox?
  /// The app's record of the task; rarely set.
  package private(set) var record: AppRecord?
  /// The properties of the source file when they were first recorded.
  package var source: SourceLook? { looks.first }
  private var looks: [SourceLook] = []
  /// The first change of the source file.
  package internal(set) var sourceChange: SourceChange?
  /// The failed file operations, oldest first.
  package private(set) var troubles: [FileTrouble] = []

  /// The end of the process while the task was open; set by the replay.
  package var processEnd: Fact?

  /// Flags for facts that few tasks have.
  @usableFromInline package internal(set) var traits: Traits = []

  package private(set) var unexpected: [UnexpectedOrder] = []
  private var taskOrder = OrderTracker()
  private var attemptOrder = OrderTracker()
  private var fileOrder = OrderTracker()

  package init(identity: TaskIdentity, process: Int) {
    self.identity = identity
    self.process = process
  }

  /// The maximum number of stored unexpected events per task. A log with more of them must not take more memory.
  private static let unexpectedLimit = 8
  /// The number of stored attempt starts, which suffices to detect too many attempts.
  package static let startsLimit = 10
  /// The minimum start delay that any rule considers.
  private static let slowStartTime: Duration = .milliseconds(100)
  private static let troublesLimit = 8

  // MARK: Applying an event

  /// Applies an event that names the task. An event in an unexpected order is applied and noted, never refused.
  package mutating func apply(_ model: EventModel, _ event: EventView, _ fact: Fact) {
    switch model {
    case .task(let kind): apply(kind, event, fact)
    case .attempt(let kind): apply(kind, event, fact)
    case .file(let kind): file.apply(kind, event, fact, callbackIsRunning: fileDelivery?.isRunning ?? false)
    case .delivery(let kind): apply(kind, event, fact)
    case .intent(let kind): apply(kind, event, fact)
    case .work(let kind): apply(kind, fact)
    // These models do not change the task, even if the event names it.
    case .log, .boot, .process, .daemon, .link, .session, .listener, .wake, .secret, .beat, .assertion, .alarm, .trigger, .upload,
      .network, .condition, .storage, .unconsumed:
      break
    }
    checkOrder(fact)
  }

  private mutating func apply(_ kind: EventModel.Task, _ event: EventView, _ fact: Fact) {
    switch kind {
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
    case .taskTransferred:
      transferred = fact
      status = event.status ?? status
      received = event.received ?? received
      sent = event.sent ?? sent
      if received ?? attempt?.received ?? 0 == 0 { traits.insert(.empty) }
    case .taskCompleted: complete(event, fact)
    case .taskAcknowledged: acknowledge(event, fact)
    case .taskForgotten:
      forgotten = fact
      forgetReason = event.forgotten
    case .taskHandedOff: handedOff = fact
    case .taskCoalesced: coalesced = coalesced ?? fact
    case .taskChanged:
      expectedToReceive = event.expectedToReceive ?? expectedToReceive
    case .taskObserved: type = event.type ?? type
    }
  }

  @inline(__always)
  private mutating func apply(_ kind: EventModel.Attempt, _ event: EventView, _ fact: Fact) {
    if kind == .attemptStarted { return start(event, fact) }
    // An event of a later attempt must not change the last known attempt, even if the start of the later one is missing from the
    // log.
    if attempt.map({ $0.ended != nil && event.attempt ?? 0 > $0.number }) ?? true {
      attempt = AttemptLifecycle(AttemptFacts(number: event.attempt ?? 1, started: nil))
    } else if !isKnownUniquelyReferenced(&attempt) {
      // Another copy of these facts refers to the same attempt, which must not change for that copy.
      attempt = AttemptLifecycle(attempt!.facts)
    }
    let isProgress = fact.kind.importance == .progress
    if isProgress { noteBytes(event, fact) }
    attempt!.facts.apply(kind, event, fact)
    switch kind {
    case .attemptConnectionAcquired:
      connections += 1
      if event.reused ?? false { reusedConnections += 1 }
    case .attemptRequestSent:
      if attempt!.offset > 0 { traits.insert(.goesOn) }
      if type == .upload { attempt!.facts.uploadOffset = event.uploadOffset }
    case .attemptResponseReceived: receive(event)
    case .attemptEnded: noteEnd(event, fact)
    case .attemptStarted, .attemptBytesReceived, .attemptBytesSent, .attemptNetworkAwaited, .attemptChallengeReceived,
      .attemptChallengeAnswered, .attemptRedirectReceived, .attemptRedirectAnswered:
      break
    }
    if isProgress, completed != nil { noteLateProgress(fact) }
  }

  private mutating func apply(_ kind: EventModel.Delivery, _ event: EventView, _ fact: Fact) {
    if kind == .deliverySent, event.redelivered ?? false { traits.insert(.redelivered) }
    deliver(kind, event, fact)
  }

  private mutating func apply(_ kind: EventModel.Intent, _ event: EventView, _ fact: Fact) {
    switch kind {
    case .appOutcomeRecorded:
      outcome = event.outcome
      outcomeMessage = outcome == .success ? nil : event.message
      acceptedStatus = event.acceptedStatus
      outcomeRecorded = fact
    case .appIntentDeclared, .appIntentBound:
      intent = event.intent?.key ?? intent
    case .appIntentUnbound: break
    }
  }

  private mutating func apply(_ kind: EventModel.Work, _ fact: Fact) {
    switch kind {
    case .appWorkBegun: appWork = appWork ?? fact
    case .appWorkEnded: appWork = nil
    case .appLockTaken, .appLockReleased, .appLockTimedOut: break
    }
  }

  private mutating func receive(_ event: EventView) {
    guard let entity = attempt!.entity, let status = attempt!.status else { return }
    if attempt!.offset > 0, type != .upload {
      rangeAnswer = RangeAnswer(attempt!, earlier: pieces.entity ?? likelyEntity)
      if status == 200, !attempt!.hasContentRange { restart = restart ?? rangeAnswer.map { Restart($0, refused: nil) } }
    }
    if 200..<300 ~= status, entity.size ?? 0 == 0, let earlier = pieces.entity ?? likelyEntity, earlier.size ?? 0 > 0 {
      remark([]) { $0.announced = $0.announced ?? earlier }
    }
    pieces.receive(entity, status: status, offset: attempt!.offset)
    if status == 416 { traits.insert(.rangeRefused) }
    if attempt!.uploadOffset != nil { noteUpload(event) }
  }

  private mutating func noteEnd(_ event: EventView, _ fact: Fact) {
    if attempt!.error != nil { traits.insert(.failed) }
    noteUploadEnd()
    lookAtAttempt(event, fact)
    if attempt?.unsentBytes != nil { traits.insert(.answeredEarly) }
    guard let answer = rangeAnswer else { return }
    rangeAnswer = nil
    guard attempt!.end == .refused else { return }
    // The engine refused the response that was noted as a restart. It remains a restart only if the next attempt begins at the
    // first byte.
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
    continues = TaskLifecycle.Continued(event)
    offset = event.offset
    discretionary = event.discretionary
    effectiveDiscretionary = event.effectiveDiscretionary
    allowsCellular = event.allowsCellular
    expectedToReceive = event.expectedToReceive
    intent = event.intent?.key ?? intent
    if resumeData != nil || offset ?? 0 > 0 { traits.insert(.goesOn) }
    if type == .upload, let substitute = TaskLifecycle.Substitute(event, fact) {
      remark(.fileTrouble) { $0.substitute = substitute }
    }
    look(event, fact)
  }

  private mutating func look(_ event: EventView, _ fact: Fact) {
    guard let look = SourceLook(event, fact) else { return }
    // Only uploads have a source; the field `content` of a download has another meaning.
    guard let last = looks.first else { return looks.append(look) }
    if let change = SourceChange(last, look) { noteSource(change) }
  }

  private mutating func lookAtAttempt(_ event: EventView, _ fact: Fact) {
    if event.sourceSize != nil || event.sourceModified != nil { look(event, fact) }
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
      noteRetry()
    } else if held == nil, lastHold == nil, let resumed, resumed.duration(to: fact) ?? .zero >= Self.slowStartTime {
      traits.insert(.slowStart)
    }
    // An attempt that continues after a suspension does not count as a retry.
    let isRetry = attempt != nil && attempt?.end != .suspended
    attemptCount = max(attemptCount + 1, event.attempt ?? 0)
    var next = AttemptFacts(number: event.attempt ?? attemptCount, started: fact)
    next.offset = event.offset ?? 0
    next.firstOffset = event.offset
    next.sourceSize = event.sourceSize
    if next.offset > 0 { traits.insert(.goesOn) }
    if attemptCount > 1, isRetry || attempt == nil { traits.insert(.triedAgain) }
    if refused != nil, next.offset == 0 { restart = restart ?? refused }
    lookAtAttempt(event, fact)
    (rangeAnswer, refused) = (nil, nil)
    // An attempt may begin at the target of an earlier redirect. The task's path is the path of that address only if the host is
    // the task's own.
    next.redirects.start(event, fact, path: event.host == host ? path : nil)
    attempt = AttemptLifecycle(next)
    firstAttempt = firstAttempt ?? fact
    // A single attempt, as in most tasks, needs no list.
    if firstAttempt != fact, isRetry {
      if attemptStarts.isEmpty, let firstAttempt { attemptStarts.append(firstAttempt) }
      if attemptStarts.count == Self.startsLimit { attemptStarts.removeFirst() }
      attemptStarts.append(fact)
    }
    held = nil
    hold = nil
  }

  private mutating func complete(_ event: EventView, _ fact: Fact) {
    if completed == nil {
      completed = fact
      completedDelivery = event.delivery
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
      if let reason = event.unsatisfied { remark([]) { $0.unsatisfied = reason } }
    }
    if status ?? 0 >= 400 { traits.insert(.refused) }
    if error == nil, received ?? attempt?.received ?? 0 == 0 { traits.insert(.empty) }
  }

  private mutating func deliver(_ kind: EventModel.Delivery, _ event: EventView, _ fact: Fact) {
    guard let delivery = event.delivery else { return }
    switch event.callback {
    case .didComplete:
      if completionDelivery == nil { completionDelivery = DeliveryLifecycle(id: delivery, callback: .didComplete) }
      note(completionDelivery!.apply(kind, event, fact, process: process))
    case .didFinishDownloading:
      if fileDelivery == nil { fileDelivery = DeliveryLifecycle(id: delivery, callback: .didFinishDownloading) }
      note(fileDelivery!.apply(kind, event, fact, process: process))
    default: deliverOther(kind, delivery, event, fact)
    }
  }

  private mutating func deliverOther(
    _ kind: EventModel.Delivery, _ delivery: DeliveryID, _ event: EventView, _ fact: Fact
  ) {
    switch kind {
    case .deliverySent: otherDeliveries += 1
    case .deliveryReceived: break
    case .deliveryEntered:
      guard let callback = event.callback else { return }
      otherCallback = RunningCallback(delivery: delivery, callback: callback, entered: fact)
      if completed != nil, [.didReceiveData, .didWriteData, .didSendBodyData].contains(callback) { noteLateProgress(fact) }
    // A callback that is dropped while it runs has ended, too.
    case .deliveryLeft, .deliveryDropped: if otherCallback?.delivery == delivery { otherCallback = nil }
    }
  }

  private mutating func noteLateProgress(_ fact: Fact) {
    // Progress that happened before the completion and was only written later does not count.
    if let completed, let time = completed.duration(to: fact), time <= .zero { return }
    lateProgress = lateProgress ?? fact
    traits.insert(.late)
  }

  /// Notes an acknowledgement. If it names no delivery, it is about the completion callback.
  private mutating func acknowledge(_ event: EventView, _ fact: Fact) {
    acknowledged = fact
    if let delivery = event.delivery, delivery == fileDelivery?.id {
      fileDelivery?.acknowledged = fact
    } else if event.delivery == nil || event.delivery == completionDelivery?.id {
      completionDelivery?.acknowledged = fact
    }
  }

  private mutating func checkOrder(_ fact: Fact) {
    switch fact.kind.orderedFamily {
    case .task: note(taskOrder.note(fact))
    case .attempt: note(attemptOrder.note(fact))
    case .file: note(fileOrder.note(fact))
    // `DeliveryLifecycle` and `MultipartLifecycle` check the order of these events.
    case .delivery, .multipart, nil: break
    }
  }

  private mutating func note(_ order: UnexpectedOrder?) {
    if let order, unexpected.count < Self.unexpectedLimit { unexpected.append(order) }
  }
}
