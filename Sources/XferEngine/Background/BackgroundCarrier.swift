internal import Synchronization
internal import XferEvents

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A background session's part of the link: its commands become messages, and the daemon's messages callbacks.
final class BackgroundCarrier: Sendable {
  let identifier: String
  let sink: any EventSink
  private let context: SessionContext
  private let link: BackgroundLink
  private let state = Mutex(State())

  private struct State {
    // The session has the carrier.
    weak var session: TransferSession?
    /// What the daemon may not have, by the tasks' numbers.
    var unconfirmed: [UInt32: NewTask] = [:]
    /// Numbers of tasks that the daemon is known to have had, until they have completed.
    var confirmed: Set<UInt32> = []
    var isConnected = false
    /// Who asked for the tasks before the daemon had said which there are.
    var waiting: [@Sendable (Bool?) -> Void] = []
    /// Callbacks that were taken from the daemon in this life, so that one that comes again is known.
    var taken: Set<UInt64> = []
    /// Those of them whose callbacks have returned.
    var returned: Set<UInt64> = []
    /// UIDs of the tasks whose completions are among them: a daemon that has missed the acknowledgement still has such a task.
    var ended: Set<String> = []
  }

  init(_ context: SessionContext, link: BackgroundLink) {
    self.context = context
    self.link = link
    (identifier, sink) = (context.name, context.sink)
  }

  /// - Returns: whether the session is the only one with its identifier; otherwise it can do nothing.
  func connect(_ session: TransferSession) -> Bool {
    state.withLock { $0.session = session }
    sink.emit(SessionConnectStarted(session: identifier, instance: context.instance))
    return link.enter(self)
  }

  var opened: OpenedSession {
    OpenedSession(
      identifier: identifier, instance: context.instance.rawValue, settings: BackgroundSettings(context.configuration))
  }

  private var session: TransferSession? { state.withLock { $0.session } }

  // MARK: From the app

  /// Says that a task was made.
  func create(_ task: TransferTask) {
    let new = NewTask(task)
    state.withLock { $0.unconfirmed[new.number] = new }
    link.send(.createTask(new), isFlushed: true)
  }

  func obey(_ command: EngineCommand) {
    switch command {
    case .resume(let task): link.send(.resume("\(task.uid)"), isFlushed: true)
    case .suspend(let task): link.send(.suspend("\(task.uid)"), isFlushed: true)
    case .cancel(let task, let forResumeData): link.send(.cancel("\(task.uid)", forResumeData: forResumeData), isFlushed: true)
    case .stop: link.leave(self)
    case .prioritise, .answer, .drained, .bodyReady, .resumable, .clockJumped, .pathChanged: break
    }
  }

  func invalidate() { link.send(.invalidate(session: identifier)) }

  // MARK: From the daemon

  func opened(_ inventory: SessionInventory, generation: UInt64) {
    guard let session else { return }
    sink.emit(
      SessionConnected(
        session: identifier, instance: context.instance, generation: Int64(bitPattern: generation),
        pending: Int64(inventory.pending)))
    let lost = confirm(inventory)
    let standings = Dictionary(inventory.tasks.map { ($0.task.uid, $0.standing) }) { $1 }
    // What was asked for while nobody listened, or a daemon was asked that died before it wrote it down.
    for new in state.withLock({ $0.unconfirmed.values.sorted { $0.number < $1.number } }) where standings[new.uid] == nil {
      link.send(.createTask(new))
    }
    for task in session.tasksSoFar { restate(task, standings["\(task.uid)"] ?? .suspended) }
    let ended = state.withLock { $0.ended }
    session.adopt(inventory, without: ended)
    for number in lost { session.task(number)?.endAsLost() }
    endWaits(isConnected: true)
  }

  /// - Returns: numbers of tasks that the daemon had and has no more.
  private func confirm(_ inventory: SessionInventory) -> [UInt32] {
    let numbers = Set(inventory.tasks.map(\.task.number))
    return state.withLock { state in
      for task in inventory.tasks where state.unconfirmed[task.task.number]?.uid == task.task.uid {
        state.unconfirmed[task.task.number] = nil
      }
      let lost = state.confirmed.subtracting(numbers)
      state.confirmed = numbers
      return lost.sorted()
    }
  }

  private func confirm(_ task: TransferTask) {
    state.withLock { state in
      state.unconfirmed[task.identity.number] = nil
      state.confirmed.insert(task.identity.number)
    }
  }

  /// Says once more how a task is to stand, where the daemon has it otherwise.
  private func restate(_ task: TransferTask, _ standing: KnownTask.Standing) {
    // Under the task's lock, as what the app asks for meanwhile: the two are sent in the order in which they are so.
    task.read { state in
      switch (state.phase, standing) {
      case (_, .ended): break
      case (.running, .suspended): link.send(.resume("\(task.uid)"))
      case (.created, .running), (.suspended, .running): link.send(.suspend("\(task.uid)"))
      case (.cancelling, _): link.send(.cancel("\(task.uid)", forResumeData: state.resumeDataHandler != nil))
      case (.created, _), (.running, _), (.suspended, _), (.deciding, _), (.completed, _): break
      }
    }
  }

  /// Calls at once, or as soon as it is known which tasks the session has, or that nobody will say so.
  func whenConnected(_ call: @escaping @Sendable (Bool?) -> Void) {
    let isConnected = state.withLock { state in
      if !state.isConnected { state.waiting.append(call) }
      return state.isConnected
    }
    if isConnected { call(true) }
  }

  private func endWaits(isConnected: Bool) {
    let waiting = state.withLock { state in
      if isConnected { state.isConnected = true }
      defer { state.waiting = [] }
      return state.waiting
    }
    for call in waiting { call(isConnected) }
  }

  func connectFailed(_ reason: String) {
    let isConnected = state.withLock { $0.isConnected }
    sink.emit(
      SessionConnectFailed(
        session: identifier, instance: context.instance, domain: .xfer, error: 7, errorName: "refused", message: reason))
    // Before anybody goes on who waits for the connection, and would make tasks.
    if !isConnected {
      session?.fail(
        TransferError(.backgroundSessionWasDisconnected, domain: .xfer, number: 7, stage: .creation, problem: reason))
    }
    endWaits(isConnected: false)
  }

  /// A task could not be sent to the daemon, so it ends here.
  func fail(_ new: NewTask, _ problem: String) {
    state.withLock { $0.unconfirmed[new.number] = nil }
    guard let session, let task = session.task(new.number), "\(task.uid)" == new.uid else { return }
    let error = TransferError(
      .dataLengthExceedsMaximum, domain: .xfer, number: 12, stage: .creation,
      problem: "the task was not sent to the daemon, because \(problem)")
    task.take(TaskOutcome(error: error, response: nil, received: 0, sent: 0), context.lane.makeID()) {}
  }

  /// - Parameter spool: the daemon's directory of files; a file anywhere else is refused.
  func take(_ delivery: BackgroundDelivery, spool: String) {
    guard let task = session?.task(delivery.number) else {
      // Of a task that has completed in this life: the acknowledgement was lost with the connection.
      return link.send(.acknowledge(delivery.id))
    }
    guard "\(task.uid)" == delivery.task else {
      // Another task has its number, which was made while nobody knew of it: it waits for the app's next life.
      if state.withLock({ $0.returned.contains(delivery.id) }) { link.send(.acknowledge(delivery.id)) }
      return
    }
    confirm(task)
    let (isNew, hasReturned) = state.withLock { state in
      if case .completion = delivery.content { state.ended.insert(delivery.task) }
      return (state.taken.insert(delivery.id).inserted, state.returned.contains(delivery.id))
    }
    // The acknowledgement was lost with the daemon that it was meant for.
    if hasReturned { return link.send(.acknowledge(delivery.id)) }
    if let path = delivery.content.path, !SpooledBody.isInside(spool, path) {
      sink.emit(
        MessageError(
          subsystem: "xferlog", category: "link",
          eventMessage: "the daemon named the file \(path), which is not in its spool; it was not opened"))
      return link.send(.refuseDelivery(delivery.id, reason: "the file is not in the daemon's spool"))
    }
    // One that comes again while its callback runs or waits is acknowledged when that has returned.
    guard isNew else { return }
    let id = DeliveryID(delivery.id)
    let acknowledge: @Sendable () -> Void = { [self] in
      state.withLock { _ = $0.returned.insert(delivery.id) }
      link.send(.acknowledge(delivery.id))
    }
    switch delivery.content {
    case .file(let path, let inode, let size, let response):
      let file = FinishedFile(path: path, inode: inode, size: size, links: Self.links(path, inode))
      task.take(file, response.transferResponse, id, acknowledge: acknowledge)
    case .body(let path): task.take(bodyAt: path, id, acknowledge: acknowledge)
    case .completion(let completion): task.take(TaskOutcome(completion), id, acknowledge: acknowledge)
    }
  }

  private static func links(_ path: String, _ inode: UInt64) -> Int {
    var status = stat()
    return lstat(path, &status) == 0 && UInt64(status.st_ino) == inode ? Int(clamping: status.st_nlink) : 0
  }

  func take(_ progress: TaskProgress) {
    guard let task = session?.task(progress.number), "\(task.uid)" == progress.task else { return }
    confirm(task)
    task.take(progress)
  }

  /// A server wants to know who is there.
  func take(_ challenge: BackgroundChallenge) {
    guard let session, let delegate = session.delegate, let task = session.task(challenge.number),
      "\(task.uid)" == challenge.task
    else { return }
    let (lane, link) = (context.lane, link)
    lane.send(
      Delivery(id: lane.makeID(), callback: .didReceiveChallenge, task: task.identity) {
        delegate.urlSession(session, task: task, didReceive: challenge.challenge) { disposition, credential in
          link.send(.challengeAnswered(ChallengeAnswer(id: challenge.id, disposition, credential)))
        }
      })
  }

  /// A delayed task's time has come.
  func mayBegin(_ name: String, _ number: UInt32) {
    guard let session, let delegate = session.delegate, let task = session.task(number), "\(task.uid)" == name else { return }
    let (lane, link, sink) = (context.lane, link, sink)
    let query = context.makeCorrelation()
    sink.emit(TaskDelayAsked(task: task.identity, query: query))
    lane.send(
      Delivery(id: lane.makeID(), callback: .willBeginDelayedRequest, task: task.identity) {
        delegate.urlSession(session, task: task, willBeginDelayedRequest: task.originalRequest) { disposition, request in
          sink.emit(TaskDelayAnswered(task: task.identity, query: query, reason: disposition.rawValue))
          switch disposition {
          case .continueLoading: link.send(.delayAnswered(DelayAnswer(task: name, .begin)))
          case .useNewRequest: link.send(.delayAnswered(DelayAnswer(task: name, .beginWith(request ?? task.originalRequest))))
          case .cancel:
            task.cancel()
            link.send(.delayAnswered(DelayAnswer(task: name, .cancel)))
          }
        }
      })
  }

  /// All that was pending has been acknowledged.
  func eventsFinished(_ handler: UInt64?) {
    guard let session, let delegate = session.delegate else { return }
    let lane = context.lane
    let live = session.countOfTasks
    sink.emit(
      SessionEventsFinished(
        session: identifier, instance: context.instance, handler: handler.map { HandlerID($0) }, liveTasks: Int64(live)))
    lane.send(
      Delivery(id: lane.makeID(), callback: .didFinishEvents, task: nil) {
        delegate.urlSessionDidFinishEvents(forBackgroundURLSession: session)
      })
  }
}

extension NewTask {
  init(_ task: TransferTask) {
    self.init(
      uid: "\(task.uid)", session: task.identity.session, number: task.identity.number,
      kind: task.type == .upload ? .upload : .download, request: task.plan.httpRequest)
    if case .file(let source) = task.plan.body { file = source.path }
    resumeData = task.resumeData?.data
    (description, metadata) = (task.taskDescription, task.metadata)
    // JSON has no infinity and no NaN.
    priority = task.priority.isFinite ? task.priority : 0.5
    (expectedToSend, expectedToReceive) = (task.countOfBytesClientExpectsToSend, task.countOfBytesClientExpectsToReceive)
    earliestBegin = task.options.earliestBeginDate.flatMap { $0.isFinite ? $0 : nil }
    isFromBackground = BackgroundLink.origin == .background
    requestTimeout = task.requestTimeout.map { $0 / .seconds(1) }
    resourceTimeout = task.resourceTimeout.map { $0 / .seconds(1) }
  }
}

extension TaskOutcome {
  init(_ completion: TransferredOutcome) {
    self.init(
      error: completion.error?.transferError, response: completion.response?.transferResponse, received: completion.received,
      sent: completion.sent)
    resumeData = completion.resumeData.flatMap { try? ResumeData($0) }
  }
}
