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
    case unlinked(LinkID)
    /// A download's file is in the spool.
    case fetched(TaskUID, path: String, inode: UInt64, size: Int64, TransferredResponse)
    /// An upload's response has a body.
    case answered(TaskUID, path: String)
    case ended(TaskUID, TransferredOutcome)
    case resumable(TaskUID, Data)
    case progressed(TaskProgress)
    case launched(SessionKey, pid: Int32)
    case notLaunched(SessionKey, osError: Int32)
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
    case carry(TaskUID)
    case suspend(TaskUID)
    case cancel(TaskUID, forResumeData: Bool)
    case launch(SessionKey, CarriedApp)
    case remove(String)
    /// There is to be a `timePassed` then, in nanoseconds of the inputs' clock.
    case wakeAt(Int64)
  }

  package mutating func take(_ input: Input, now: Int64) -> [Effect] {
    var effects: [Effect] = []
    switch input {
    case .started: recover(&effects, now)
    case .linked(let link, let app, let pid, let launch):
      links[link] = AppLink(app: app, pid: pid, launch: launch)
      if let launch { children[pid]?.launch = launch }
      effects.append(.emit(LinkConnected(peer: launch, generation: Int64(bitPattern: generation))))
    case .said(let link, let message, let file): take(message, file, from: link, &effects, now)
    case .unlinked(let link): unlink(link, &effects, now)
    case .fetched(let uid, let path, let inode, let size, let response):
      queue(.file(path: path, inode: inode, size: size, response: response), for: uid, &effects)
    case .answered(let uid, let path): queue(.body(path: path), for: uid, &effects)
    case .ended(let uid, let outcome): end(uid, outcome, &effects, now)
    case .resumable(let uid, let data):
      tasks[uid]?.resumeData = data
      effects.append(.storeTask(uid))
    case .progressed(let progress): note(progress, &effects)
    case .launched(let key, let pid): noteLaunched(key, pid, &effects, now)
    case .notLaunched(let key, let osError): noteNotLaunched(key, osError, &effects, now)
    case .childEnded(let pid, let code, let signal): noteChildEnded(pid, code, signal, &effects, now)
    case .timePassed:
      for key in wakes.keys.sorted() { advance(key, &effects, now) }
      endGrace(&effects, now)
    }
    return effects
  }

  // MARK: The beginning

  private mutating func recover(_ effects: inout [Effect], _ now: Int64) {
    graceEnd = now + Self.grace
    for task in tasks.all {
      guard let uid = TaskUID(task.new.uid), task.standing == .running else { continue }
      effects.append(.carry(uid))
    }
    for key in sessions.keys.sorted() { considerWake(key, &effects, now) }
  }

  // MARK: What is asked of whom

  func identity(_ task: CarriedTask) -> TaskIdentity? {
    TaskUID(task.new.uid).map { TaskIdentity(uid: $0, session: task.new.session, number: task.new.number) }
  }

  /// The connection over which the app has the session open.
  func link(of key: SessionKey) -> LinkID? {
    links.filter { $0.value.app == key.app && $0.value.sessions.contains(key.identifier) }.keys.max()
  }

  // MARK: Ends

  private mutating func note(_ progress: TaskProgress, _ effects: inout [Effect]) {
    guard let uid = TaskUID(progress.task), let task = tasks[uid] else { return }
    // In memory only: the engine knows better when the daemon begins anew.
    (tasks[uid]!.received, tasks[uid]!.sent) = (progress.received, progress.sent)
    if let link = link(of: task.key) { effects.append(.send(link, .progress(progress))) }
  }

  private mutating func end(_ uid: TaskUID, _ outcome: TransferredOutcome, _ effects: inout [Effect], _ now: Int64) {
    guard let task = tasks[uid], task.standing != .ended else { return }
    (tasks[uid]!.standing, tasks[uid]!.received, tasks[uid]!.sent) = (.ended, outcome.received, outcome.sent)
    tasks[uid]!.resumeData = nil
    queue(.completion(outcome), for: uid, &effects)
    considerWake(task.key, &effects, now)
  }

  /// Keeps a callback until the app has acknowledged it.
  private mutating func queue(_ content: BackgroundDelivery.Content, for uid: TaskUID, _ effects: inout [Effect]) {
    guard let task = tasks[uid] else { return }
    nextDelivery += 1
    tasks[uid]!.pending.append(.init(id: nextDelivery, content: content))
    effects.append(.storeTask(uid))
    if let link = link(of: task.key) { deliver(tasks[uid]!, to: link, from: tasks[uid]!.pending.count - 1, &effects) }
  }

  /// Sends what waits for the app.
  mutating func deliver(_ task: CarriedTask, to link: LinkID, from first: Int = 0, _ effects: inout [Effect]) {
    guard let identity = identity(task), first < task.pending.count else { return }
    for place in task.pending.indices.dropFirst(first) {
      let pending = task.pending[place]
      effects.append(
        .emit(
          DeliverySent(
            task: identity, delivery: DeliveryID(pending.id), callback: pending.content.callback,
            redelivered: pending.wasSent ? true : nil)))
      effects.append(
        .send(
          link,
          .deliver(
            BackgroundDelivery(
              id: pending.id, session: task.new.session, task: task.new.uid, number: task.new.number, content: pending.content
            ))))
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

/// The file behind a program's name.
package struct ProgramFile: Sendable, Equatable {
  package let device: UInt64
  package let inode: UInt64

  package init(device: UInt64, inode: UInt64) { (self.device, self.inode) = (device, inode) }
}
