internal import Foundation
internal import Synchronization
internal import XferEvents

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// One task as the log tells of it. Its events leave in the order in which they were decided on.
final class TaskRecording: Sendable {
  let identity: TaskIdentity
  /// Which session object it is of. The recording may outlive that, as the app may have something to say later.
  let instance: CorrelationID
  /// As the task was made.
  let originalRequest: RequestFacts
  private let sink: any EventSink
  private let headerNames: [String]
  private let state: Mutex<State>

  private struct State {
    var record: TaskRecord
    var offer: FileOffer?
    /// Of the callbacks that a task has once.
    var deliveries: [Callback: DeliveryID] = [:]
  }

  init(_ identity: TaskIdentity, session: SessionRecording, request: URLRequest?) {
    self.identity = identity
    instance = session.instance
    sink = session.sink
    headerNames = session.headerNames
    originalRequest = RequestFacts(request, sessionNames: session.headerNames)
    state = Mutex(State(record: TaskRecord(identity)))
  }

  var isComplete: Bool { state.withLock { $0.record.phase == .completed } }

  /// The last delivery of the callback, when there was one.
  func delivery(of callback: Callback) -> DeliveryID? { state.withLock { $0.deliveries[callback] } }

  func note(_ delivery: DeliveryID, of callback: Callback) { state.withLock { $0.deliveries[callback] = delivery } }

  /// Decides what is to be said, and says it.
  func note(_ decide: (inout TaskRecord) -> TaskRecord.Events) {
    state.withLock { state in
      for event in decide(&state.record) { sink.emit(event) }
    }
  }

  func request(of task: URLSessionTask) -> RequestFacts {
    RequestFacts(task.currentRequest ?? task.originalRequest, sessionNames: headerNames)
  }

  /// Where the response was not told of when it came, it is in the task.
  func noteLateResponse(of task: URLSessionTask) {
    guard !state.withLock({ $0.record.hasResponse }), let response = task.response else { return }
    let (facts, request) = (ResponseFacts(response), request(of: task))
    note { $0.respondedLate(facts, request) }
  }

  func cancelRequested(by actor: Actor, reason: CancelReason) {
    note { $0.cancelRequested(by: actor, reason: reason) }
  }

  // MARK: Ends

  /// Nothing more comes over the wire.
  func end(_ error: ErrorFacts?, of task: URLSessionTask) {
    noteLateResponse(of: task)
    let request = request(of: task)
    note { record in
      let ended = record.ended(error, request)
      return error == nil ? ended + record.transferred() : ended
    }
  }

  /// The app has its completion, or has no code for it.
  ///
  /// - Returns: whether this is the first time.
  func complete(_ delivery: DeliveryID, _ error: ErrorFacts?, isTaken: Bool) -> Bool {
    settle()
    let wasComplete = isComplete
    note { record in
      record.completed(delivery, error) + (isTaken ? [TaskAcknowledged(task: identity, delivery: delivery)] : [])
    }
    return !wasComplete
  }

  // MARK: The file

  func offer(_ path: String, _ delivery: DeliveryID) {
    let offer = FileOffer(path: path, delivery: delivery)
    state.withLock { $0.offer = offer }
    sink.emit(offer.offered(to: identity))
  }

  func closeOffer() { changeOffer { $0.close(for: identity) } }

  func settle() { changeOffer { $0.settle(for: identity) } }

  /// - Parameter result: 0, or an errno.
  func claimed(_ operation: ClaimOperation, _ destination: String?, result: Int) {
    state.withLock { state in
      if result == 0 { state.offer?.take(operation) }
      sink.emit(
        FileClaimed(
          task: identity, delivery: state.offer?.delivery, operation: operation, destination: destination,
          osError: result == 0 ? nil : result, inCallback: state.offer?.isOpen ?? false, size: state.offer?.file?.size))
    }
  }

  private func changeOffer(_ change: (inout FileOffer) -> [any TransferEvent]) {
    state.withLock { state in
      guard state.offer != nil else { return }
      for event in change(&state.offer!) { sink.emit(event) }
    }
  }
}
