package import Foundation
package import XferEngine
package import XferEvents

/// The daemon's state and decisions. A pure state machine: each input carries its time, and the resulting effects are returned.
///
/// Storage effects are performed before all other effects. A daemon that is killed in between repeats the work after its
/// restart.
package struct ServiceCore {
  package var tasks = TaskInventory()
  package var sessions: [SessionKey: CarriedSession] = [:]
  package var apps: [String: CarriedApp] = [:]
  package let generation: UInt64
  var links: [LinkID: AppLink] = [:]
  /// Requests to open a session that another process of the same program has open.
  var waitingOpens: [WaitingOpen] = []
  var wakes: [SessionKey: Wake] = [:]
  var limiters: [String: WakeLimiter] = [:]
  /// The sessions whose app awaits `eventsFinished`, each with the wake handler to complete. A `nil` handler means that the app
  /// opened the session without a wake.
  var draining: [SessionKey: UInt64?] = [:]
  /// The running processes that this daemon launched, by pid.
  var children: [Int32: Child] = [:]
  var nextDelivery: UInt64
  var nextHandler: UInt64
  let wakeBudget: Int64
  /// The end of the grace period after a daemon start, in which running apps reconnect and no app is launched. `nil` after it
  /// has ended.
  var graceEnd: Int64?
  /// The length of the grace period in nanoseconds. A running app tries to reconnect twice a second.
  package static let grace: Int64 = 2_000_000_000

  /// The simulated conditions of the device.
  package var conditions = DeviceConditions()
  /// The time by which the wall clock is ahead of the core's clock, in nanoseconds.
  var wallLead: Int64 = 0
  /// The tasks that were started in the engine, including suspended ones.
  var carried: Set<TaskUID> = []
  /// The tasks that the engine is currently transferring.
  var going: Set<TaskUID> = []
  /// The reasons why running tasks are held.
  var holds: [TaskUID: HoldReason] = [:]
  /// The tasks that the system is cancelling, with the reasons.
  var cancelling: [TaskUID: CancelReason] = [:]
  /// The delayed tasks whose app was asked whether they may start, with the connection that was asked.
  var delayQuestions: [TaskUID: LinkID] = [:]
  /// Unanswered authentication challenges, by ID.
  var challenges: [UInt64: BackgroundChallenge] = [:]
  /// The tasks whose challenges the app has declined. The engine is about to end them.
  var declined: Set<TaskUID> = []
  /// The processes that the daemon is terminating, with the reasons.
  var endings: [Int32: ExitReason] = [:]
  /// The tasks whose spool files are being verified. Their callbacks are held back until the result arrives.
  var unverified: Set<TaskUID> = []
  /// Triggers that fired and are delivered when their app connects, by app.
  var firedTriggers: [String: [ArmedTrigger]] = [:]

  /// - Parameters:
  ///   - generation: The number of times that a daemon has been started with this database.
  ///   - wakeBudget: The time that an app has to handle a wake, in nanoseconds.
  package init(generation: UInt64, wakeBudget: Int64 = 30_000_000_000) {
    self.generation = generation
    self.wakeBudget = wakeBudget
    // The generation in the upper half makes IDs unique over all daemons that used this database.
    nextDelivery = generation << 32
    nextHandler = generation << 32
  }

  package enum Input: Sendable {
    case started
    case linked(LinkID, app: String, pid: Int32, launch: LaunchID?)
    case received(LinkID, AppMessage, file: ProgramFile?)
    /// A callback cannot be sent because it exceeds the maximum message size.
    case undeliverable(UInt64, because: String)
    case unlinked(LinkID)
    /// A downloaded file is in the spool and was flushed to disk.
    case fetched(TaskUID, BodyRecord, TransferredResponse)
    /// The response body of an upload is in the spool and was flushed to disk.
    case answered(TaskUID, BodyRecord)
    /// The first `length` bytes of a partial download were flushed to disk.
    case secured(TaskUID, length: Int64)
    /// The task's files in the spool passed verification.
    case verified(TaskUID, [BodyRecord])
    /// A file of the task in the spool is missing or was changed.
    case spoiled(TaskUID, problem: String)
    /// A file of the task changed after its last verification, so the callbacks with these IDs were withheld.
    case fileChanged(TaskUID, unsent: [UInt64])
    case ended(TaskUID, TransferredOutcome)
    case resumable(TaskUID, Data)
    case progressed(TaskProgress)
    /// The engine is about to send a request that must not be sent again.
    case sending(TaskUID)
    /// A server sent an authentication challenge.
    case asked(BackgroundChallenge)
    case launched(LaunchOrder, pid: Int32)
    case notLaunched(LaunchOrder, osError: Int32)
    /// A launched process has ended. `code` is `nil` when a signal terminated the process. `signal` is `nil` when the process
    /// exited.
    case childEnded(Int32, code: Int?, signal: Int?)
    case timePassed
  }

  package enum Effect {
    case storeTask(TaskUID)
    case storeSession(SessionKey)
    case storeApp(String)
    case emit(any TransferEvent)
    case send(LinkID, DaemonMessage)
    /// Sends a callback. `isRepeated` is true when the callback was sent before.
    case deliver(LinkID, BackgroundDelivery, isRepeated: Bool)
    /// Verifies the task's files in the spool.
    case verify(TaskUID)
    case carry(TaskUID)
    case suspend(TaskUID)
    case cancel(TaskUID, forResumeData: Bool)
    case answer(ChallengeAnswer)
    case launch(LaunchOrder)
    /// Sends a signal (second value) to the process with the pid (first value), which is connected or was launched by this
    /// daemon.
    case signal(Int32, Int32)
    /// Resumes a process that an earlier daemon suspended, if its pid still belongs to this app.
    case release(Int32, app: String)
    case remove(String)
    /// Stores the device conditions and applies them to the network and the clocks.
    case applyConditions
    /// Requests a `timePassed` input at this time, in nanoseconds of the core's clock.
    case wakeAt(Int64)
  }

  /// Processes an input and returns the effects to perform, in order.
  ///
  /// - Parameters:
  ///   - now: The time in nanoseconds of a clock that includes system sleep and the simulated clock offset.
  ///   - wall: The wall-clock time at the same moment, in nanoseconds since 1970. `nil` keeps the previous clock difference.
  package mutating func take(_ input: Input, now: Int64, wall: Int64? = nil) -> [Effect] {
    if let wall { wallLead = wall.subtractingClamped(now) }
    var effects: [Effect] = []
    switch input {
    case .started: recover(&effects, now)
    case .linked(let link, let app, let pid, let launch):
      links[link] = AppLink(app: app, pid: pid, launch: launch)
      if let launch { children[pid]?.launch = launch }
      effects.append(.emit(LinkConnected(peer: launch, generation: Int64(bitPattern: generation))))
    case .received(let link, let message, let file): take(message, file, from: link, &effects, now)
    case .undeliverable(let delivery, let problem): failDelivery(delivery, problem, &effects)
    case .unlinked(let link): unlink(link, &effects, now)
    case .fetched(let uid, let body, let response):
      let content = BackgroundDelivery.Content.file(
        path: body.path, inode: body.inode ?? 0, size: body.size ?? 0, response: response)
      queue(content, body, for: uid, &effects)
    case .answered(let uid, let body): queue(.body(path: body.path), body, for: uid, &effects)
    case .secured(let uid, let length): noteDurable(uid, length, &effects)
    case .verified(let uid, let bodies): noteVerified(uid, bodies, &effects)
    case .spoiled(let uid, let problem): replaceBodies(uid, problem, &effects, now)
    case .fileChanged(let uid, let unsent): verify(uid, unsent: unsent, &effects)
    case .ended(let uid, let outcome): end(uid, outcome, &effects, now)
    case .resumable(let uid, let data):
      noteResumable(uid, data)
      effects.append(.storeTask(uid))
    case .progressed(let progress): note(progress, &effects)
    case .sending(let uid): noteSent(uid, true, &effects)
    case .asked(let challenge): ask(challenge, &effects, now)
    case .launched(let order, let pid): noteLaunched(order, pid, &effects)
    case .notLaunched(let order, let osError): noteNotLaunched(order, osError, &effects, now)
    case .childEnded(let pid, let code, let signal): noteChildEnded(pid, code, signal, &effects, now)
    case .timePassed: passTime(&effects, now)
    }
    return effects
  }

  // MARK: Recovery and timers

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

  /// Notes whether the server may have carried out a task's request that must not be sent again.
  mutating func noteSent(_ uid: TaskUID, _ wasSent: Bool, _ effects: inout [Effect]) {
    guard let task = tasks[uid], task.standing != .ended, task.wasSent ?? false != wasSent else { return }
    tasks[uid]?.wasSent = wasSent ? true : nil
    effects.append(.storeTask(uid))
  }

  // MARK: Lookup

  func identity(_ task: CarriedTask) -> TaskIdentity? {
    TaskUID(task.new.uid).map { TaskIdentity(uid: $0, session: task.new.session, number: task.new.number) }
  }

  /// Returns the connection over which the app has the session open, or `nil` when no process of the app has.
  func link(of key: SessionKey) -> LinkID? {
    links.filter { $0.value.app == key.app && $0.value.sessions.contains(key.identifier) }.keys.max()
  }

  /// Returns the connection over which the app has the session open, or `nil` when the app is suspended or was asked to terminate.
  /// The app's next launch receives the callbacks instead, because a terminating process may not handle them any more.
  func awakeLink(of key: SessionKey) -> LinkID? {
    link(of: key).flatMap { links[$0]?.standing.takesCallbacks ?? false ? $0 : nil }
  }

  func process(of link: LinkID) -> Int32? { links[link]?.pid }

  /// Returns whether the connection has registered or opened a session.
  func isInUse(_ link: LinkID) -> Bool { links[link].map { $0.isRegistered || !$0.sessions.isEmpty } ?? false }

  /// Returns whether the engine should be transferring the task.
  func isGoing(_ uid: TaskUID) -> Bool { going.contains(uid) }

  /// Returns whether this daemon launched the process.
  func isChild(_ pid: Int32) -> Bool { children[pid] != nil }

  // MARK: Completion and delivery

  private mutating func note(_ progress: TaskProgress, _ effects: inout [Effect]) {
    guard let uid = TaskUID(progress.task), let task = tasks[uid] else { return }
    // The progress is kept in memory only, because the engine reports the actual progress after a restart.
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
    declined.remove(uid)
    carried.remove(uid)
    going.remove(uid)
    delayQuestions[uid] = nil
    settle(uid, &effects, now)
    queue(.completion(outcome), for: uid, &effects)
    considerWake(task.key, &effects, now)
  }

  /// Ends a task that was never started in the engine.
  mutating func endUncarried(
    _ uid: TaskUID, _ error: TransferError, _ resumeData: Data?, _ effects: inout [Effect], _ now: Int64
  ) {
    end(
      uid,
      TransferredOutcome(error: TransferredError(error), response: nil, received: 0, sent: 0, resumeData: resumeData), &effects,
      now)
  }

  /// Queues a callback, sends it if the app is connected, and keeps it until the app acknowledges it.
  mutating func queue(
    _ content: BackgroundDelivery.Content, _ body: BodyRecord? = nil, for uid: TaskUID, _ effects: inout [Effect]
  ) {
    guard let task = tasks[uid] else { return }
    nextDelivery &+= 1
    tasks[uid]!.pending.append(.init(id: nextDelivery, content: content, body: body))
    effects.append(.storeTask(uid))
    if let link = awakeLink(of: task.key) { deliver(tasks[uid]!, to: link, onlyUnsent: true, &effects) }
  }

  /// Replaces all pending callbacks of a task by a completion with an error, because one of them cannot be delivered. Otherwise
  /// that callback would block the session, even after a restart.
  mutating func failDelivery(_ delivery: UInt64, _ problem: String, _ effects: inout [Effect]) {
    guard let uid = tasks.owner(ofDelivery: delivery), let task = tasks[uid] else { return }
    let text =
      "a callback of task \(task.new.session)/\(task.new.number) cannot be delivered because \(problem); the task fails"
    effects.append(.emit(MessageError(subsystem: "xferd", category: "link", eventMessage: "\(text, privacy: .public)")))
    effects += task.pending.compactMap { $0.content.path.map { .remove($0) } }
    tasks[uid]!.pending = []
    tasks[uid]!.standing = .ended
    let error = TransferError(
      .responseHeadersTooLarge, domain: .xfer, number: 14, stage: .response,
      problem: "the result could not be delivered to the app because \(problem)")
    queue(
      .completion(
        TransferredOutcome(
          error: TransferredError(error), response: nil, received: task.received, sent: task.sent, resumeData: nil)),
      for: uid, &effects)
  }

  /// Sends the pending callbacks of a task.
  ///
  /// - Parameter onlyUnsent: Whether callbacks that were sent before are skipped.
  mutating func deliver(_ task: CarriedTask, to link: LinkID, onlyUnsent: Bool = false, _ effects: inout [Effect]) {
    // No callback is sent while the task's files are being verified. The completion waits, too, because it tells the app that the
    // file is available.
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
