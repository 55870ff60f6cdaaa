public import HTTPTypes
internal import Synchronization
public import XferEvents

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// One transfer of a session: URLSession's `URLSessionTask`.
///
/// It begins suspended. Every task that was resumed or cancelled completes exactly once; one that never was stays in
/// its session's list.
// @unchecked Sendable: every stored property is a constant of a Sendable type, a Mutex or an Atomic, and the only
// subclasses, `DataTask`, `UploadTask` and `DownloadTask`, add none.
public class TransferTask: @unchecked Sendable {
  /// The task's name for its whole life, in every log.
  public var uid: TaskUID { identity.uid }
  /// Unique in its session only.
  public var taskIdentifier: Int { Int(identity.number) }
  public let originalRequest: HTTPRequest
  /// Alive as long as one of its tasks is.
  public let session: TransferSession

  let identity: TaskIdentity
  let type: TaskType
  let consumer: TaskConsumer
  let plan: RequestPlan
  /// `TransferClock.monotonic` at creation.
  let created: Int64
  /// What the task goes on with; `nil` for one that begins at the beginning.
  let resumeData: ResumeData?
  /// Gives the body's stream, again for each request; `nil` when the delegate is asked.
  let makeStream: (@Sendable () -> RequestBodyStream)?
  /// `nil` for the session's; only data tasks have one.
  let cachePolicy: TransferSession.RequestCachePolicy?
  /// Bytes that wait for the delegate of a data task.
  let bodyQueue = BodyQueue()
  /// How far it is, in bytes of both directions; part of a whole that was given at its creation, or that it is added to.
  public let progress: TransferProgress
  let counts: TaskCounts
  let options: TransferSession.TaskOptions
  private let lived: Mutex<TaskState>

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
    lived = Mutex(TaskState(currentRequest: request, options: options))
    progress.attach(self)
  }

  // MARK: Steps

  /// Starts the task, or goes on with it.
  public func resume() { resume(by: .app) }

  func resume(by actor: Actor) {
    lived.withLock { state in
      guard state.resume() else { return }
      emit(TaskResumed(task: identity, by: actor))
      session.context.mailbox.post(.resume(self))
    }
  }

  /// Stops the flow of bytes; time limits stand still. One `resume` ends any number of calls, as with URLSession.
  ///
  /// The connection is kept as long as the server keeps it. If that is over when the task is resumed, a request that may be repeated is
  /// made again, from where the file ends if the resource is still the same; otherwise the task fails with `networkConnectionLost`.
  public func suspend() { suspend(by: .app) }

  func suspend(by actor: Actor) {
    lived.withLock { state in
      guard state.suspend() else { return }
      emit(TaskSuspended(task: identity, by: actor))
      session.context.mailbox.post(.suspend(self))
    }
  }

  /// Ends the task; it completes with the error `cancelled`. Nothing when its end was decided already.
  public func cancel() { cancel(reason: .none) }

  /// - Parameter resumeDataHandler: called once, also when there is nothing to go on with.
  func cancel(reason: CancelReason, by actor: Actor = .app, resumeDataHandler: (@Sendable (Data?) -> Void)? = nil) {
    let isCancelled = lived.withLock { state in
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

  // MARK: What is so

  public enum State: Sendable {
    case running, suspended, canceling, completed
  }

  public var state: State { read { $0.phase.public } }
  /// After redirects.
  public var currentRequest: HTTPRequest { read { $0.currentRequest } }
  /// `nil` until the response's head is there.
  public var response: TransferResponse? { read { $0.response } }
  /// `nil` until the task is complete, and when it succeeded.
  public var error: TransferError? { read { $0.error } }
  public var countOfBytesReceived: Int64 { currentCounts.received }
  public var countOfBytesSent: Int64 { currentCounts.sent }
  /// 0 without a body, -1 when its length is not known.
  public var countOfBytesExpectedToSend: Int64 { currentCounts.expectedToSend }
  /// -1 when the server declared no length.
  public var countOfBytesExpectedToReceive: Int64 { currentCounts.expected }

  /// Where a download is written until it is claimed.
  var partPath: String { "\(options.partialDirectory ?? session.context.configuration.temporaryDirectory)/xfer-\(uid).part" }

  /// `timeoutIntervalForRequest` as it applies.
  var requestTimeout: Duration? {
    options.timeoutIntervalForRequest.applied(to: session.context.configuration.timeoutIntervalForRequest)
  }
  /// `timeoutIntervalForResource` as it applies.
  var resourceTimeout: Duration? {
    options.timeoutIntervalForResource.applied(to: session.context.configuration.timeoutIntervalForResource)
  }

  /// Those of the transfer that brings its bytes.
  var currentCounts: TaskCounts { read { $0.carrier }?.counts ?? counts }
  var isSuspended: Bool { read { $0.phase == .suspended } }

  func read<Value: Sendable>(_ body: (TaskState) -> Value) -> Value { lived.withLock { body($0) } }

  /// Changes what the app says of the task, and says so; nothing is said of a task that is over.
  func describe(_ change: (inout TaskState) -> Bool) -> Bool {
    lived.withLock { state in
      guard change(&state), state.phase != .completed, state.phase != .deciding else { return false }
      emit(
        TaskChanged(
          task: identity, label: state.description, priority: state.priority.hundredths,
          expectedToSend: state.expectedToSend.ifKnown,
          expectedToReceive: state.expectedToReceive.ifKnown))
      return true
    }
  }

  private func emit(_ event: some TransferEvent) { session.context.sink.emit(event) }
}

// MARK: Told by the engine, on its thread

extension TransferTask {
  /// Says that the task waits, unless somebody has stopped it in the meantime.
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

  /// From now on another task carries its transfer, unless somebody has stopped it in the meantime.
  func noteCarrier(_ carrier: TransferTask) {
    change { state in
      state.carrier = carrier
      if state.phase == .running { session.context.sink.emit(TaskCoalesced(task: identity, carrier: carrier.identity)) }
    }
  }

  /// - Returns: how its successor stands from the beginning; `nil` when this task is about to end.
  func handOff() -> TaskState.Phase? { change { $0.handOff() } }

  func noteResponse(_ response: TransferResponse) { change { $0.response = response } }

  /// Begins as its predecessor stood; the engine knows.
  ///
  /// - Parameter says: whether the log is told; it knows of a task that was resumed in an earlier life.
  func begin(as phase: TaskState.Phase, says: Bool = true) {
    change { state in
      state.phase = phase
      guard says else { return }
      emit(TaskResumed(task: identity, by: .engine))
      if phase == .suspended { emit(TaskSuspended(task: identity, by: .engine)) }
    }
  }

  /// Takes over what its predecessor had got to.
  func takeOver(_ predecessor: TransferTask) {
    let old = predecessor.read { $0 }
    change { state in
      (state.currentRequest, state.response, state.description) = (old.currentRequest, old.response, old.description)
      (state.priority, state.expectedToSend, state.expectedToReceive) = (old.priority, old.expectedToSend, old.expectedToReceive)
    }
  }

  func noteRequest(_ request: HTTPRequest) { change { $0.currentRequest = request } }

  /// Decides how the task ends: a cancellation that was asked for before comes first.
  ///
  /// - Parameter says: whether the log is told what was transferred; the daemon does so itself.
  /// - Returns: `nil` when that was decided already: a cancellation may reach the engine after the end did.
  func decide(_ outcome: TaskOutcome, says: Bool = true) -> Decision? {
    let decision = change { state -> Decision? in
      guard state.phase != .deciding, state.phase != .completed else { return nil }
      let cancelReason = state.cancelReason
      let failure = outcome.error
      var error = cancelReason == nil || failure?.code == .cancelled ? failure : .cancelled(failure?.stage ?? .body)
      error?.downloadTaskResumeData = outcome.resumeData?.data
      state.phase = .deciding
      state.error = error
      if error == nil, says {
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

  /// The app has its completion.
  /// - Parameter completed: what remains to be said, with an error that came up during delivery.
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

  private func change<Value>(_ body: (inout TaskState) -> Value) -> Value { lived.withLock { body(&$0) } }
}
