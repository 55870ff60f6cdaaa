internal import Foundation
internal import Synchronization
internal import XferEvents

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// One session object as the log tells of it.
final class SessionRecording: Sendable {
  let context: RecorderContext
  /// The identifier of a background session; otherwise unique within the process.
  let name: String
  /// One session object, as opposed to its name.
  let instance: CorrelationID
  let kind: SessionKind
  let queueName: String
  /// Names of the fields that the session adds to requests.
  let headerNames: [String]
  private let state = Mutex(State())
  /// Upper half: the session's. Lower half: how many it has numbered.
  private let nextDelivery: Atomic<UInt64>

  private struct State {
    var liveTasks = 0
    var isInvalidated = false
  }

  var sink: any EventSink { context.sink }

  /// - Parameter kind: `nil` to tell by the configuration.
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

  /// - Returns: how many tasks have not ended.
  @discardableResult
  func countTasks(adding change: Int) -> Int {
    state.withLock { state in
      state.liveTasks += change
      return state.liveTasks
    }
  }

  // MARK: Tasks

  /// Of a task that the recorder did not see being made, what can still be said is said first.
  func recording(of task: URLSessionTask) -> TaskRecording {
    context.tasks.recording(of: task) ?? meet(task, CreationFacts(task.type, .delegate))
  }

  func meet(_ task: URLSessionTask, _ creation: CreationFacts, isNew: Bool = false) -> TaskRecording {
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

  /// - Parameter isTaken: whether the app has code for the completion.
  func complete(_ recording: TaskRecording, _ delivery: DeliveryID, _ error: ErrorFacts?, isTaken: Bool) {
    guard recording.complete(delivery, error, isTaken: isTaken) else { return }
    countTasks(adding: -1)
    if kind == .background { context.store?.forget(session: name, task: Int(recording.identity.number)) }
  }

  // MARK: Invalidation

  var isInvalidated: Bool { state.withLock { $0.isInvalidated } }

  func sayInvalidationRequested(_ mode: InvalidationMode) {
    let live = state.withLock { state in
      state.isInvalidated = true
      return state.liveTasks
    }
    sink.emit(
      SessionInvalidationRequested(session: name, instance: instance, invalidation: mode, by: .app, liveTasks: Int64(live)))
    guard mode == .cancel else { return }
    for task in context.tasks.live(of: self) { task.cancelRequested(by: .app, reason: .sessionInvalidated) }
  }

  /// What would crash the process is in the log before it does.
  func noteCreation(_ type: TaskType) {
    guard isInvalidated else { return }
    sink.emit(TaskRejected(session: name, instance: instance, type: type, rejection: .invalidSession))
  }

  // MARK: The app's code

  /// Calls the app's code, and says that it does.
  ///
  /// - Parameters:
  ///   - recording: `nil` for a callback of the session.
  ///   - received: what is to be said before.
  ///   - forward: `nil` when the app has no code for it.
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

  /// What the app has no code for, and nobody waits for, is not worth a word.
  func deliver(_ callback: Callback, of recording: TaskRecording?, forward: (() -> Void)?) {
    if let forward { deliver(callback, of: recording, makeDelivery(), forward: forward) }
  }
}

extension OperationQueue {
  /// `nil` for the name that Foundation gives by itself: it has an address in it.
  fileprivate var loggedName: String? {
    if self === OperationQueue.main { return "main" }
    return name.flatMap { $0.isEmpty || $0.hasPrefix("NSOperationQueue 0x") ? nil : LoggedText.bounded($0) }
  }
}
