internal import Foundation
internal import Synchronization
internal import XferEvents

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Records the events of one task, in the order in which they were decided.
final class TaskRecording: Sendable {
  let identity: TaskIdentity
  /// The ID of the session object. The recording may outlive the session, because the app may record an outcome later.
  let instance: CorrelationID
  /// The request with which the task was created.
  let originalRequest: RequestFacts
  private let sink: any EventSink
  private let headerNames: [String]
  private let state: Mutex<State>

  private struct State {
    var record: TaskRecord
    var offer: FileOffer?
    /// The last delivery ID of each callback.
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

  /// Returns the last delivery ID of a callback, or `nil` when the callback was not delivered.
  func delivery(of callback: Callback) -> DeliveryID? { state.withLock { $0.deliveries[callback] } }

  func note(_ delivery: DeliveryID, of callback: Callback) { state.withLock { $0.deliveries[callback] = delivery } }

  /// Updates the record and emits the resulting events.
  func note(_ decide: (inout TaskRecord) -> TaskRecord.Events) {
    state.withLock { state in
      for event in decide(&state.record) { sink.emit(event) }
    }
  }

  func request(of task: URLSessionTask) -> RequestFacts {
    RequestFacts(task.currentRequest ?? task.originalRequest, sessionNames: headerNames)
  }

  /// Records the task's response if no callback has reported it.
  func noteLateResponse(of task: URLSessionTask) {
    guard !state.withLock({ $0.record.hasResponse }), let response = task.response else { return }
    let (facts, request) = (ResponseFacts(response), request(of: task))
    note { $0.respondedLate(facts, request) }
  }

  func cancelRequested(by actor: Actor, reason: CancelReason) {
    note { $0.cancelRequested(by: actor, reason: reason) }
  }

  // MARK: Completion

  /// Records the end of the network transfer. `error` is `nil` after success.
  func end(_ error: ErrorFacts?, of task: URLSessionTask) {
    noteLateResponse(of: task)
    let request = request(of: task)
    note { record in
      let ended = record.ended(error, request)
      return error == nil ? ended + record.transferred() : ended
    }
  }

  /// Records the completion of the task.
  ///
  /// - Parameter isTaken: Whether the app implements the completion callback.
  /// - Returns: Whether this is the first completion.
  func complete(_ delivery: DeliveryID, _ error: ErrorFacts?, isTaken: Bool) -> Bool {
    settle()
    let wasComplete = isComplete
    note { record in
      record.completed(delivery, error) + (isTaken ? [TaskAcknowledged(task: identity, delivery: delivery)] : [])
    }
    return !wasComplete
  }

  // MARK: Downloaded file

  func offer(_ path: String, _ delivery: DeliveryID) {
    let offer = FileOffer(path: path, delivery: delivery)
    state.withLock { $0.offer = offer }
    sink.emit(offer.offered(to: identity))
  }

  func closeOffer() { changeOffer { $0.close(for: identity) } }

  func settle() { changeOffer { $0.settle(for: identity) } }

  /// Records that the app claimed, or tried to claim, the downloaded file.
  ///
  /// - Parameter result: 0 for success, or an errno value.
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
