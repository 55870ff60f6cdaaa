internal import Synchronization
public import XferEvents

/// Owns connections and tasks: URLSession, over libcurl, with every step said to an event sink.
///
/// A session whose tasks have all ended goes away with the last reference to it; one that was invalidated takes no
/// more tasks.
public final class TransferSession: Sendable {
  /// As it was asked for; what applies is in the log.
  public let configuration: Configuration
  /// How the log names the session: unique among those of the process.
  public var name: String { context.name }
  public var delegateExecutor: any DelegateExecutor { context.lane.executor }
  /// `nil` once the session is invalid.
  public var delegate: (any TransferSessionDelegate)? { state.withLock { $0.delegate } }

  let context: SessionContext
  /// Of a background session.
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
  ///   - delegate: retained until the session is invalid.
  ///   - delegateExecutor: `nil` for a serial queue of the session's own.
  ///   - sink: gets every event; a log, or `NullSink`.
  ///   - clock: for time limits.
  ///   - network: which way there is into the network.
  ///   - names: where the session's name is unique.
  ///   - generator: for identifiers.
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
    sayCreated(hasDelegate: delegate != nil)
    sayWhoIsTrusted()
    background.map(connect)
  }

  private func sayCreated(hasDelegate: Bool) {
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
    sayConfigured()
  }

  /// A background session is made again in later lives, which are compared with this one.
  private var configurationDigest: ValueDigest {
    background == nil
      ? context.digest(of: configuration.canonical) : SessionContext.lastingDigest(of: configuration.canonicalAsLogged)
  }

  /// What was asked for and is not as it is by default, and what applies in its place where it cannot be had.
  private func sayConfigured() {
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

  private func sayWhoIsTrusted() {
    guard context.configuration.serverTrust.allowsAnyServer else { return }
    context.sink.emit(
      MessageFault(
        subsystem: "xferlog", category: "security",
        eventMessage: "the session \(name, privacy: .public) believes every server: TLS protects nothing"))
  }

  deinit {
    // Tasks hold their session, so none is left; the engine's thread may be.
    context.sink.emit(SessionReleased(session: name, instance: context.instance, liveTasks: 0))
    context.mailbox.post(.stop)
  }

  // MARK: Tasks

  /// Makes a task and enters it into the list, once the engine's thread is there to carry it.
  ///
  /// - Parameter make: says that the task was created; nobody else can say anything of it before.
  func enter<Task: TransferTask>(_ make: (TaskIdentity, _ live: Int) -> Task) throws(TransferError) -> Task {
    try state.withLock { state throws(TransferError) in
      try prepare(&state)
      guard state.lastNumber < .max else {
        throw TransferError(
          .insufficientResources, domain: .xfer, number: 13, stage: .creation,
          problem: "the session \(name) has used all task numbers")
      }
      state.lastNumber += 1
      let identity = TaskIdentity(uid: context.makeTaskUID(), session: name, number: state.lastNumber)
      let task = make(identity, state.tasks.count + 1)
      state.tasks[identity.number] = task
      // Under the lock, so that the daemon hears of a task before it hears what becomes of it.
      background?.create(task)
      return task
    }
  }

  /// Enters a task whose identity is given.
  func enter<Task: TransferTask>(_ identity: TaskIdentity, _ make: () -> Task) throws(TransferError) -> Task {
    try state.withLock { state throws(TransferError) in
      try prepare(&state)
      let task = make()
      state.tasks[identity.number] = task
      return task
    }
  }

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
  /// In the order of their numbers.
  var tasksSoFar: [TransferTask] { state.withLock { $0.tasks.values.sorted { $0.taskIdentifier < $1.taskIdentifier } } }

  /// Enters a task that another life of the app has made.
  ///
  /// - Returns: whether it was not there yet.
  func adopt(_ task: TransferTask) -> Bool {
    state.withLock { state in
      state.lastNumber = max(state.lastNumber, task.identity.number)
      guard state.tasks[task.identity.number] == nil else { return false }
      state.tasks[task.identity.number] = task
      return true
    }
  }

  /// New tasks get higher numbers.
  func noteLastNumber(_ number: UInt32) { state.withLock { $0.lastNumber = max($0.lastNumber, number) } }

  /// The session can do nothing; its delegate is told why.
  func fail(_ error: TransferError) {
    let isFirst = state.withLock { state in
      defer { (state.invalidation, state.isInvalid) = (.cancel, true) }
      return !state.isInvalid
    }
    if isFirst { announceInvalid(error) }
  }

  /// Another task goes on with this one's work, under its number.
  func replace(_ task: TransferTask, by successor: TransferTask) {
    state.withLock { $0.tasks[task.identity.number] = successor }
  }

  /// The app's, in the order of their creation.
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

  /// Calls with all tasks that have not ended, in the order of their creation; also when there are none. A background session waits for
  /// those of its earlier lives.
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

  /// All tasks that have not ended, in the order of their creation.
  public var allTasks: [TransferTask] {
    get async { await withCheckedContinuation { continuation in getAllTasks { continuation.resume(returning: $0) } } }
  }

  // MARK: Invalidation

  /// Takes no more tasks, and becomes invalid when those it has have ended.
  public func finishTasksAndInvalidate() { invalidate(.finishTasks) }

  /// Takes no more tasks, and cancels those it has.
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
  /// Whether this is the moment in which the session becomes invalid: it comes once.
  fileprivate mutating func isNowInvalid() -> Bool {
    guard invalidation != nil, tasks.isEmpty, !isInvalid else { return false }
    isInvalid = true
    return true
  }
}
