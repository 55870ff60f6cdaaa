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
  private let clock: @Sendable () -> Int64
  private let state: Mutex<State>

  private struct State {
    var core: ServiceCore
    let store: ServiceStore
    var channels: [LinkID: FrameChannel] = [:]
    var engines: [SessionKey: SessionEngine] = [:]
    var carried: [TaskUID: TransferTask] = [:]
    var held = HeldEffects()
  }

  /// - Parameters:
  ///   - store: of this daemon alone.
  ///   - clock: nanoseconds that go on while the machine sleeps.
  package init(
    _ store: sending ServiceStore, sink: any EventSink, version: String,
    clock: @escaping @Sendable () -> Int64 = xp_clock_boottime
  ) throws {
    self.sink = sink
    self.clock = clock
    var core = ServiceCore(generation: store.generation)
    let lost = try store.load(into: &core)
    sink.emit(DaemonStarted(generation: Int64(bitPattern: store.generation), version: version))
    for damage in store.damage {
      sink.emit(MessageError(subsystem: "xferd", category: "store", eventMessage: "\(damage, privacy: .public)"))
    }
    let identities = core.tasks.all.compactMap(core.identity)
    sink.emit(
      DaemonRecovered(
        generation: Int64(bitPattern: store.generation), count: Int64(identities.count), dropped: Int64(lost), tasks: identities))
    SpoolSweep.run(store.spool, tasks: core.tasks.all)
    state = Mutex(State(core: core, store: store))
    take(.started)
  }

  /// Says that the daemon ends; nothing is done any more.
  package func end(reason: String) {
    state.withLock { state in
      sink.emit(DaemonExited(generation: Int64(bitPattern: state.core.generation), reason: reason))
    }
  }

  // MARK: Inputs

  /// Inputs that nobody has looked at yet, in their order.
  private let inbox = Mutex<[[ServiceCore.Input]]>([])

  package func take(_ input: ServiceCore.Input) { take([input]) }

  /// - Parameter inputs: stored all or none.
  package func take(_ inputs: [ServiceCore.Input]) {
    let isFirst = inbox.withLock { inbox in
      inbox.append(inputs)
      return inbox.count == 1
    }
    if isFirst { queue.async { self.work() } }
  }

  /// On the queue: what is to be stored is, when this returns, unless the disk does not take it.
  private func takeNow(_ inputs: [ServiceCore.Input]) {
    inbox.withLock { $0.append(inputs) }
    work()
  }

  func greet(_ link: LinkID, _ channel: FrameChannel, app: String, pid: Int32, launch: LaunchID?) {
    queue.async {
      self.state.withLock { state in
        state.channels[link] = channel
        channel.send(
          DaemonMessage.welcome(generation: state.core.generation, launch: self.sink.processLaunch.map { "\($0)" } ?? ""))
      }
    }
    take(.linked(link, app: app, pid: pid, launch: launch))
  }

  func noteGarbage(from pid: Int32) {
    sink.emit(
      MessageError(
        subsystem: "xferd", category: "link", eventMessage: "process \(pid, privacy: .public) sent what is no message"))
  }

  /// How much of the inbox is stored at once: a commit waits for the disk.
  private static let batch = 256

  /// On the queue.
  private func work() {
    state.withLock { state in
      while true {
        let inputs = inbox.withLock { Array($0.prefix(Self.batch)) }
        var effects: [ServiceCore.Effect] = []
        for input in inputs.joined() {
          if case .unlinked(let link) = input { state.channels[link] = nil }
          effects += state.core.take(input, now: clock())
        }
        var answers: [ServiceCore.Input] = []
        state.held.add(effects)
        if !state.held.isWaiting { settle(&state, &answers) }
        let isEmpty = inbox.withLock { inbox in
          inbox.replaceSubrange(..<inputs.count, with: answers.map { [$0] })
          return inbox.isEmpty
        }
        if isEmpty { return }
      }
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
    case .send(let link, let message): state.channels[link]?.send(message)
    case .carry(let uid): carry(uid, &state, &inputs)
    case .suspend(let uid): state.carried[uid]?.suspend()
    case .cancel(let uid, let forResumeData): cancel(uid, forResumeData, state)
    case .launch(let key, let app): launch(key, app, &inputs)
    case .remove(let path): unlink(path)
    case .wakeAt(let moment):
      let delay = max(0, moment - clock())
      queue.asyncAfter(deadline: .now() + .nanoseconds(Int(clamping: delay))) { self.take(.timePassed) }
    }
  }

  private func carry(_ uid: TaskUID, _ state: inout State, _ inputs: inout [ServiceCore.Input]) {
    if let task = state.carried[uid] { return task.resume() }
    guard let task = state.core.tasks[uid], let session = state.core.sessions[task.key] else { return }
    do throws(TransferError) {
      state.carried[uid] = try engine(session, &state).carry(task)
    } catch {
      inputs.append(
        .ended(
          uid, TransferredOutcome(error: TransferredError(error), response: nil, received: 0, sent: 0, resumeData: nil)))
    }
  }

  private func engine(_ session: CarriedSession, _ state: inout State) -> SessionEngine {
    if let engine = state.engines[session.key] { return engine }
    let engine = SessionEngine(
      session.settings, spool: state.store.spool, executor: QueueExecutor(queue), sink: sink
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

  private func launch(_ key: SessionKey, _ app: CarriedApp, _ inputs: inout [ServiceCore.Input]) {
    switch AppLauncher.launch(app, session: key.identifier) {
    case .failure(let failure): inputs.append(.notLaunched(key, osError: failure.osError))
    case .success(let pid):
      inputs.append(.launched(key, pid: pid))
      ChildEnd.await(pid) { end in
        self.take(.childEnded(pid, code: end.code, signal: end.signal))
      }
    }
  }
}
