package import XferEvents

/// One task, from its creation until it is forgotten.
package struct TaskLifecycle: Sendable {
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
  package var attempt: AttemptLifecycle?
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

  /// An error as the engine names it.
  package struct ErrorFacts: Hashable, Sendable {
    package let domain: ErrorDomain?
    package let number: Int
    package let name: String?
    /// errno, when the system gave one.
    package let osError: Int?

    package init(domain: ErrorDomain?, number: Int, name: String?, osError: Int? = nil) {
      self.domain = domain
      self.number = number
      self.name = name
      self.osError = osError
    }
  }

  /// What few tasks have, so that whoever looks for it need not look at the others.
  package struct Traits: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// An attempt or the task ended with an error.
    package static let failed = Traits(rawValue: 1)
    /// It was completed with a status of 400 or more.
    package static let refused = Traits(rawValue: 2)
    /// It goes on where it, or another task, had stopped, or could have.
    package static let goesOn = Traits(rawValue: 4)
    /// There was another attempt, or another task for the same intent that failed.
    package static let triedAgain = Traits(rawValue: 8)
    /// Progress or another completion came when it was complete.
    package static let late = Traits(rawValue: 16)
    /// The file to send was made for it alone.
    package static let ownsSource = Traits(rawValue: 32)
    /// It had to wait because its app was woken too often.
    package static let rateLimited = Traits(rawValue: 64)
    /// A callback of it was sent again.
    package static let redelivered = Traits(rawValue: 128)
    /// The app finds its record of it by its number alone.
    package static let boundByNumber = Traits(rawValue: 256)
    /// The file system refused something, or the file to send is another one than it was.
    package static let fileTrouble = Traits(rawValue: 1 << 15)
  }

  package struct RunningCallback: Sendable {
    package let delivery: DeliveryID
    package let callback: Callback
    package let entered: Fact
  }

  package init(identity: TaskIdentity, process: Int) {
    self.identity = identity
    self.process = process
  }

  /// Kept per task; a log that is wrong throughout must not cost memory.
  private static let unexpectedLimit = 8
  private static let troublesLimit = 8
  /// As many as it takes to see that attempts come too often.
  package static let startsLimit = 10

  // MARK: What follows from the facts

  package enum State: String, Sendable, CaseIterable {
    case created, queued, running, held, suspended, transferred, delivered, completed, acknowledged
  }

  package var state: State {
    if acknowledged != nil { return .acknowledged }
    if completed != nil || handedOff != nil { return .completed }
    if completionDelivery?.entered != nil { return .delivered }
    if wireEnd != nil { return .transferred }
    if held != nil { return .held }
    if suspended != nil { return .suspended }
    if attempt != nil || coalesced != nil { return .running }
    return resumed == nil ? .created : .queued
  }

  package enum Result: String, Sendable, CaseIterable {
    case succeeded, failed, cancelled, lost, open, unknown
  }

  package var result: Result {
    if completed != nil {
      if let error { return isCancellation(error) ? .cancelled : .failed }
      return (status ?? 0) >= 400 ? .failed : .succeeded
    }
    // What it was to bring, another task brings.
    if handedOff != nil { return .succeeded }
    // What a daemon has, it has in its next life, too.
    if carrier != nil, forgotten == nil { return .open }
    if processEnd != nil { return created == nil ? .unknown : .lost }
    return .open
  }

  /// `NSURLErrorCancelled`, or the engine's name for it.
  private func isCancellation(_ error: ErrorFacts) -> Bool {
    error.name == "cancelled" || (error.domain == .url && error.number == -999)
  }

  /// The fact after which nothing more can come over the wire for this task: its bytes are there, or its last attempt
  /// has failed for good.
  package var wireEnd: Fact? {
    if let transferred { return transferred }
    guard let attempt, let ended = attempt.ended, attempt.retryIn == nil else { return nil }
    return attempt.end == .suspended ? nil : ended
  }

  /// Bytes of the body as the task's end gives them, else as far as its last attempt had got.
  package var bytesReceived: Int64? { received ?? attempt?.received }
  package var bytesSent: Int64? { sent ?? attempt?.sent }

  /// What its last attempt had still to receive; `nil` when no length was declared.
  package var bytesMissing: Int64? {
    guard let attempt, let expected = attempt.expected ?? expectedToReceive else { return nil }
    return max(0, expected.subtractingClamped(attempt.received))
  }

  /// Whether the engine still had something to do when the log, or the process, ended.
  package var isLive: Bool { wireEnd == nil && completed == nil && forgotten == nil && handedOff == nil }

  // MARK: Applying an event

  /// Total: an order that is not expected is kept as such, never refused.
  package mutating func apply(_ event: RecordedEvent, _ fact: Fact) {
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
    case .taskDelayAsked: delayAsked = fact
    case .taskDelayAnswered: delayAsked = nil
    case .taskHoldEnded:
      holdEnded = fact
      held = nil
      hold = nil
    case .taskAdopted: adopted = fact
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
    case .taskChanged: expectedToReceive = event.expectedToReceive ?? expectedToReceive
    case .attemptStarted: start(event, fact)
    case .attemptConnectionAcquired, .attemptRequestSent, .attemptResponseReceived, .attemptBytesReceived,
      .attemptBytesSent, .attemptEnded, .attemptNetworkAwaited, .attemptChallengeReceived, .attemptChallengeAnswered,
      .attemptRedirectReceived, .attemptRedirectAnswered:
      if attempt == nil { attempt = AttemptLifecycle(number: event.attempt ?? 1, started: nil) }
      if fact.kind == .attemptConnectionAcquired {
        connections += 1
        if event.reused ?? false { reusedConnections += 1 }
      }
      attempt!.apply(event, fact)
      switch fact.kind {
      case .attemptRequestSent: if attempt!.offset > 0 { traits.insert(.goesOn) }
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

  private mutating func receive(_ event: RecordedEvent) {
    guard let entity = attempt!.entity, let status = attempt!.status else { return }
    if attempt!.offset > 0, type != .upload {
      rangeAnswer = RangeAnswer(attempt!, earlier: pieces.entity ?? likelyEntity)
      if status == 200, !attempt!.hasContentRange { restart = restart ?? rangeAnswer.map { Restart($0, refused: nil) } }
    }
    pieces.receive(entity, status: status, offset: attempt!.offset)
  }

  private mutating func noteEnd(_ event: RecordedEvent, _ fact: Fact) {
    if attempt!.error != nil { traits.insert(.failed) }
    guard let answer = rangeAnswer else { return }
    rangeAnswer = nil
    guard attempt!.end == .refused else { return }
    // What looked like the whole was not taken.
    if restart?.response == answer.response { restart = nil }
    let reason: String? = if case .plain(let text)? = event.message { text } else { nil }
    refused = Restart(answer, refused: fact, reason: reason)
  }

  private mutating func create(_ event: RecordedEvent, _ fact: Fact) {
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
    look(event, fact)
  }

  private mutating func look(_ event: RecordedEvent, _ fact: Fact) {
    guard let look = SourceLook(event, fact) else { return }
    // Of a download, `content` would be another matter; nothing else looks at what is sent.
    guard let last = looks.first else { return looks.append(look) }
    if let change = SourceChange(last, look) { noteSource(change) }
  }

  /// The app's record of what it wants is this task's, or no longer.
  package final class AppRecord: Sendable {
    package let bound: Fact?
    package let unbound: Fact?

    init(bound: Fact?, unbound: Fact?) { (self.bound, self.unbound) = (bound, unbound) }
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

  private mutating func start(_ event: RecordedEvent, _ fact: Fact) {
    attemptCount = max(attemptCount + 1, event.attempt ?? 0)
    attempt = AttemptLifecycle(number: event.attempt ?? attemptCount, started: fact)
    attempt!.offset = event.offset ?? 0
    if attempt!.offset > 0 { traits.insert(.goesOn) }
    if attemptCount > 1 { traits.insert(.triedAgain) }
    if refused != nil, attempt!.offset == 0 { restart = restart ?? refused }
    if event.sourceSize != nil || event.sourceModified != nil { look(event, fact) }
    (rangeAnswer, refused) = (nil, nil)
    // An attempt may begin where a redirect had led to; only at the task's own host its path is known.
    attempt!.redirects.start(event, fact, path: event.host == host ? path : nil)
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

  private mutating func complete(_ event: RecordedEvent, _ fact: Fact) {
    if completed == nil {
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
  }

  private mutating func deliver(_ event: RecordedEvent, _ fact: Fact) {
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

  private mutating func deliverOther(_ delivery: DeliveryID, _ event: RecordedEvent, _ fact: Fact) {
    switch fact.kind {
    case .deliverySent: otherDeliveries += 1
    case .deliveryEntered:
      guard let callback = event.callback else { return }
      otherCallback = RunningCallback(delivery: delivery, callback: callback, entered: fact)
      if completed != nil, [.didReceiveData, .didWriteData, .didSendBodyData].contains(callback) { noteLateProgress(fact) }
    case .deliveryLeft: if otherCallback?.delivery == delivery { otherCallback = nil }
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
  private mutating func acknowledge(_ event: RecordedEvent, _ fact: Fact) {
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
