import CXferPlatform
import Dispatch
import Foundation
import Synchronization
import XferEngine
package import XferEvents

/// The daemon: takes what apps, the engine and the system say to the core, one after the other, and does what the core decides.
package final class Service: Sendable {
  private let queue = DispatchQueue(label: "xferd")
  private let sink: any EventSink
  private let clock = DeviceClock()
  /// By which the processes that are launched from here set their clocks.
  private let clockFile: String
  private let network = DeviceNetwork()
  private let state: Mutex<State>

  private struct State {
    var core: ServiceCore
    let store: ServiceStore
    var channels: [LinkID: FrameChannel] = [:]
    /// All connections, also those that have not said who speaks.
    var arrivals: [LinkID: Arrival] = [:]
    var engines: [SessionKey: SessionEngine] = [:]
    var carried: [TaskUID: TransferTask] = [:]
    var processes: [Int32: ProcessHandle] = [:]
    /// When the core is to be called next.
    var alarm: Int64?
    var held = HeldEffects()
    /// The room of messages whose effects wait for the disk: apps that send more wait as well.
    var receipts: [FrameReceipt] = []
  }

  private struct Arrival {
    let channel: FrameChannel
    let time = ContinuousClock.now
  }

  /// - Parameters:
  ///   - store: of this daemon alone.
  package init(
    _ store: sending ServiceStore, sink: any EventSink, version: String, clockFile: String
  ) throws {
    (self.sink, self.clockFile) = (sink, clockFile)
    var core = ServiceCore(generation: store.generation)
    let unreadable = try store.load(into: &core)
    // The log has their names, not their requests: they cannot be carried any more.
    let lost = store.damage.isEmpty ? [] : store.logged.tasks.filter { core.tasks[$0.uid] == nil }
    // The file is the runtime directory's: it does not outlive the machine's run, as no clock does.
    core.conditions.clockAhead = clock.ahead
    sink.emit(DaemonStarted(generation: Int64(bitPattern: store.generation), version: version))
    for damage in store.damage {
      sink.emit(MessageError(subsystem: "xferd", category: "store", eventMessage: "\(damage, privacy: .public)"))
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
    } else if !sweep.removed.isEmpty, let aside = store.keepAside(sweep.removed) {
      sink.emit(
        MessageError(
          subsystem: "xferd", category: "store",
          eventMessage: "\(sweep.removed.count, privacy: .public) files of lost tasks are kept in \(aside, privacy: .public)"))
    }
    state = Mutex(State(core: core, store: store))
    take(.started)
  }

  /// Says that the daemon ends; nothing is done any more.
  ///
  /// Behind what the engine has said before: a transfer whose end is not stored would be made again.
  package func end(reason: String) {
    queue.sync {
      work()
      state.withLock { state in
        // Nobody else lets them go on.
        for app in state.core.apps.values { for pid in app.suspended { state.processes[pid]?.send(SIGCONT) } }
        sink.emit(DaemonExited(generation: Int64(bitPattern: state.core.generation), reason: reason))
      }
    }
  }

  /// Says which tasks there are, for a log whose beginning will be removed.
  package func listTasks() {
    queue.async {
      self.state.withLock { state in
        let identities = state.core.tasks.all.compactMap(state.core.identity)
        self.sink.emit(
          DaemonTasksListed(
            generation: Int64(bitPattern: state.core.generation), count: Int64(identities.count), tasks: identities))
      }
    }
  }

  // MARK: Inputs

  /// Inputs that are to be stored all or none, and the room that their message takes until then.
  private struct Received {
    let inputs: [ServiceCore.Input]
    var receipt: FrameReceipt?
  }

  /// Inputs that nobody has looked at yet, in their order.
  private let inbox = Mutex<[Received]>([])

  package func take(_ input: ServiceCore.Input) { take([input]) }

  /// - Parameters:
  ///   - inputs: stored all or none.
  ///   - receipt: released when the inputs have been stored.
  func take(_ inputs: [ServiceCore.Input], _ receipt: FrameReceipt? = nil) {
    let isFirst = inbox.withLock { inbox in
      inbox.append(Received(inputs: inputs, receipt: receipt))
      return inbox.count == 1
    }
    if isFirst { queue.async { self.work() } }
  }

  /// On the queue: what is to be stored is, when this returns, unless the disk does not take it.
  private func takeNow(_ inputs: [ServiceCore.Input]) {
    inbox.withLock { $0.append(Received(inputs: inputs)) }
    work()
  }

  func greet(_ link: LinkID, _ channel: FrameChannel, app: String, pid: Int32, launch: LaunchID?) {
    // At once: the end of the connection, which comes from the same thread, must find the channel here.
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

  /// The time that a connection has to send its first message, and to register or open a session, when others wait.
  private static let leisure: Duration = .milliseconds(250)

  /// Makes room for connections that wait: the oldest one that has neither registered nor opened a session ends.
  func endIdleLink() {
    state.withLock { state in
      let core = state.core
      let idle = state.arrivals.filter { !core.isInUse($0.key) }.min { $0.key < $1.key }
      guard let idle, idle.value.time.duration(to: .now) > Self.leisure else { return }
      state.arrivals[idle.key] = nil
      warn("link", "an idle connection was closed, because others wait")
      idle.value.channel.close()
    }
  }

  func noteGarbage(from pid: Int32) {
    warn("link", "process \(pid) sent a frame of an impossible length; its connection was closed")
  }

  func noteStall(of pid: Int32) { warn("link", "process \(pid) did not send a whole message in time; its connection was closed") }

  /// The process is short of something; transfers go on.
  func noteShortage(_ problem: String) { warn("link", problem) }

  /// A message that cannot be sent is set aside. A callback is replaced by one that says so.
  func noteUnsendable(_ message: FrameChannel.Message, _ problem: String) {
    if case .deliver(let delivery) = message as? DaemonMessage {
      take(.undeliverable(delivery.id, because: problem))
    } else {
      warn("link", "a message was not sent to its app, because \(problem)")
    }
  }

  private func warn(_ category: StaticString, _ text: String) {
    sink.emit(MessageError(subsystem: "xferd", category: "\(category)", eventMessage: "\(text, privacy: .public)"))
  }

  /// How much of the inbox is stored at once: a commit waits for the disk.
  private static let batch = 256

  /// On the queue.
  private func work() {
    state.withLock { state in
      while true {
        let received = inbox.withLock { Array($0.prefix(Self.batch)) }
        var effects: [ServiceCore.Effect] = []
        for input in received.lazy.flatMap(\.inputs) {
          forget(input, &state)
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

  /// Drops what is held for a connection or a process that is gone.
  private func forget(_ input: ServiceCore.Input, _ state: inout State) {
    switch input {
    case .unlinked(let link):
      state.channels[link] = nil
      if let pid = state.core.process(of: link), !state.core.isChild(pid) { state.processes[pid] = nil }
    case .childEnded(let pid, _, _): state.processes[pid] = nil
    default: break
    }
  }

  /// Stores what the effects presuppose, and then has them. What cannot be stored is tried again, and they wait for it.
  private func settle(_ state: inout State, _ answers: inout [ServiceCore.Input]) {
    do {
      try state.store.store(state.held.items, of: state.core)
    } catch {
      let delay = state.held.noteFailure()
      if state.held.failures == 1 {
        sink.emit(
          MessageFault(
            subsystem: "xferd", category: "store",
            eventMessage: "not stored, and what depends on it waits: \("\(error)", privacy: .public)"))
      }
      return queue.asyncAfter(deadline: .now() + .nanoseconds(delay)) { self.settleAgain() }
    }
    if state.held.isWaiting {
      sink.emit(
        MessageDefault(
          subsystem: "xferd", category: "store", eventMessage: "stored after \(state.held.failures, privacy: .public) failures"))
    }
    state.receipts = []
    for effect in state.held.take() { perform(effect, &state, &answers) }
  }

  /// On the queue.
  private func settleAgain() {
    var answers: [ServiceCore.Input] = []
    state.withLock { settle(&$0, &answers) }
    for answer in answers { take(answer) }
  }

  // MARK: Effects

  private func perform(_ effect: ServiceCore.Effect, _ state: inout State, _ inputs: inout [ServiceCore.Input]) {
    switch effect {
    case .storeTask(let uid): if state.core.tasks[uid] == nil { state.carried[uid] = nil }
    case .storeSession(let key):
      if state.core.sessions[key] == nil { state.engines.removeValue(forKey: key)?.end() }
    case .storeApp: break
    case .emit(let event): sink.emit(event)
    case .send(let link, let message):
      // Progress that nobody takes is out of date by the time it could be sent.
      if case .progress = message {
        state.channels[link]?.send(message, unlessBehind: 64)
      } else {
        state.channels[link]?.send(message)
      }
    case .carry(let uid): carry(uid, &state, &inputs)
    case .suspend(let uid): state.carried[uid]?.suspend()
    case .cancel(let uid, let forResumeData): cancel(uid, forResumeData, state)
    case .answer(let answer):
      for engine in state.engines.values { engine.answer(answer) }
    case .launch(let order): launch(order, &state, &inputs)
    case .signal(let pid, let signal): state.processes[pid]?.send(signal)
    case .release(let pid, let app): if ServiceLink.program(of: pid) == app { ProcessHandle(pid).send(SIGCONT) }
    case .remove(let path): unlink(path)
    case .applyConditions:
      network.play(state.core.conditions.network)
      clock.move(ahead: state.core.conditions.clockAhead)
      state.alarm = nil
      inputs.append(.timePassed)
    case .wakeAt(let moment):
      // Who is called then says what comes next.
      if let alarm = state.alarm, alarm <= moment { return }
      state.alarm = moment
      queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: max(0, moment.subtractingClamped(clock.now))))) {
        self.ring(moment)
      }
    }
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
      // The system has no thread for the engine at present. The task waits.
      warn("engine", "task \(task.new.session)/\(task.new.number) waits: \(error)")
      queue.asyncAfter(deadline: .now() + .seconds(1)) { self.carryAgain(uid) }
    } catch {
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
