internal import Dispatch
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

/// The connection between one background session and the daemon.
///
/// Sends the session's commands to the daemon as messages, and turns the daemon's messages into callbacks.
final class BackgroundCarrier: Sendable {
  let identifier: String
  let sink: any EventSink
  private let context: SessionContext
  private let link: BackgroundLink
  private let state = Mutex(State())

  private struct State {
    // Weak, because the session owns the carrier.
    weak var session: TransferSession?
    /// The tasks that the daemon has not confirmed, by task number.
    var unconfirmed: [UInt32: NewTask] = [:]
    /// The numbers of the tasks that the daemon has confirmed.
    var confirmed: Set<UInt32> = []
    var isConnected = false
    /// The number of callbacks that the daemon held for the app when it reported the session's tasks.
    var held = 0
    /// Whether the daemon refused the connection, so that the session failed.
    var isRefused = false
    /// The closures to call with `true` when the daemon has reported the session's tasks, or with `false` when the daemon refuses
    /// the connection.
    var waiting: [@Sendable (Bool) -> Void] = []
    /// The identifiers of deliveries received in this process, to recognise repeated ones.
    var received: Set<UInt64> = []
    /// The identifiers of received deliveries whose callbacks have returned.
    var returned: Set<UInt64> = []
    /// The UIDs of tasks whose completions were received. A daemon that missed the acknowledgement still lists such a task.
    var ended: Set<String> = []
    /// Whether the process has continued after it closed its log.
    var outlivesLog = false
    /// The deliveries, with their spools, that arrived after the process had closed its log.
    var awaited: [(delivery: BackgroundDelivery, spool: String)] = []
  }

  init(_ context: SessionContext, link: BackgroundLink) {
    self.context = context
    self.link = link
    (identifier, sink) = (context.name, context.sink)
  }

  /// Registers the session with the link.
  ///
  /// - Returns: `false` when the process already has a session with this identifier.
  func connect(_ session: TransferSession) -> Bool {
    state.withLock { $0.session = session }
    sink.emit(SessionConnectStarted(session: identifier, instance: context.instance))
    return link.enter(self)
  }

  var opened: OpenedSession {
    OpenedSession(
      identifier: identifier, instance: context.instance.rawValue, settings: BackgroundSettings(context.configuration))
  }

  var heldCallbacks: Int { state.withLock { $0.held } }

  private var session: TransferSession? { state.withLock { $0.session } }

  // MARK: App to daemon

  /// Sends a new task to the daemon.
  func create(_ task: TransferTask) {
    let new = NewTask(task)
    state.withLock { $0.unconfirmed[new.number] = new }
    link.send(.createTask(new), isFlushed: true)
  }

  /// Sends a changed description of a task to the daemon, so that a later launch of the app restores it.
  func describe(_ number: UInt32, _ change: TaskDescription) {
    state.withLock { state in
      if state.unconfirmed[number]?.uid == change.uid { state.unconfirmed[number]?.apply(change) }
    }
    link.send(.describe(change), isFlushed: true)
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

  // MARK: Daemon to app

  func opened(_ inventory: SessionInventory, generation: UInt64) {
    guard let session else { return }
    sink.emit(
      SessionConnected(
        session: identifier, instance: context.instance, generation: Int64(bitPattern: generation),
        pending: Int64(inventory.pending)))
    state.withLock { $0.held = inventory.pending }
    let lost = confirm(inventory)
    let known = Dictionary(inventory.tasks.map { ($0.task.uid, $0) }) { $1 }
    // Resends the tasks that the daemon does not list: they were created without a connection, or the previous daemon exited
    // before it had stored them.
    for new in state.withLock({ $0.unconfirmed.values.sorted { $0.number < $1.number } }) where known[new.uid] == nil {
      link.send(.createTask(new))
    }
    for task in session.sortedTasks {
      restate(task, known["\(task.uid)"]?.standing ?? .suspended)
      if let known = known["\(task.uid)"] { describeAgain(task, known.task) }
    }
    let ended = state.withLock { $0.ended }
    session.adopt(inventory, without: ended)
    for number in lost { session.task(number)?.endAsLost() }
    endWaits(isConnected: true)
  }

  /// Notes the tasks in the daemon's inventory as confirmed.
  ///
  /// - Returns: The numbers of tasks that the daemon had confirmed earlier and no longer lists.
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

  /// Sends the command that brings the daemon's state of a task in line with the app's, if the two differ.
  private func restate(_ task: TransferTask, _ standing: KnownTask.Standing) {
    // The command is sent under the task's lock, so that a command from the app on another thread cannot come between the check
    // and the send.
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

  /// Sends a task's description if it was changed while the daemon was not connected.
  private func describeAgain(_ task: TransferTask, _ known: NewTask) {
    task.read { state in
      let change = TaskDescription(task.uid, state)
      if change != TaskDescription(known), state.phase != .deciding, state.phase != .completed { link.send(.describe(change)) }
    }
  }

  /// Calls `call` with `true` once the daemon has reported the session's tasks, immediately if it already has. Calls it with
  /// `false` if the daemon refuses the connection, immediately if it already has.
  func whenConnected(_ call: @escaping @Sendable (Bool) -> Void) {
    let isConnected = state.withLock { state -> Bool? in
      if state.isConnected || state.isRefused { return state.isConnected }
      state.waiting.append(call)
      return nil
    }
    if let isConnected { call(isConnected) }
  }

  private func endWaits(isConnected: Bool) {
    let waiting = state.withLock { state in
      if isConnected { state.isConnected = true } else { state.isRefused = true }
      defer { state.waiting = [] }
      return state.waiting
    }
    for call in waiting { call(isConnected) }
  }

  /// Fails the session, unless it was connected before, because the daemon refuses the connection.
  func connectFailed(_ reason: String) { connectFailed(reason, number: 7, errorName: "refused") }

  /// Fails the session, unless it was connected before, because another process has a session with this identifier.
  func connectFailed(_ reason: String, holder: LaunchID?) {
    connectFailed(reason, number: 18, errorName: TransferError.Code.backgroundSessionInUse.rawValue, holder: holder)
  }

  private func connectFailed(_ reason: String, number: Int, errorName: String, holder: LaunchID? = nil) {
    let isConnected = state.withLock { $0.isConnected }
    sink.emit(
      SessionConnectFailed(
        session: identifier, instance: context.instance, domain: .xfer, error: number, errorName: errorName, message: reason,
        holder: holder))
    // The session fails before the waiting closures are called, because they would otherwise create tasks in the session.
    if !isConnected {
      session?.fail(
        TransferError(.backgroundSessionWasDisconnected, domain: .xfer, number: 7, stage: .creation, problem: reason))
    }
    endWaits(isConnected: false)
  }

  /// Fails a task that could not be sent to the daemon.
  func fail(_ new: NewTask, _ problem: String) {
    state.withLock { $0.unconfirmed[new.number] = nil }
    guard let session, let task = session.task(new.number), "\(task.uid)" == new.uid else { return }
    let error = TransferError(
      .dataLengthExceedsMaximum, domain: .xfer, number: 12, stage: .creation,
      problem: "the task was not sent to the daemon: \(problem)")
    task.take(TaskOutcome(error: error, response: nil, received: 0, sent: 0), context.lane.makeID()) {}
  }

  /// Calls the app back for a delivery, once, and acknowledges the delivery when the callback has returned.
  ///
  /// - Parameter spool: The daemon's directory of delivered files. A delivery with a file elsewhere is rejected.
  func take(_ delivery: BackgroundDelivery, spool: String) {
    // A process that has closed its log is about to exit. Its next launch receives the delivery instead.
    if !mustAwait(delivery, spool: spool) { handle(delivery, spool: spool) }
  }

  private func handle(_ delivery: BackgroundDelivery, spool: String) {
    guard let session else { return }
    guard let task = session.task(delivery.number) else {
      // The task has completed in this process, so the acknowledgement was lost with the connection and is sent again.
      if state.withLock({ $0.ended.contains(delivery.task) }) { link.send(.acknowledge(delivery.id)) }
      return
    }
    guard "\(task.uid)" == delivery.task else {
      // The app created another task with the same number before the daemon had reported the session's tasks. The delivery cannot
      // be passed on in this process, and the daemon keeps it until the app's next launch.
      if state.withLock({ $0.returned.contains(delivery.id) }) { link.send(.acknowledge(delivery.id)) }
      return
    }
    confirm(task)
    let (isNew, hasReturned) = state.withLock { state in
      if case .completion = delivery.content { state.ended.insert(delivery.task) }
      return (state.received.insert(delivery.id).inserted, state.returned.contains(delivery.id))
    }
    // The callback has already returned. The daemon repeats the delivery because the acknowledgement was lost, so the
    // acknowledgement is sent again.
    if hasReturned { return link.send(.acknowledge(delivery.id)) }
    if let path = delivery.content.path, !SpooledBody.isInside(spool, path) {
      sink.emit(
        MessageError(
          subsystem: "xferlog", category: "link",
          eventMessage: "the daemon delivered the file \(path), which is outside its spool; the file was not opened"))
      return link.send(.refuseDelivery(delivery.id, reason: "the file is not in the daemon's spool"))
    }
    // A repeated delivery whose callback has not returned is acknowledged when the callback returns.
    guard isNew else { return }
    let id = DeliveryID(delivery.id)
    let acknowledge: @Sendable () -> Void = { [self] in
      state.withLock { _ = $0.returned.insert(delivery.id) }
      // The log of a process that is about to exit may lack the callback, so the next launch must receive it again.
      if sink.isOpen || state.withLock({ $0.outlivesLog }) { return link.send(.acknowledge(delivery.id)) }
      DispatchQueue.global().asyncAfter(deadline: .now() + Self.exitGrace) { self.link.send(.acknowledge(delivery.id)) }
    }
    switch delivery.content {
    case .file(let path, let inode, let size, let response):
      let file = FinishedFile(path: path, inode: inode, size: size)
      task.take(file, response.transferResponse, id, acknowledge: acknowledge)
    case .body(let path): task.take(bodyAt: path, id, acknowledge: acknowledge)
    case .completion(let completion): task.take(TaskOutcome(completion), id, acknowledge: acknowledge)
    }
  }

  /// The time after which a process that has closed its log is not about to exit.
  private static let exitGrace: DispatchTimeInterval = .seconds(1)

  /// Returns whether a delivery is handled later, because the process has closed its log and may be about to exit.
  private func mustAwait(_ delivery: BackgroundDelivery, spool: String) -> Bool {
    if sink.isOpen { return false }
    let (isAwaited, isFirst) = state.withLock { state in
      guard !state.outlivesLog || !state.awaited.isEmpty else { return (false, false) }
      state.awaited.append((delivery, spool))
      return (true, state.awaited.count == 1 && !state.outlivesLog)
    }
    if isFirst { DispatchQueue.global().asyncAfter(deadline: .now() + Self.exitGrace) { self.takeAwaited() } }
    return isAwaited
  }

  /// Handles the deliveries that arrived after the log was closed, in their order, because the process still runs.
  private func takeAwaited() {
    state.withLock { $0.outlivesLog = true }
    while let (delivery, spool) = state.withLock({ $0.awaited.first }) {
      handle(delivery, spool: spool)
      state.withLock { _ = $0.awaited.removeFirst() }
    }
  }

  func take(_ progress: TaskProgress) {
    guard let task = session?.task(progress.number), "\(task.uid)" == progress.task else { return }
    confirm(task)
    task.take(progress)
  }

  /// Passes a server's authentication challenge to the delegate, and the delegate's answer to the daemon.
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

  /// Asks the delegate whether a delayed task may begin, and sends the answer to the daemon.
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

  /// Reports to the log and the delegate that all pending callbacks have been acknowledged.
  ///
  /// - Parameter handler: The identifier of the wake's completion handler. `nil` if the app opened the session without a wake.
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
    // JSON cannot represent infinity or NaN, so such a priority is replaced by the default.
    priority = task.priority.isFinite ? task.priority : 0.5
    (expectedToSend, expectedToReceive) = (task.countOfBytesClientExpectsToSend, task.countOfBytesClientExpectsToReceive)
    earliestBegin = task.options.earliestBeginDate.flatMap { $0.isFinite ? $0 : nil }
    allowsRepetition = task.options.allowsRepetition
    sendsTraceContext = task.options.sendsTraceContext
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
