internal import Synchronization
public import XferEvents

/// A counterpart of URLSession that is implemented with libcurl. Creates tasks, owns their connections, and reports each step of
/// a transfer to an event sink.
///
/// A session without live tasks is released with the last reference to it. An invalidated session creates no more tasks.
public final class TransferSession: Sendable {
  /// The configuration as the app passed it. The log has the effective values.
  public let configuration: Configuration
  /// The session's name in the log, unique in the process. A background session's name is its identifier.
  public var name: String { context.name }
  public var delegateExecutor: any DelegateExecutor { context.lane.executor }
  /// The delegate. `nil` once the session is invalid.
  public var delegate: (any TransferSessionDelegate)? { state.withLock { $0.delegate } }

  let context: SessionContext
  /// The connection to the daemon. `nil` unless this is a background session.
  let background: BackgroundCarrier?
  private let state: Mutex<State>

  fileprivate struct State {
    var delegate: (any TransferSessionDelegate)?
    var tasks: [UInt32: TransferTask] = [:]
    var lastNumber: UInt32 = 0
    var engineRuns = false
    var invalidation: InvalidationMode?
    var isInvalid = false
  }

  /// - Parameters:
  ///   - configuration: The configuration. The session copies it.
  ///   - delegate: The delegate, which is retained until the session is invalid.
  ///   - delegateExecutor: The executor of delegate calls and completion handlers. `nil` means a private serial queue.
  ///   - sink: The receiver of all events, such as a log or `NullSink`.
  ///   - clock: The clock for timeouts.
  ///   - network: The source of the network path.
  ///   - names: The registry in which the session's name is unique.
  ///   - generator: The source of random identifiers.
  public init(
    configuration: Configuration = .default, delegate: (any TransferSessionDelegate)? = nil,
    delegateExecutor: (any DelegateExecutor)? = nil, sink: any EventSink,
    clock: any TransferClock = SystemTransferClock(), network: any NetworkPathSource = InterfacePath.process,
    names: SessionNames = .process,
    generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) {
    self.configuration = configuration
    context = SessionContext(
      configuration, executor: delegateExecutor, sink: sink, clock: clock, network: network, names: names, generator: generator)
    background = configuration.kind == .background ? BackgroundCarrier(context, link: .process) : nil
    state = Mutex(State(delegate: delegate))
    let mailbox = context.mailbox
    if let background { mailbox.open(background) }
    clock.onJump { mailbox.post(.clockJumped) }
    logCreation(hasDelegate: delegate != nil)
    warnIfAnyServerIsTrusted()
    background.map(connect)
  }

  private func logCreation(hasDelegate: Bool) {
    let effective = context.configuration
    context.sink.emit(
      SessionCreated(
        session: name, instance: context.instance, sessionKind: effective.sessionKind,
        delegate: hasDelegate ? context.makeCorrelation() : nil, queue: context.lane.executor.name,
        configuration: configurationDigest,
        connectionsPerHost: effective.httpMaximumConnectionsPerHost, requestTimeout: effective.timeoutIntervalForRequest,
        resourceTimeout: effective.timeoutIntervalForResource, timeoutOrigin: effective.requestTimeoutOrigin,
        waitsForConnectivity: effective.waitsForConnectivity, discretionary: effective.isDiscretionary,
        effectiveDiscretionary: effective.isDiscretionary,
        sendsLaunchEvents: background == nil ? nil : effective.sessionSendsLaunchEvents,
        extendedIdle: background == nil ? nil : effective.shouldUseExtendedBackgroundIdleMode,
        allowsCellular: effective.allowsCellularAccess, allowsExpensive: effective.allowsExpensiveNetworkAccess,
        allowsConstrained: effective.allowsConstrainedNetworkAccess, liveSessions: Int64(context.liveSessions),
        hasDelegate: hasDelegate))
    logConfiguration()
  }

  /// The digest of the configuration in the log.
  ///
  /// A background session's digest uses no random key, so that the configurations of several launches can be compared.
  private var configurationDigest: ValueDigest {
    background == nil
      ? context.digest(of: configuration.canonical) : SessionContext.lastingDigest(of: configuration.canonicalAsLogged)
  }

  /// Logs the settings that differ from the defaults, and the settings whose effective value differs from the requested one.
  private func logConfiguration() {
    let changed = configuration.changedSettings
    if !changed.isEmpty { context.sink.emit(SessionConfigured(session: name, instance: context.instance, settings: changed)) }
    for (asked, applied) in zip(configuration.settings, context.configuration.settings)
    where asked.loggedValue != applied.loggedValue {
      context.sink.emit(
        SessionSettingAdjusted(
          session: name, instance: context.instance, setting: asked.name, requested: asked.loggedValue,
          effective: applied.loggedValue))
    }
  }

  private func warnIfAnyServerIsTrusted() {
    guard context.configuration.serverTrust.allowsAnyServer else { return }
    context.sink.emit(
      MessageFault(
        subsystem: "xferlog", category: "security",
        eventMessage: "the session \(name, privacy: .public) accepts any server certificate: TLS gives no protection"))
  }

  deinit {
    // Tasks retain their session, so no live task is left. The engine's thread may still be running, and is stopped.
    context.sink.emit(SessionReleased(session: name, instance: context.instance, liveTasks: 0))
    context.mailbox.post(.stop)
  }

  // MARK: Tasks

  /// Creates a task and adds it to the session, after starting the engine's thread if needed.
  ///
  /// - Parameter make: A closure that creates the task and logs its creation. Called under the session's lock, so that no other
  ///   thread can log an event of the task before its creation.
  func enter<Task: TransferTask>(_ make: (TaskIdentity, _ live: Int) -> Task) throws(TransferError) -> Task {
    try state.withLock { state throws(TransferError) in
      try prepare(&state)
      guard state.lastNumber < .max else {
        throw TransferError(
          .insufficientResources, domain: .xfer, number: 13, stage: .creation,
          problem: "the session \(name) has used all task numbers; create a new session")
      }
      state.lastNumber += 1
      let identity = TaskIdentity(uid: context.makeTaskUID(), session: name, number: state.lastNumber)
      let task = make(identity, state.tasks.count + 1)
      state.tasks[identity.number] = task
      // The task is sent under the session's lock, so that the daemon receives the task before commands for the task.
      background?.create(task)
      return task
    }
  }

  /// Creates a task with a given identity and adds it to the session.
  func enter<Task: TransferTask>(_ identity: TaskIdentity, _ make: () -> Task) throws(TransferError) -> Task {
    try state.withLock { state throws(TransferError) in
      try prepare(&state)
      let task = make()
      state.tasks[identity.number] = task
      return task
    }
  }

  /// Checks that the session is valid, and starts the engine's thread if it is not running.
  private func prepare(_ state: inout State) throws(TransferError) {
    guard state.invalidation == nil else {
      throw TransferError(
        .sessionInvalidated, domain: .xfer, number: 1, stage: .creation, problem: "the session \(name) was invalidated")
    }
    guard !state.engineRuns, background == nil else { return }
    try EngineThread.start(context)
    state.engineRuns = true
  }

  func task(_ number: UInt32) -> TransferTask? { state.withLock { $0.tasks[number] } }
  var countOfTasks: Int { state.withLock { $0.tasks.count } }
  /// All live tasks, ordered by number.
  var sortedTasks: [TransferTask] { state.withLock { $0.tasks.values.sorted { $0.taskIdentifier < $1.taskIdentifier } } }

  /// Adds a task that an earlier launch of the app created.
  ///
  /// - Returns: `false` if the session already has a task with this number.
  func adopt(_ task: TransferTask) -> Bool {
    state.withLock { state in
      state.lastNumber = max(state.lastNumber, task.identity.number)
      guard state.tasks[task.identity.number] == nil else { return false }
      state.tasks[task.identity.number] = task
      return true
    }
  }

  /// Makes later tasks get numbers above `number`.
  func noteLastNumber(_ number: UInt32) { state.withLock { $0.lastNumber = max($0.lastNumber, number) } }

  /// Makes the session invalid because of an error, and reports the error to the delegate.
  func fail(_ error: TransferError) {
    let isFirst = state.withLock { state in
      defer { (state.invalidation, state.isInvalid) = (.cancel, true) }
      return !state.isInvalid
    }
    if isFirst { announceInvalid(error) }
  }

  /// Replaces a task by another one with the same number, such as a data task that became a download task.
  func replace(_ task: TransferTask, by successor: TransferTask) {
    state.withLock { $0.tasks[task.identity.number] = successor }
  }

  /// The live tasks that the app created, in order of creation. Excludes the internal tasks that carry coalesced requests.
  private var liveTasks: [TransferTask] {
    state.withLock { state in
      state.tasks.values.filter { !$0.isCarrier }.sorted { $0.taskIdentifier < $1.taskIdentifier }
    }
  }

  func taskEnded(_ task: TransferTask) {
    let isLast = state.withLock { state in
      state.tasks[task.identity.number] = nil
      return state.isNowInvalid()
    }
    if isLast { announceInvalid() }
  }

  /// Calls the handler with all live tasks, in order of creation.
  ///
  /// A background session first waits for the daemon to report the tasks of earlier launches.
  ///
  /// - Parameter completionHandler: A closure that is called once on the delegate executor. The array may be empty.
  public func getAllTasks(completionHandler: @escaping @Sendable ([TransferTask]) -> Void) {
    let query = context.makeCorrelation()
    context.sink.emit(SessionTasksQueried(session: name, instance: context.instance, query: query))
    let lane = context.lane
    let answer: @Sendable (_ isConnected: Bool?) -> Void = { isConnected in
      lane.send(
        Delivery(id: lane.makeID(), callback: nil, task: nil) { [self] in
          let tasks = liveTasks
          context.sink.emit(
            SessionTasksAnswered(
              session: name, instance: context.instance, query: query, count: Int64(tasks.count), tasks: tasks.map(\.identity),
              connected: isConnected))
          completionHandler(tasks)
        })
    }
    if let background { background.whenConnected(answer) } else { answer(nil) }
  }

  /// All live tasks, in order of creation. A background session first waits for the daemon to report the tasks of earlier
  /// launches.
  public var allTasks: [TransferTask] {
    get async { await withCheckedContinuation { continuation in getAllTasks { continuation.resume(returning: $0) } } }
  }

  // MARK: Invalidation

  /// Stops creating tasks, and makes the session invalid when all its tasks have completed.
  public func finishTasksAndInvalidate() { invalidate(.finishTasks) }

  /// Stops creating tasks, and cancels all live tasks. The session becomes invalid when they have completed.
  public func invalidateAndCancel() { invalidate(.cancel) }

  private func invalidate(_ mode: InvalidationMode) {
    let (isInvalid, tasks) = state.withLock { state -> (Bool, [TransferTask]) in
      guard state.invalidation == nil || (state.invalidation == .finishTasks && mode == .cancel), !state.isInvalid else {
        return (false, [])
      }
      state.invalidation = mode
      context.sink.emit(
        SessionInvalidationRequested(
          session: name, instance: context.instance, invalidation: mode, by: .app, liveTasks: Int64(state.tasks.count)))
      return (state.isNowInvalid(), mode == .cancel ? Array(state.tasks.values) : [])
    }
    for task in tasks.sorted(by: { $0.taskIdentifier < $1.taskIdentifier }) { task.cancel(reason: .sessionInvalidated) }
    if isInvalid { announceInvalid() }
  }

  private func announceInvalid(_ error: TransferError? = nil) {
    let (lane, mailbox) = (context.lane, context.mailbox)
    context.sink.emit(
      SessionInvalidated(
        session: name, instance: context.instance, domain: error?.domain, error: error?.number, errorName: error?.code.rawValue))
    if error == nil { background?.invalidate() }
    mailbox.post(.stop)
    guard let delegate else { return }
    lane.send(
      Delivery(id: lane.makeID(), callback: .didBecomeInvalid, task: nil) {
        delegate.urlSession(self, didBecomeInvalidWithError: error)
      } after: {
        self.state.withLock { $0.delegate = nil }
      })
  }
}

extension TransferSession.State {
  /// Marks the session as invalid if it was invalidated and has no live tasks.
  ///
  /// - Returns: `true` once, when the session becomes invalid.
  fileprivate mutating func isNowInvalid() -> Bool {
    guard invalidation != nil, tasks.isEmpty, !isInvalid else { return false }
    isInvalid = true
    return true
  }
}
