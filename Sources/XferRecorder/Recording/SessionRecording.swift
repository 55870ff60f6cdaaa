internal import Foundation
internal import Synchronization
internal import XferEvents

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Records the events of one session object.
final class SessionRecording: Sendable {
  let context: RecorderContext
  /// The identifier of a background session, or a name that is unique within the process.
  let name: String
  /// The ID of this session object. Several objects may use the same name over time.
  let instance: CorrelationID
  let kind: SessionKind
  let queueName: String
  /// The names of the header fields that the session adds to requests.
  let headerNames: [String]
  private let state = Mutex(State())
  /// The last delivery ID: a random number of the session in the upper 32 bits and a counter in the lower 32 bits.
  private let nextDelivery: Atomic<UInt64>

  private struct State {
    var liveTasks = 0
    var isInvalidated = false
  }

  var sink: any EventSink { context.sink }

  /// - Parameter kind: The kind of session. `nil` infers it from the configuration.
  init(_ context: RecorderContext, _ configuration: URLSessionConfiguration, queue: OperationQueue?, kind: SessionKind? = nil) {
    self.context = context
    let identifier = configuration.identifier.flatMap { $0.isEmpty ? nil : $0 }
    name = identifier ?? context.makeName()
    instance = context.makeCorrelation()
    self.kind = kind ?? configuration.sessionKind
    queueName = queue?.loggedName ?? "\(name).delegate"
    headerNames = configuration.headerNames
    nextDelivery = Atomic(context.makeCorrelation().rawValue & ~0xFFFF_FFFF)
  }

  deinit {
    _ = context.countSessions(adding: -1)
    sink.emit(SessionReleased(session: name, instance: instance, liveTasks: Int64(state.withLock { $0.liveTasks })))
  }

  func makeDelivery() -> DeliveryID { DeliveryID(nextDelivery.add(1, ordering: .relaxed).newValue) }

  /// Changes the number of unfinished tasks and returns the new number.
  @discardableResult
  func countTasks(adding change: Int) -> Int {
    state.withLock { state in
      state.liveTasks += change
      return state.liveTasks
    }
  }

  // MARK: Tasks

  /// Returns the recording of a task. For a task that was created without the recorder, the creation or adoption is recorded
  /// first.
  func recording(of task: URLSessionTask) -> TaskRecording {
    context.tasks.recording(of: task) ?? register(task, CreationFacts(task.type, .delegate))
  }

  /// Creates the recording of a task, and records the task's creation or, for a task of an earlier app launch, its adoption.
  func register(_ task: URLSessionTask, _ creation: CreationFacts, isNew: Bool = false) -> TaskRecording {
    let known = kind == .background && !isNew ? context.store?.uid(session: name, task: task.taskIdentifier) : nil
    let uid = known ?? context.makeTaskUID()
    let identity = TaskIdentity(uid: uid, session: name, number: UInt32(clamping: task.taskIdentifier))
    let recording = TaskRecording(identity, session: self, request: task.originalRequest)
    guard context.tasks.enter(recording, of: task) === recording else { return self.recording(of: task) }
    let live = countTasks(adding: 1)
    if known != nil {
      sink.emit(TaskAdopted(task: identity, label: task.taskDescription))
    } else {
      sink.emit(created(task, identity, creation, live: live))
      if kind == .background { context.store?.keep(uid, session: name, task: task.taskIdentifier) }
    }
    return recording
  }

  /// Records the completion of a task. `error` is `nil` after success.
  ///
  /// - Parameter isTaken: Whether the app implements the completion callback.
  func complete(_ recording: TaskRecording, _ delivery: DeliveryID, _ error: ErrorFacts?, isTaken: Bool) {
    guard recording.complete(delivery, error, isTaken: isTaken) else { return }
    countTasks(adding: -1)
    if kind == .background { context.store?.forget(session: name, task: Int(recording.identity.number)) }
  }

  // MARK: Invalidation

  var isInvalidated: Bool { state.withLock { $0.isInvalidated } }

  func emitInvalidationRequested(_ mode: InvalidationMode) {
    let live = state.withLock { state in
      state.isInvalidated = true
      return state.liveTasks
    }
    sink.emit(
      SessionInvalidationRequested(session: name, instance: instance, invalidation: mode, by: .app, liveTasks: Int64(live)))
    guard mode == .cancel else { return }
    for task in context.tasks.live(of: self) { task.cancelRequested(by: .app, reason: .sessionInvalidated) }
  }

  /// Records the rejection of a task on an invalidated session, before Foundation ends the process.
  func recordRejectionIfInvalidated(_ type: TaskType) {
    guard isInvalidated else { return }
    sink.emit(TaskRejected(session: name, instance: instance, type: type, rejection: .invalidSession))
  }

  // MARK: Delivery

  /// Calls the app's code for a callback and records the delivery.
  ///
  /// - Parameters:
  ///   - recording: The recording of the task. `nil` for a callback of the session.
  ///   - received: Emits further events between the receipt of the callback and the call of the app's code.
  ///   - forward: Calls the app's code. `nil` when the app does not implement the callback.
  func deliver(
    _ callback: Callback, of recording: TaskRecording?, _ id: DeliveryID, received: () -> Void = {}, forward: (() -> Void)?
  ) {
    let (task, session) = (recording?.identity, recording == nil ? name : nil)
    recording?.note(id, of: callback)
    sink.emit(DeliveryReceived(task: task, session: session, delivery: id, callback: callback))
    received()
    guard let forward else {
      return sink.emit(
        DeliveryDropped(task: task, session: session, delivery: id, callback: callback, why: .noConsumer, by: .engine))
    }
    sink.emit(
      DeliveryEntered(
        task: task, session: session, delivery: id, callback: callback, queue: queueName, onMainThread: Thread.isMainThread))
    forward()
    sink.emit(DeliveryLeft(task: task, session: session, delivery: id, callback: callback))
  }

  /// Calls the app's code for a callback and records the delivery. A callback that the app does not implement is not recorded.
  func deliver(_ callback: Callback, of recording: TaskRecording?, forward: (() -> Void)?) {
    if let forward { deliver(callback, of: recording, makeDelivery(), forward: forward) }
  }
}

extension OperationQueue {
  /// The name of the queue. `nil` for the default name, which contains a memory address.
  fileprivate var loggedName: String? {
    if self === OperationQueue.main { return "main" }
    return name.flatMap { $0.isEmpty || $0.hasPrefix("NSOperationQueue 0x") ? nil : LoggedText.bounded($0) }
  }
}
