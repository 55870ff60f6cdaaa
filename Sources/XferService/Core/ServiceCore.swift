package import Foundation
package import XferEngine
package import XferEvents

/// What the daemon knows and decides. Pure: inputs come with their time, and what is to be done comes out.
///
/// What is stored is stored before anything else is done: a daemon that is killed in between does it again.
package struct ServiceCore {
  package var tasks = TaskInventory()
  package var sessions: [SessionKey: CarriedSession] = [:]
  package var apps: [String: CarriedApp] = [:]
  package let generation: UInt64
  var links: [LinkID: AppLink] = [:]
  /// Sessions that apps want to open and that another process of the same program has.
  var waitingOpens: [WaitingOpen] = []
  var wakes: [SessionKey: Wake] = [:]
  var limiters: [String: WakeLimiter] = [:]
  /// Sessions whose app is told when nothing is pending any more.
  var draining: [SessionKey: UInt64?] = [:]
  /// The processes that were launched from here.
  var children: [Int32: Child] = [:]
  var nextDelivery: UInt64
  var nextHandler: UInt64
  let wakeBudget: Int64
  /// Until then an app may be there that was connected to the daemon before this one, and is about to connect.
  var graceEnd: Int64?
  /// Nanoseconds; an app tries to connect twice a second.
  package static let grace: Int64 = 2_000_000_000

  /// What the device is like.
  package var conditions = DeviceConditions()
  /// By how much the wall clock is ahead of the inputs' clock.
  var wallLead: Int64 = 0
  /// Tasks that the engine has.
  var carried: Set<TaskUID> = []
  /// Those of them that it is to move.
  var going: Set<TaskUID> = []
  /// Why tasks do not move that could otherwise.
  var holds: [TaskUID: HoldReason] = [:]
  /// Tasks that the system ends, and why.
  var cancelling: [TaskUID: CancelReason] = [:]
  /// Delayed tasks whose apps are asked whether they may begin.
  var delayQuestions: [TaskUID: LinkID] = [:]
  /// What servers want to know, until the app has said it.
  var challenges: [UInt64: BackgroundChallenge] = [:]
  /// Processes that the daemon ends, and why.
  var endings: [Int32: ExitReason] = [:]
  /// Tasks whose bodies are being compared with what is known of them: nothing of these is delivered.
  var unverified: Set<TaskUID> = []
  /// What has come about for apps that have not connected since.
  var firedTriggers: [String: [ArmedTrigger]] = [:]

  /// - Parameters:
  ///   - generation: how often the daemon has been started with this database.
  ///   - wakeBudget: nanoseconds that an app has for a wake.
  package init(generation: UInt64, wakeBudget: Int64 = 30_000_000_000) {
    self.generation = generation
    self.wakeBudget = wakeBudget
    // Unique among all that this database ever gave out.
    nextDelivery = generation << 32
    nextHandler = generation << 32
  }

  package enum Input: Sendable {
    case started
    case linked(LinkID, app: String, pid: Int32, launch: LaunchID?)
    case said(LinkID, AppMessage, file: ProgramFile?)
    /// A callback does not fit into a message.
    case undeliverable(UInt64, because: String)
    case unlinked(LinkID)
    /// A download's file is in the spool, and on the disk.
    case fetched(TaskUID, BodyRecord, TransferredResponse)
    /// The body of an upload's response is in the spool, and on the disk.
    case answered(TaskUID, BodyRecord)
    /// So many bytes of a partial download are on the disk.
    case secured(TaskUID, length: Int64)
    /// The task's files in the spool are what they were.
    case verified(TaskUID, [BodyRecord])
    /// A file in the spool is missing or was changed.
    case spoiled(TaskUID, problem: String)
    /// A file of the task is not as it was last seen; these callbacks were not sent.
    case doubted(TaskUID, unsent: [UInt64])
    case ended(TaskUID, TransferredOutcome)
    case resumable(TaskUID, Data)
    case progressed(TaskProgress)
    /// A server wants to know who is there.
    case asked(BackgroundChallenge)
    case launched(LaunchOrder, pid: Int32)
    case notLaunched(LaunchOrder, osError: Int32)
    /// - Parameters:
    ///   - code: `nil` when a signal ended it.
    case childEnded(Int32, code: Int?, signal: Int?)
    case timePassed
  }

  package enum Effect {
    case storeTask(TaskUID)
    case storeSession(SessionKey)
    case storeApp(String)
    case emit(any TransferEvent)
    case send(LinkID, DaemonMessage)
    /// - Parameter isRepeated: whether it was sent before.
    case deliver(LinkID, BackgroundDelivery, isRepeated: Bool)
    /// The task's files in the spool are to be compared with what is known of them.
    case verify(TaskUID)
    case carry(TaskUID)
    case suspend(TaskUID)
    case cancel(TaskUID, forResumeData: Bool)
    case answer(ChallengeAnswer)
    case launch(LaunchOrder)
    /// To a process that is connected or was launched from here.
    case signal(Int32, Int32)
    /// A process that an earlier daemon stopped is to go on, if it still is of this program.
    case release(Int32, app: String)
    case remove(String)
    /// The network and the clocks are to be as the conditions say; they are to be stored.
    case applyConditions
    /// There is to be a `timePassed` then, in nanoseconds of the inputs' clock.
    case wakeAt(Int64)
  }

  /// - Parameters:
  ///   - now: nanoseconds of a clock that goes on while the machine sleeps, and that the conditions may have moved ahead.
  ///   - wall: nanoseconds since 1970 at the same moment; as before when `nil`.
  package mutating func take(_ input: Input, now: Int64, wall: Int64? = nil) -> [Effect] {
    if let wall { wallLead = wall.subtractingClamped(now) }
    var effects: [Effect] = []
    switch input {
    case .started: recover(&effects, now)
    case .linked(let link, let app, let pid, let launch):
      links[link] = AppLink(app: app, pid: pid, launch: launch)
      if let launch { children[pid]?.launch = launch }
      effects.append(.emit(LinkConnected(peer: launch, generation: Int64(bitPattern: generation))))
    case .said(let link, let message, let file): take(message, file, from: link, &effects, now)
    case .undeliverable(let delivery, let problem): setAside(delivery, problem, &effects)
    case .unlinked(let link): unlink(link, &effects, now)
    case .fetched(let uid, let body, let response):
      let content = BackgroundDelivery.Content.file(
        path: body.path, inode: body.inode ?? 0, size: body.size ?? 0, response: response)
      queue(content, body, for: uid, &effects)
    case .answered(let uid, let body): queue(.body(path: body.path), body, for: uid, &effects)
    case .secured(let uid, let length): noteDurable(uid, length, &effects)
    case .verified(let uid, let bodies): noteVerified(uid, bodies, &effects)
    case .spoiled(let uid, let problem): replaceBodies(uid, problem, &effects, now)
    case .doubted(let uid, let unsent): verify(uid, unsent: unsent, &effects)
    case .ended(let uid, let outcome): end(uid, outcome, &effects, now)
    case .resumable(let uid, let data):
      noteResumable(uid, data)
      effects.append(.storeTask(uid))
    case .progressed(let progress): note(progress, &effects)
    case .asked(let challenge): ask(challenge, &effects, now)
    case .launched(let order, let pid): noteLaunched(order, pid, &effects)
    case .notLaunched(let order, let osError): noteNotLaunched(order, osError, &effects, now)
    case .childEnded(let pid, let code, let signal): noteChildEnded(pid, code, signal, &effects, now)
    case .timePassed: passTime(&effects, now)
    }
    return effects
  }

  // MARK: The beginning

  private mutating func recover(_ effects: inout [Effect], _ now: Int64) {
    graceEnd = now + Self.grace
    if conditions != DeviceConditions() { effects.append(.applyConditions) }
    releaseSuspended(&effects)
    for task in tasks.all where !task.bodies.isEmpty { if let uid = TaskUID(task.new.uid) { verify(uid, unsent: [], &effects) } }
    for task in tasks.all { if let uid = TaskUID(task.new.uid) { settle(uid, &effects, now) } }
    for key in sessions.keys.sorted() { considerWake(key, &effects, now) }
    ring(&effects, now)
  }

  private mutating func passTime(_ effects: inout [Effect], _ now: Int64) {
    for key in wakes.keys.sorted() { advance(key, &effects, now) }
    for link in links.keys.sorted() { review(link, &effects, now) }
    for uid in holds.keys.inOrder() { settle(uid, &effects, now) }
    openWaiting(&effects, now)
    endGrace(&effects, now)
    ring(&effects, now)
  }

  // MARK: What is asked of whom

  func identity(_ task: CarriedTask) -> TaskIdentity? {
    TaskUID(task.new.uid).map { TaskIdentity(uid: $0, session: task.new.session, number: task.new.number) }
  }

  /// The connection over which the app has the session open.
  func link(of key: SessionKey) -> LinkID? {
    links.filter { $0.value.app == key.app && $0.value.sessions.contains(key.identifier) }.keys.max()
  }

  /// The same, if the app can take what is sent.
  func awakeLink(of key: SessionKey) -> LinkID? {
    link(of: key).flatMap { links[$0]!.standing.isSuspended ? nil : $0 }
  }

  func process(of link: LinkID) -> Int32? { links[link]?.pid }

  /// Whether the connection has registered or opened a session.
  func isInUse(_ link: LinkID) -> Bool { links[link].map { $0.isRegistered || !$0.sessions.isEmpty } ?? false }

  /// Whether the engine is to move the task.
  func isGoing(_ uid: TaskUID) -> Bool { going.contains(uid) }

  /// Whether it was launched from here.
  func isChild(_ pid: Int32) -> Bool { children[pid] != nil }

  // MARK: Ends

  private mutating func note(_ progress: TaskProgress, _ effects: inout [Effect]) {
    guard let uid = TaskUID(progress.task), let task = tasks[uid] else { return }
    // In memory only: the engine knows better when the daemon begins anew.
    (tasks[uid]!.received, tasks[uid]!.sent) = (progress.received, progress.sent)
    if let link = awakeLink(of: task.key) { effects.append(.send(link, .progress(progress))) }
  }

  private mutating func end(_ uid: TaskUID, _ outcome: TransferredOutcome, _ effects: inout [Effect], _ now: Int64) {
    guard let task = tasks[uid], task.standing != .ended else { return }
    var outcome = outcome
    if let reason = cancelling.removeValue(forKey: uid), outcome.error?.code == TransferError.Code.cancelled.rawValue {
      outcome.error?.cancelReason = reason.rawValue
    }
    (tasks[uid]!.standing, tasks[uid]!.received, tasks[uid]!.sent) = (.ended, outcome.received, outcome.sent)
    (tasks[uid]!.resumeData, tasks[uid]!.durable) = (nil, nil)
    challenges = challenges.filter { $0.value.task != task.new.uid }
    carried.remove(uid)
    going.remove(uid)
    delayQuestions[uid] = nil
    settle(uid, &effects, now)
    queue(.completion(outcome), for: uid, &effects)
    considerWake(task.key, &effects, now)
  }

  /// Ends a task that nobody carries.
  mutating func endUncarried(
    _ uid: TaskUID, _ error: TransferError, _ resumeData: Data?, _ effects: inout [Effect], _ now: Int64
  ) {
    end(
      uid,
      TransferredOutcome(error: TransferredError(error), response: nil, received: 0, sent: 0, resumeData: resumeData), &effects,
      now)
  }

  /// Keeps a callback until the app has acknowledged it.
  mutating func queue(
    _ content: BackgroundDelivery.Content, _ body: BodyRecord? = nil, for uid: TaskUID, _ effects: inout [Effect]
  ) {
    guard let task = tasks[uid] else { return }
    nextDelivery &+= 1
    tasks[uid]!.pending.append(.init(id: nextDelivery, content: content, body: body))
    effects.append(.storeTask(uid))
    if let link = awakeLink(of: task.key) { deliver(tasks[uid]!, to: link, onlyUnsent: true, &effects) }
  }

  /// Replaces the callbacks of a task whose callback cannot be handed over by an end that can, so that it blocks nothing, now and after
  /// a restart.
  mutating func setAside(_ delivery: UInt64, _ problem: String, _ effects: inout [Effect]) {
    guard let uid = tasks.owner(ofDelivery: delivery), let task = tasks[uid] else { return }
    let text =
      "a callback of task \(task.new.session)/\(task.new.number) was set aside, because \(problem); the task ends with an error"
    effects.append(.emit(MessageError(subsystem: "xferd", category: "link", eventMessage: "\(text, privacy: .public)")))
    effects += task.pending.compactMap { $0.content.path.map { .remove($0) } }
    tasks[uid]!.pending = []
    tasks[uid]!.standing = .ended
    let error = TransferError(
      .responseHeadersTooLarge, domain: .xfer, number: 14, stage: .response,
      problem: "the result could not be handed to the app, because \(problem)")
    queue(
      .completion(
        TransferredOutcome(
          error: TransferredError(error), response: nil, received: task.received, sent: task.sent, resumeData: nil)),
      for: uid, &effects)
  }

  /// Sends what waits for the app.
  ///
  /// - Parameter onlyUnsent: whether the app is the one that has the others already.
  mutating func deliver(_ task: CarriedTask, to link: LinkID, onlyUnsent: Bool = false, _ effects: inout [Effect]) {
    // The completion waits for the verdict on the file, too.
    guard let identity = identity(task), !unverified.contains(identity.uid) else { return }
    let places = task.pending.indices.filter { !onlyUnsent || !task.pending[$0].wasSent }
    if places.isEmpty { return }
    for place in places {
      let pending = task.pending[place]
      let delivery = BackgroundDelivery(
        id: pending.id, session: task.new.session, task: task.new.uid, number: task.new.number, content: pending.content)
      effects.append(.deliver(link, delivery, isRepeated: pending.wasSent))
      tasks[identity.uid]?.pending[place].wasSent = true
    }
    effects.append(.storeTask(identity.uid))
  }
}

extension BackgroundDelivery.Content {
  package var callback: Callback {
    switch self {
    case .file: .didFinishDownloading
    case .body: .didReceiveData
    case .completion: .didComplete
    }
  }
}
