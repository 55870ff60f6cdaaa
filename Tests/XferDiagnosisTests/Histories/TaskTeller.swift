import XferEvents

/// A generator of one task's events: translates the letters of a walk into all the events that a correct engine writes.
struct TaskTeller {
  let task: TaskIdentity
  let type: TaskType
  let ending: Walks.Ending
  let completion: CompletionStyle
  var intent: String?
  /// The task whose transfer this task shares.
  var carrier: TaskIdentity?
  /// The task that continues the work of this task.
  var successor: TaskIdentity?
  var resumeData: ValueDigest?
  /// The resume data that the task leaves when it is cancelled.
  var resumeOffer: ValueDigest?
  /// The byte at which the task continues an earlier download.
  var offset: Int64 = 0
  var etag: String?
  /// The size of the body, in bytes.
  let size: Int64
  let isBackground: Bool
  let host: String
  var resource: ValueDigest

  var attempt = 0
  /// The number of body bytes received by all attempts so far.
  private(set) var received: Int64 = 0
  private var sent: Int64 = 0
  var sentBytes: Int64 { sent }
  /// The number of body bytes received by the last attempt.
  var receivedLast: Int64 = 0
  var fileDelivery: DeliveryID?
  var ownsSource = false
  var recordsOutcome = true
  private var isSourceDeleted = false
  private(set) var isTransferred = false
  private(set) var isForgotten = false
  var lastStatus: Int? { status }
  /// Whether the task had no attempt.
  var answeredFromCache: Bool { attempt == 0 }
  private(set) var hold: HoldReason?
  private var query: CorrelationID?
  var completionDelivery: DeliveryID?
  private var isAcknowledged = false
  private(set) var isCancelled = false
  private var status: Int?

  /// The processes that can write events.
  struct Scene {
    /// The app; `nil` while it does not run.
    var app: Pen?
    /// The process that carries the task: the app's engine or the daemon.
    var engine: Pen
    var launch: LaunchID?

    var delegate: Pen? { app?.on(Pen.delegate) }
  }

  init(_ task: TaskIdentity, _ walk: Walks.Walk, type: TaskType, isBackground: Bool, in story: inout Story) {
    (self.task, self.type, self.isBackground, ending) = (task, type, isBackground, walk.ending)
    completion = isBackground ? .delegate : story.pick([.delegate, .delegate, .closure, .async])
    size = Int64(story.number(2_000...2_000_000))
    host = story.pick(["a.example.com", "b.example.com"])
    etag = story.chance(3) ? nil : "\"\(story.identifier())\""
    resource = ValueDigest(story.identifier())
    ownsSource = story.chance(3)
  }

  typealias Move = Story.Move

  /// Returns a generator for the task that continues this one's download.
  func successor(_ task: TaskIdentity, isBackground: Bool = false) -> TaskTeller {
    TaskTeller(
      task: task, type: type, ending: .success, completion: isBackground ? .delegate : completion, offset: received, etag: etag,
      size: size,
      isBackground: isBackground, host: host, resource: resource)
  }

  private init(
    task: TaskIdentity, type: TaskType, ending: Walks.Ending, completion: CompletionStyle, offset: Int64, etag: String?,
    size: Int64, isBackground: Bool, host: String, resource: ValueDigest
  ) {
    (self.task, self.type, self.ending, self.completion) = (task, type, ending, completion)
    (self.offset, self.etag, self.size, self.isBackground) = (offset, etag, size, isBackground)
    (self.host, self.resource) = (host, resource)
    ownsSource = false
  }

  /// Returns the events of a part of a walk, between two bars.
  mutating func tell(_ letters: some StringProtocol, _ scene: Scene, _ story: inout Story) -> [Move] {
    var moves: [Move] = [.pause(story.briefly())]
    for letter in letters {
      moves += tell(letter, scene, &story)
      if story.chance(4) { moves.append(.pause(story.briefly())) }
    }
    return moves
  }

  private mutating func tell(_ letter: Character, _ scene: Scene, _ story: inout Story) -> [Move] {
    let engine = scene.engine
    // The app may call these methods from any thread.
    func app(_ event: any TransferEvent) -> Move { .tell(scene.app ?? engine, event) }
    switch letter {
    case "c": return create(scene, &story)
    case "r": return [app(TaskResumed(task: task, by: .app))]
    case "s": return [app(TaskSuspended(task: task, by: .app))]
    case "x":
      isCancelled = true
      let request = app(TaskCancelRequested(task: task, by: .app, cancelReason: CancelReason.none))
      guard successor == nil else { return [request] }
      // The task is cancelled for good and not handed off.
      return [request, app(AppOutcomeRecorded(intent: intent, task: task, outcome: .cancelled))]
    case "h":
      hold = hold ?? story.pick(isBackground ? Self.daemonHolds : Self.engineHolds)
      let until = hold == .beginDate ? History.wall(story.now + .seconds(5)) : nil
      return [
        .tell(
          engine,
          TaskHeld(
            task: task, hold: hold, host: host, slotsUsed: hold == .hostSlots ? 6 : nil, slots: hold == .hostSlots ? 6 : nil,
            delay: hold == .wakeDelay || hold == .backoff ? .seconds(2) : nil, until: until))
      ]
    case "e":
      defer { hold = nil }
      return [.pause(.milliseconds(story.number(1...1500))), .tell(engine, TaskHoldEnded(task: task, hold: hold))]
    case "q":
      query = story.correlation()
      return [app(TaskDelayAsked(task: task, query: query))]
    case "a":
      var asked: [Move] = []
      if let delegate = scene.delegate, story.chance(2) {
        asked = Story.callback(.willBeginDelayedRequest, story.delivery(), of: task, from: engine, to: delegate)
      }
      return asked + [
        .pause(story.briefly()),
        app(TaskDelayAnswered(task: task, query: query, reason: isCancelled ? "cancel" : "continue")),
      ]
    case "d":
      return [app(TaskAdopted(task: task, launch: scene.launch, label: "label"))]
    case "w": return attemptMoves(scene, &story)
    case "y":
      story.note(.retry)
      hold = .backoff
      return attemptMoves(scene, &story, fails: .transport, retryIn: .seconds(1))
    case "(": return open(scene, &story)
    case ")": return close(scene, &story)
    case "t":
      isTransferred = true
      return transfer(scene, &story)
    case "f": return complete(scene, &story)
    case "k":
      isAcknowledged = true
      return [app(TaskAcknowledged(task: task, delivery: completionDelivery))] + deleteSource(app)
    case "g":
      isForgotten = true
      let reason: ForgetReason =
        completionDelivery != nil || isAcknowledged ? .acknowledged : isCancelled ? .cancelled : .appRemoved
      return deleteSource(app) + [.pause(story.briefly()), .tell(engine, TaskForgotten(task: task, forgotten: reason))]
    case "n":
      return [app(TaskChanged(task: task, label: "renamed", priority: story.number(0...100)))]
    case "o":
      return [app(TaskHandedOff(task: task, successor: successor, received: received))]
    case "l":
      return [.tell(engine, TaskCoalesced(task: task, carrier: carrier))]
    default: preconditionFailure("a walk has no \(letter)")
    }
  }

  private static let engineHolds: [HoldReason] = [
    .hostSlots, .sessionSlots, .network, .networkPolicy, .challenge, .redirect, .backoff,
  ]
  private static let daemonHolds: [HoldReason] = [
    .hostSlots, .sessionSlots, .network, .networkPolicy, .discretionary, .wakeDelay, .beginDate, .delayAnswer, .challenge,
    .redirect,
    .backoff, .protectedData, .diskSpace, .daemonStarting,
  ]

  /// The path of the file to upload, which no other task uses.
  private var source: String { "/source/\(task.session)/\(task.number)" }

  /// Returns the deletion of the source file, once per task.
  private mutating func deleteSource(_ app: (any TransferEvent) -> Move) -> [Move] {
    guard type == .upload, ownsSource, !isSourceDeleted else { return [] }
    isSourceDeleted = true
    return [app(FileDeleted(task: task, file: source, by: .app, reason: "sent"))]
  }

  private func create(_ scene: Scene, _ story: inout Story) -> [Move] {
    let app = scene.app ?? scene.engine
    let isUpload = type == .upload
    let created = TaskCreated(
      task: task, type: type, origin: .foreground, completion: completion, method: isUpload ? "PUT" : "GET", scheme: "https",
      host: host, path: "/\(task.number)", resource: resource, label: "label", intent: intent,
      sourceFile: isUpload ? source : nil, sourceSize: isUpload ? size : nil, sourceOwned: isUpload ? ownsSource : nil,
      requestTimeout: .seconds(60), resourceTimeout: .seconds(604_800), discretionary: false, effectiveDiscretionary: false,
      allowsCellular: true, priority: 50, resumeData: resumeData, offset: resumeData == nil ? nil : offset)
    var moves: [Move] = [.tell(app, created)]
    guard let intent else { return moves }
    let isFirst = story.chance(2)
    if isFirst {
      moves.insert(.tell(app, AppIntentDeclared(intent: intent, step: "fetch", durable: true)), at: 0)
    } else {
      moves.append(.tell(app, AppIntentDeclared(intent: intent, task: task, durable: true)))
    }
    if isFirst || story.chance(2) { moves.append(.tell(app, AppIntentBound(intent: intent, task: task, key: "uid"))) }
    if story.chance(4) {
      moves.append(.tell(app, AppIntentUnbound(intent: intent, task: task, reason: "moved")))
      moves.append(.tell(app, AppIntentBound(intent: intent, task: task, key: "uid")))
    }
    return moves
  }

  mutating func take(_ wire: WireTeller) {
    (received, sent, status) = (wire.received, wire.sent, wire.status)
    receivedLast = wire.received - wire.firstByte
  }

  mutating func note(received: Int64, status: Int) { (self.received, self.status) = (received, status) }
}
