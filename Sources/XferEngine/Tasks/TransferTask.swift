public import HTTPTypes
internal import Synchronization
public import XferEvents

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// One transfer in a session. Corresponds to `URLSessionTask`.
///
/// A task is created in the suspended state. Every task that was resumed or cancelled completes exactly once. A task that was
/// never resumed or cancelled stays in the session's list of live tasks.
// @unchecked Sendable: every stored property is a constant of a Sendable type, a Mutex or an Atomic, and the only
// subclasses, `DataTask`, `UploadTask` and `DownloadTask`, add none.
public class TransferTask: @unchecked Sendable {
  /// The uid, session and number that name the task in the log. The app's own events about the task contain it.
  public let identity: TaskIdentity
  /// The task's unique identifier in every log.
  public var uid: TaskUID { identity.uid }
  /// The task's number, which is unique only within its session.
  public var taskIdentifier: Int { Int(identity.number) }
  /// The request that the task was created with.
  public let originalRequest: HTTPRequest
  /// The task's session, which the task retains.
  public let session: TransferSession

  let type: TaskType
  let consumer: TaskConsumer
  let plan: RequestPlan
  /// The value of `TransferClock.monotonic` when the task was created.
  let created: Int64
  /// The resume data of the partial download that the task resumes. `nil` for other tasks.
  let resumeData: ResumeData?
  /// A closure that creates the body stream for each request. `nil` means that the delegate provides the stream.
  let makeStream: (@Sendable () -> RequestBodyStream)?
  /// The cache policy of a data task. `nil` means the session's.
  let cachePolicy: TransferSession.RequestCachePolicy?
  /// The received bytes of a data task that the delegate has not processed.
  let bodyQueue = BodyQueue()
  /// The progress of the task, in bytes sent and received. Can be added to a parent progress.
  public let progress: TransferProgress
  let counts: TaskCounts
  let options: TransferSession.TaskOptions
  private let lockedState: Mutex<TaskState>

  init(
    _ identity: TaskIdentity, type: TaskType, request: HTTPRequest, plan: RequestPlan, consumer: TaskConsumer,
    options: TransferSession.TaskOptions, session: TransferSession, makeStream: (@Sendable () -> RequestBodyStream)? = nil,
    resumeData: ResumeData? = nil, cachePolicy: TransferSession.RequestCachePolicy? = nil,
    successorOf predecessor: TransferTask? = nil
  ) {
    self.identity = identity
    self.type = type
    originalRequest = request
    self.plan = plan
    self.consumer = consumer
    self.session = session
    self.makeStream = makeStream
    self.resumeData = resumeData
    self.cachePolicy = cachePolicy
    created = session.context.clock.monotonic
    self.options = options
    progress = predecessor?.progress ?? TransferProgress(totalUnitCount: -1)
    counts = predecessor?.counts ?? TaskCounts()
    lockedState = Mutex(TaskState(currentRequest: request, options: options))
    progress.attach(self)
  }

  // MARK: Control

  /// Starts the task, or continues it after `suspend`.
  public func resume() { resume(by: .app) }

  func resume(by actor: Actor) {
    lockedState.withLock { state in
      guard state.resume() else { return }
      emit(TaskResumed(task: identity, by: actor))
      session.context.mailbox.post(.resume(self))
    }
  }

  /// Pauses the transfer and its timeouts. One call of `resume` undoes any number of calls of `suspend`, as in URLSession.
  ///
  /// The connection stays open as long as the server keeps it open. If the connection is closed when the task is resumed, an
  /// idempotent request is retried, and a download continues from its partial file if the resource has not changed. Otherwise
  /// the task fails with `networkConnectionLost`.
  public func suspend() { suspend(by: .app) }

  func suspend(by actor: Actor) {
    lockedState.withLock { state in
      guard state.suspend() else { return }
      emit(TaskSuspended(task: identity, by: actor))
      session.context.mailbox.post(.suspend(self))
    }
  }

  /// Cancels the task, which completes with the error `cancelled`. Has no effect if the task's result is already decided.
  public func cancel() { cancel(reason: .none) }

  /// - Parameters:
  ///   - reason: The reason for the log.
  ///   - actor: The originator of the cancellation, for the log.
  ///   - resumeDataHandler: A closure that is called once, with `nil` if the task cannot be resumed.
  func cancel(reason: CancelReason, by actor: Actor = .app, resumeDataHandler: (@Sendable (Data?) -> Void)? = nil) {
    let isCancelled = lockedState.withLock { state in
      guard state.cancel(reason) else { return false }
      state.resumeDataHandler = resumeDataHandler
      emit(TaskCancelRequested(task: identity, by: actor, cancelReason: reason))
      bodyQueue.discard()
      session.context.mailbox.post(.cancel(self, forResumeData: resumeDataHandler != nil))
      return true
    }
    guard !isCancelled, let resumeDataHandler else { return }
    let lane = session.context.lane
    lane.send(Delivery(id: lane.makeID(), callback: nil, task: identity) { resumeDataHandler(nil) })
  }

  // MARK: State

  public enum State: Sendable {
    case running, suspended, canceling, completed
  }

  public var state: State { read { $0.phase.public } }
  /// The latest request, which differs from `originalRequest` after a redirect.
  public var currentRequest: HTTPRequest { read { $0.currentRequest } }
  /// The response. `nil` until the response head has arrived.
  public var response: TransferResponse? { read { $0.response } }
  /// The error of a failed task. `nil` if the task has not completed or has succeeded.
  public var error: TransferError? { read { $0.error } }
  public var countOfBytesReceived: Int64 { currentCounts.received }
  public var countOfBytesSent: Int64 { currentCounts.sent }
  /// The length of the request body, in bytes. 0 without a body, -1 if the length is unknown.
  public var countOfBytesExpectedToSend: Int64 { currentCounts.expectedToSend }
  /// The length of the response body, in bytes. -1 if the server did not declare it.
  public var countOfBytesExpectedToReceive: Int64 { currentCounts.expected }

  /// The path of the temporary file of a download.
  var partPath: String { "\(options.partialDirectory ?? session.context.configuration.temporaryDirectory)/xfer-\(uid).part" }

  /// The effective `timeoutIntervalForRequest`. `nil` means unlimited.
  var requestTimeout: Duration? {
    options.timeoutIntervalForRequest.applied(to: session.context.configuration.timeoutIntervalForRequest)
  }
  /// The effective `timeoutIntervalForResource`. `nil` means unlimited.
  var resourceTimeout: Duration? {
    options.timeoutIntervalForResource.applied(to: session.context.configuration.timeoutIntervalForResource)
  }

  /// The byte counts of the transfer. A task that shares a transfer has the counts of the carrier task.
  var currentCounts: TaskCounts { read { $0.carrier }?.counts ?? counts }
  var isSuspended: Bool { read { $0.phase == .suspended } }

  func read<Value: Sendable>(_ body: (TaskState) -> Value) -> Value { lockedState.withLock { body($0) } }

  /// Changes the app's description, priority or expected sizes of the task, and logs the change unless the task has ended.
  ///
  /// - Parameter change: A closure that changes the state and returns whether anything changed.
  /// - Returns: Whether the change was logged.
  func describe(_ change: (inout TaskState) -> Bool) -> Bool {
    lockedState.withLock { state in
      guard change(&state), state.phase != .completed, state.phase != .deciding else { return false }
      emit(
        TaskChanged(
          task: identity, label: state.description, priority: state.priority.hundredths,
          expectedToSend: state.expectedToSend.ifKnown,
          expectedToReceive: state.expectedToReceive.ifKnown, by: .app))
      session.background?.describe(identity.number, TaskDescription(uid, state))
      return true
    }
  }

  private func emit(_ event: some TransferEvent) { session.context.sink.emit(event) }
}

// MARK: Updates from the engine's thread

extension TransferTask {
  /// Logs that the task is held, unless it was suspended or cancelled meanwhile.
  func noteHeld(_ event: TaskHeld) {
    change { state in
      guard state.phase == .running, !state.isHeld else { return }
      state.isHeld = true
      session.context.sink.emit(event)
    }
  }

  func noteHoldEnded(_ hold: HoldReason) {
    change { state in
      guard state.isHeld else { return }
      state.isHeld = false
      if state.phase == .running { session.context.sink.emit(TaskHoldEnded(task: identity, hold: hold)) }
    }
  }

  /// Sets the carrier task whose transfer this task shares, and logs the carrier unless this task was suspended or cancelled
  /// meanwhile.
  func noteCarrier(_ carrier: TransferTask) {
    change { state in
      state.carrier = carrier
      if state.phase == .running { session.context.sink.emit(TaskCoalesced(task: identity, carrier: carrier.identity)) }
    }
  }

  /// Completes this task without a callback, because a successor task receives the rest of the response.
  ///
  /// - Returns: The initial state of the successor, or `nil` if this task is about to end.
  func handOff() -> TaskState.Phase? { change { $0.handOff() } }

  func noteResponse(_ response: TransferResponse) { change { $0.response = response } }

  /// Sets the initial state of a task that continues another task or was restored from the daemon.
  ///
  /// - Parameter logs: Whether to log the state. `false` if an earlier launch of the app has logged it.
  func begin(as phase: TaskState.Phase, logs: Bool = true) {
    change { state in
      state.phase = phase
      guard logs else { return }
      emit(TaskResumed(task: identity, by: .engine))
      if phase == .suspended { emit(TaskSuspended(task: identity, by: .engine)) }
    }
  }

  /// Copies the request, the response and the app's settings from the task that this task continues.
  func takeOver(_ predecessor: TransferTask) {
    let old = predecessor.read { $0 }
    change { state in
      (state.currentRequest, state.response, state.description) = (old.currentRequest, old.response, old.description)
      (state.priority, state.expectedToSend, state.expectedToReceive) = (old.priority, old.expectedToSend, old.expectedToReceive)
    }
  }

  func noteRequest(_ request: HTTPRequest) { change { $0.currentRequest = request } }

  /// Decides the task's result. A cancellation that was requested earlier takes precedence over success.
  ///
  /// - Parameter logs: Whether to log a successful transfer. `false` for a background task, because the daemon logs it.
  /// - Returns: `nil` if the result was already decided, as when a cancellation reaches the engine after the transfer ended.
  func decide(_ outcome: TaskOutcome, logs: Bool = true) -> Decision? {
    let decision = change { state -> Decision? in
      guard state.phase != .deciding, state.phase != .completed else { return nil }
      let cancelReason = state.cancelReason
      let failure = outcome.error
      var error = cancelReason == nil || failure?.code == .cancelled ? failure : .cancelled(failure?.stage ?? .body)
      error?.downloadTaskResumeData = outcome.resumeData?.data
      state.phase = .deciding
      state.error = error
      if error == nil, logs {
        session.context.sink.emit(
          TaskTransferred(
            task: identity, received: outcome.loggedReceived, sent: outcome.sent, status: outcome.response?.statusCode,
            content: outcome.content))
      }
      defer { state.resumeDataHandler = nil }
      return Decision(error: error, cancelReason: error?.cancelReason ?? cancelReason, resumeDataHandler: state.resumeDataHandler)
    }
    if let decision, decision.error == nil { progress.finish() }
    return decision
  }

  struct Decision {
    let error: TransferError?
    let cancelReason: CancelReason?
    let resumeDataHandler: (@Sendable (Data?) -> Void)?
  }

  /// Marks the task as completed and removes it from the session, after the app's completion callback has returned.
  ///
  /// - Parameters:
  ///   - completed: The event to log.
  ///   - delivery: The identifier of the completion callback.
  ///   - error: The final error, including one that occurred while the file was delivered. `nil` after success.
  func close(_ completed: TaskCompleted, delivery: DeliveryID, error: TransferError?) {
    change { state in
      state.phase = .completed
      state.error = error
      session.context.sink.emit(completed)
      session.context.sink.emit(TaskAcknowledged(task: identity, delivery: delivery))
    }
    progress.end(error)
    session.taskEnded(self)
  }

  private func change<Value>(_ body: (inout TaskState) -> Value) -> Value { lockedState.withLock { body(&$0) } }
}
