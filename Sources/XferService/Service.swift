import CXferPlatform
import Dispatch
import Foundation
import Synchronization
import XferEngine
package import XferEvents

/// The daemon's event loop: passes messages from apps, the engine and the system to `ServiceCore` one at a time, and performs
/// the effects that the core returns.
package final class Service: Sendable {
  private let queue = DispatchQueue(label: "xferd")
  private let sink: any EventSink
  private let clock = DeviceClock()
  /// The path of the clock file that launched processes read to apply the simulated clock offset.
  private let clockFile: String
  private let network = DeviceNetwork()
  private let keeper: SpoolKeeper
  private let state: Mutex<State>

  private struct State {
    var core: ServiceCore
    let store: ServiceStore
    var channels: [LinkID: FrameChannel] = [:]
    /// All open connections, including those whose app has not sent its hello message.
    var arrivals: [LinkID: Arrival] = [:]
    var engines: [SessionKey: SessionEngine] = [:]
    var carried: [TaskUID: TransferTask] = [:]
    var processes: [Int32: ProcessHandle] = [:]
    /// The time of the next scheduled `timePassed` input, in nanoseconds of the device clock. `nil` when no alarm is set.
    var alarm: Int64?
    var held = HeldEffects()
    /// The receipts of messages whose effects are not stored yet. Held receipts keep buffer space occupied, so an app that
    /// sends faster than the disk writes is slowed down.
    var receipts: [FrameReceipt] = []
    /// IDs of callbacks that were withheld because a file of their task changed after its last verification, by task.
    var withheld: [TaskUID: [UInt64]] = [:]
    /// Whether the daemon has shut down. The log is about to be closed, so no further input is processed.
    var hasEnded = false
    /// The received byte count and the time (device clock, nanoseconds) of each partial download at its last flush to disk or,
    /// before its first flush, at its first progress report.
    var secured: [TaskUID: (received: Int64, moment: Int64)] = [:]
  }

  private struct Arrival {
    let channel: FrameChannel
    let time = ContinuousClock.now
  }

  /// - Parameters:
  ///   - store: The daemon's database and spool, which no other process uses.
  ///   - version: The daemon's version, for the log.
  ///   - clockFile: The path of the clock file that launched processes read.
  package init(
    _ store: sending ServiceStore, sink: any EventSink, version: String, clockFile: String
  ) throws {
    (self.sink, self.clockFile) = (sink, clockFile)
    var core = ServiceCore(generation: store.generation)
    keeper = SpoolKeeper(spool: store.spool)
    let unreadable = try store.load(into: &core)
    // A damaged database may have lost tasks that the log contains. The daemon cannot run these tasks, because the log does not
    // contain their requests.
    let logged = store.damage.isEmpty ? LoggedInventory() : store.logged
    let lost = logged.tasks.filter { core.tasks[$0.uid] == nil }
    // The log says that these tasks ended, so the database must have been replaced by an older copy. The tasks are dropped.
    let stale = core.tasks.all.compactMap { TaskUID($0.new.uid) }.filter { logged.ended.contains($0) }
    for uid in stale { core.tasks[uid] = nil }
    try store.store(Set(stale.map { .task($0) }), of: core)
    // The clock file replaces the stored clock offset: the file is in the runtime directory, so the offset returns to zero at a
    // reboot, as the monotonic clock does.
    core.conditions.clockAhead = clock.ahead
    sink.emit(DaemonStarted(generation: Int64(bitPattern: store.generation), version: version))
    for damage in store.damage { Self.emitError(damage, sink) }
    for uid in stale {
      Self.emitError("task \(uid) was restored by an older database and is dropped: the log says that it has ended", sink)
    }
    let identities = core.tasks.all.compactMap(core.identity)
    sink.emit(
      DaemonRecovered(
        generation: Int64(bitPattern: store.generation), count: Int64(identities.count),
        dropped: Int64(max(unreadable, lost.count)),
        tasks: identities))
    for task in lost { sink.emit(TaskForgotten(task: task, forgotten: .corrupt)) }
    let sweep = SpoolSweep(of: store.spool, tasks: core.tasks.all)
    sweep.rename()
    for file in sweep.leftOvers() { sink.emit(file) }
    if store.damage.isEmpty {
      sweep.remove()
    } else if !sweep.removed.isEmpty, let aside = store.moveAside(sweep.removed) {
      Self.emitError("moved \(sweep.removed.count) files of lost tasks to \(aside)", sink)
    }
    let run = MachineRun.current
    if run == nil || run != store.lastRun {
      for text in SpoolSweep.cutToDurable(core.tasks.all, in: store.spool) { Self.emitError(text, sink) }
      core.forgetMissingBodies { access($0, F_OK) == 0 }
    }
    if let run { try store.note(run) }
    state = Mutex(State(core: core, store: store))
    keeper.begin { [weak self] inputs in
      for group in inputs { self?.take(group) }
    }
    take(.started)
  }

  private static func emitError(_ text: String, _ sink: any EventSink) {
    sink.emit(MessageError(subsystem: "xferd", category: "store", eventMessage: "\(text, privacy: .public)"))
  }

  /// Stops the service and logs the daemon's exit. Later inputs are ignored.
  ///
  /// Results that the engine has already reported are stored first. Otherwise the next daemon would repeat finished transfers.
  package func end(reason: String) {
    let partials = queue.sync { () -> [(uid: TaskUID, path: String, inode: UInt64)] in
      work()
      return state.withLock { state in state.core.tasks.all.compactMap { partial(of: $0, state) } }
    }
    keeper.finish()
    for partial in partials { keeper.secureNow(partial.uid, path: partial.path, inode: partial.inode) }
    queue.sync {
      work()
      state.withLock { state in
        // No other process would resume the processes that this daemon has suspended.
        for app in state.core.apps.values { for pid in app.suspended { state.processes[pid]?.send(SIGCONT) } }
        state.hasEnded = true
        sink.emit(DaemonExited(generation: Int64(bitPattern: state.core.generation), reason: reason))
      }
    }
  }

  /// Logs the list of tasks, so that the log stays complete after retention removes its oldest segments.
  package func listTasks() {
    queue.async {
      self.state.withLock { state in
        // The last event of a daemon is its exit, even if a segment begins with it.
        if state.hasEnded { return }
        let identities = state.core.tasks.all.compactMap(state.core.identity)
        self.sink.emit(
          DaemonTasksListed(
            generation: Int64(bitPattern: state.core.generation), count: Int64(identities.count), tasks: identities))
      }
    }
  }

  // MARK: Inputs

  /// Inputs that are stored atomically, and the receipt of the message that they came from.
  private struct Received {
    let inputs: [ServiceCore.Input]
    var receipt: FrameReceipt?
  }

  /// Unprocessed inputs, oldest first.
  private let inbox = Mutex<[Received]>([])

  package func take(_ input: ServiceCore.Input) { take([input]) }

  /// Queues inputs for processing.
  ///
  /// - Parameters:
  ///   - inputs: Inputs that are stored atomically.
  ///   - receipt: The receipt of the message, released after the inputs are stored. `nil` for inputs that come from no message.
  func take(_ inputs: [ServiceCore.Input], _ receipt: FrameReceipt? = nil) {
    let isFirst = inbox.withLock { inbox in
      inbox.append(Received(inputs: inputs, receipt: receipt))
      return inbox.count == 1
    }
    if isFirst { queue.async { self.work() } }
  }

  /// Processes inputs on the service's queue. The inputs are stored when this function returns, unless the disk rejects the
  /// write.
  private func takeNow(_ inputs: [ServiceCore.Input]) {
    inbox.withLock { $0.append(Received(inputs: inputs)) }
    work()
  }

  func greet(_ link: LinkID, _ channel: FrameChannel, app: String, pid: Int32, launch: LaunchID?) {
    // Registers the channel immediately: the disconnect arrives on this thread later and must find the channel.
    state.withLock { state in
      state.channels[link] = channel
      state.processes[pid] = state.processes[pid] ?? ProcessHandle(pid)
      channel.send(
        DaemonMessage.welcome(
          generation: state.core.generation, launch: self.sink.processLaunch.map { "\($0)" } ?? "", spool: state.store.spool))
    }
    take(.linked(link, app: app, pid: pid, launch: launch))
  }

  func noteArrival(_ link: LinkID, _ channel: FrameChannel) {
    state.withLock { $0.arrivals[link] = Arrival(channel: channel) }
  }

  func noteDeparture(_ link: LinkID) { state.withLock { _ = $0.arrivals.removeValue(forKey: link) } }

  /// The time that a connection has to send its first message and to register or open a session before it may be closed in
  /// favor of waiting connections.
  private static let minimumIdleTime: Duration = .milliseconds(250)

  /// Closes the oldest connection that has neither registered nor opened a session, to make room for a waiting one.
  func endIdleLink() {
    state.withLock { state in
      let core = state.core
      let idle = state.arrivals.filter { !core.isInUse($0.key) }.min { $0.key < $1.key }
      guard let idle, idle.value.time.duration(to: .now) > Self.minimumIdleTime else { return }
      state.arrivals[idle.key] = nil
      warn("link", "an idle connection was closed because other connections are waiting")
      idle.value.channel.close()
    }
  }

  func noteBadFrame(from pid: Int32) {
    warn("link", "process \(pid) sent a frame of invalid length; its connection was closed")
  }

  func noteStall(of pid: Int32) {
    warn("link", "process \(pid) did not finish sending a message within the timeout; its connection was closed")
  }

  /// Logs a shortage of descriptors or threads. Transfers continue.
  func noteShortage(_ problem: String) { warn("link", problem) }

  /// Handles a message that cannot be sent. A callback is replaced by a completion with an error; any other message is dropped
  /// and logged.
  func noteUnsendable(_ message: FrameChannel.Message, _ problem: String) {
    if case .deliver(let delivery) = message as? DaemonMessage {
      take(.undeliverable(delivery.id, because: problem))
    } else {
      warn("link", "a message was not sent to its app because \(problem)")
    }
  }

  private func warn(_ category: StaticString, _ text: String) {
    sink.emit(MessageError(subsystem: "xferd", category: "\(category)", eventMessage: "\(text, privacy: .public)"))
  }

  /// The maximum number of inputs that share one database commit, because each commit waits for the disk.
  private static let batch = 256

  /// Processes the inbox. Must be called on the service's queue.
  private func work() {
    state.withLock { state in
      while !state.hasEnded {
        let received = inbox.withLock { Array($0.prefix(Self.batch)) }
        var effects: [ServiceCore.Effect] = []
        for input in received.lazy.flatMap(\.inputs) {
          forget(input, &state)
          if case .progressed(let progress) = input { secure(progress, &state) }
          effects += state.core.take(input, now: clock.now, wall: clock.wall)
        }
        var answers: [ServiceCore.Input] = []
        state.held.add(effects)
        state.receipts += received.compactMap(\.receipt)
        if !state.held.isWaiting { settle(&state, &answers) }
        let isEmpty = inbox.withLock { inbox in
          inbox.replaceSubrange(..<received.count, with: answers.map { Received(inputs: [$0]) })
          return inbox.isEmpty
        }
        if isEmpty { return }
      }
    }
  }

  /// Removes the channel of a closed connection and the handle of a process that has ended.
  private func forget(_ input: ServiceCore.Input, _ state: inout State) {
    switch input {
    case .unlinked(let link):
      state.channels[link] = nil
      if let pid = state.core.process(of: link), !state.core.isChild(pid) { state.processes[pid] = nil }
    case .childEnded(let pid, _, _): state.processes[pid] = nil
    default: break
    }
  }

  /// Stores the state that the held effects depend on, and then performs the effects. A failed write is retried later and the
  /// effects stay held until the write succeeds.
  private func settle(_ state: inout State, _ answers: inout [ServiceCore.Input]) {
    do {
      try state.store.store(state.held.items, of: state.core)
    } catch {
      let delay = state.held.noteFailure()
      if state.held.failures == 1 {
        sink.emit(
          MessageFault(
            subsystem: "xferd", category: "store",
            eventMessage: "cannot store state, so dependent work waits for a retry: \("\(error)", privacy: .public)"))
      }
      return queue.asyncAfter(deadline: .now() + .nanoseconds(delay)) { self.settleAgain() }
    }
    if state.held.isWaiting {
      sink.emit(
        MessageDefault(
          subsystem: "xferd", category: "store",
          eventMessage: "state stored after \(state.held.failures, privacy: .public) failed attempts"))
    }
    state.receipts = []
    for effect in state.held.take() { perform(effect, &state, &answers) }
    for (uid, unsent) in state.withheld { answers.append(.fileChanged(uid, unsent: unsent)) }
    state.withheld = [:]
  }

  /// Retries the failed write and, if it succeeds, performs the held effects. Must be called on the service's queue.
  private func settleAgain() {
    var answers: [ServiceCore.Input] = []
    state.withLock { if !$0.hasEnded { settle(&$0, &answers) } }
    for answer in answers { take(answer) }
  }

  // MARK: Effects

  private func perform(_ effect: ServiceCore.Effect, _ state: inout State, _ inputs: inout [ServiceCore.Input]) {
    switch effect {
    case .storeTask(let uid):
      // Releases the engine task of a removed or ended task. If the body of an ended task is lost later, the transfer is repeated
      // as a new engine task.
      if [nil, .ended].contains(state.core.tasks[uid]?.standing) { (state.carried[uid], state.secured[uid]) = (nil, nil) }
    case .storeSession(let key):
      if state.core.sessions[key] == nil { state.engines.removeValue(forKey: key)?.end() }
    case .storeApp: break
    case .emit(let event): sink.emit(event)
    case .send(let link, let message):
      // A progress message is dropped when the app is slow to read, because a later one makes it obsolete.
      if case .progress = message {
        state.channels[link]?.send(message, unlessBehind: 64)
      } else {
        state.channels[link]?.send(message)
      }
    case .deliver(let link, let delivery, let isRepeated): deliver(delivery, isRepeated, to: link, &state)
    case .verify(let uid): if let task = state.core.tasks[uid] { keeper.verify(uid, task.bodies) }
    case .carry(let uid): carry(uid, &state, &inputs)
    case .suspend(let uid): state.carried[uid]?.suspend()
    case .cancel(let uid, let forResumeData): cancel(uid, forResumeData, state)
    case .answer(let answer):
      for engine in state.engines.values { engine.answer(answer) }
    case .launch(let order): launch(order, &state, &inputs)
    case .signal(let pid, let signal): state.processes[pid]?.send(signal)
    case .release(let pid, let app): if ServiceLink.program(of: pid) == app { ProcessHandle(pid).send(SIGCONT) }
    case .remove(let path):
      unlink(path)
      keeper.forget(path)
    case .applyConditions:
      network.play(state.core.conditions.network)
      clock.move(ahead: state.core.conditions.clockAhead)
      state.alarm = nil
      inputs.append(.timePassed)
    case .wakeAt(let moment):
      // An earlier alarm is already set. Its handler schedules the next one.
      if let alarm = state.alarm, alarm <= moment { return }
      state.alarm = moment
      queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: max(0, moment.subtractingClamped(clock.now))))) {
        self.ring(moment)
      }
    }
  }

  /// Sends a callback, unless a file of its task changed after its last verification.
  private func deliver(_ delivery: BackgroundDelivery, _ isRepeated: Bool, to link: LinkID, _ state: inout State) {
    guard let uid = TaskUID(delivery.task) else { return }
    let isChanged = delivery.content.path.map { !keeper.isUnchanged($0, mayBeMissing: isRepeated) } ?? false
    if isChanged || state.withheld[uid] != nil {
      // The completion is withheld together with the file, because it tells the app that the file is available.
      state.withheld[uid, default: []] += isRepeated ? [] : [delivery.id]
      return
    }
    sink.emit(
      DeliverySent(
        task: TaskIdentity(uid: uid, session: delivery.session, number: delivery.number), delivery: DeliveryID(delivery.id),
        callback: delivery.content.callback, redelivered: isRepeated ? true : nil))
    state.channels[link]?.send(DaemonMessage.deliver(delivery))
  }

  // MARK: Partial downloads

  /// The number of new bytes after which a partial download is flushed to disk. A power loss costs at most this much progress.
  private static let securedBytes: Int64 = 64 << 20
  /// The time in nanoseconds after which a partial download with new bytes is flushed to disk.
  private static let securedInterval: Int64 = 30_000_000_000

  private func secure(_ progress: TaskProgress, _ state: inout State) {
    guard let uid = TaskUID(progress.task) else { return }
    let now = clock.now
    guard let last = state.secured[uid] else {
      state.secured[uid] = (progress.received, now)
      return
    }
    guard progress.received > last.received,
      progress.received &- last.received >= Self.securedBytes || now &- last.moment >= Self.securedInterval
    else { return }
    state.secured[uid] = (progress.received, now)
    if let partial = state.core.tasks[uid].flatMap({ partial(of: $0, state) }) {
      keeper.secure(uid, path: partial.path, inode: partial.inode)
    }
  }

  private func partial(of task: CarriedTask, _ state: State) -> (uid: TaskUID, path: String, inode: UInt64)? {
    guard let uid = TaskUID(task.new.uid), task.standing != .ended,
      let partial = (task.resumeData ?? task.new.resumeData).flatMap(TransferSession.partialFile(ofResumeData:))
    else { return nil }
    return (uid, SpooledFile.partial(task.new.uid, in: state.store.spool), partial.inode)
  }

  private func ring(_ moment: Int64) {
    let isDue = state.withLock { state in
      guard state.alarm == moment else { return false }
      state.alarm = nil
      return true
    }
    if isDue { take(.timePassed) }
  }

  private func carry(_ uid: TaskUID, _ state: inout State, _ inputs: inout [ServiceCore.Input]) {
    if let task = state.carried[uid] { return task.resume() }
    guard let task = state.core.tasks[uid], let session = state.core.sessions[task.key] else { return }
    do throws(TransferError) {
      state.carried[uid] = try engine(session, &state).carry(task)
    } catch  where error.code == .insufficientResources {
      // The engine cannot start a thread now, so the task is retried in a second.
      warn("engine", "task \(task.new.session)/\(task.new.number) waits: \(error)")
      queue.asyncAfter(deadline: .now() + .seconds(1)) { self.carryAgain(uid) }
    } catch {
      // No attempt begins, so the daemon's log would otherwise not show why the task fails.
      if error.code == .cannotOpenFile, let file = task.new.file, let identity = state.core.identity(task) {
        sink.emit(DiskOpenFailed(task: identity, file: file, osError: error.osError))
      }
      inputs.append(
        .ended(
          uid, TransferredOutcome(error: TransferredError(error), response: nil, received: 0, sent: 0, resumeData: nil)))
    }
  }

  private func carryAgain(_ uid: TaskUID) {
    var inputs: [ServiceCore.Input] = []
    state.withLock { state in
      if state.core.isGoing(uid) { carry(uid, &state, &inputs) }
    }
    for input in inputs { take(input) }
  }

  private func engine(_ session: CarriedSession, _ state: inout State) -> SessionEngine {
    if let engine = state.engines[session.key] { return engine }
    let engine = SessionEngine(
      session.settings, spool: state.store.spool, executor: QueueExecutor(queue), sink: sink, clock: clock, network: network
    ) { [weak self] in
      self?.take($0)
    } reportNow: { [weak self] in
      self?.takeNow($0)
    } reportAndWait: { [weak self] inputs in
      self?.queue.sync { self?.takeNow(inputs) }
    } finish: { [keeper] in
      keeper.keep($0)
    }
    state.engines[session.key] = engine
    return engine
  }

  private func cancel(_ uid: TaskUID, _ forResumeData: Bool, _ state: State) {
    guard let task = state.carried[uid] else { return }
    if forResumeData, let task = task as? DownloadTask { task.cancel { _ in } } else { task.cancel() }
  }

  private func launch(_ order: LaunchOrder, _ state: inout State, _ inputs: inout [ServiceCore.Input]) {
    let launched = AppLauncher.launch(order, clock: clockFile) { end in
      self.take(.childEnded(end.pid, code: end.code, signal: end.signal))
    }
    switch launched {
    case .failure(let failure): inputs.append(.notLaunched(order, osError: failure.osError))
    case .success(let pid):
      state.processes[pid] = ProcessHandle(pid)
      inputs.append(.launched(order, pid: pid))
    }
  }
}
