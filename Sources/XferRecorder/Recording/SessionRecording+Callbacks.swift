internal import Foundation
internal import XferEvents

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

// Recording of URLSession's delegate callbacks. `forward` calls the app's delegate and is `nil` when the app does not implement
// the callback.
extension SessionRecording {
  func didComplete(_ task: URLSessionTask, _ error: (any Error)?, forward: (() -> Void)?) {
    let (recording, error) = (recording(of: task), error.map(ErrorFacts.init))
    recording.end(error, of: task)
    let id = makeDelivery()
    deliver(.didComplete, of: recording, id, forward: forward)
    complete(recording, id, error, isTaken: forward != nil)
  }

  func didFinishDownloading(_ task: URLSessionTask, to location: URL, forward: (() -> Void)?) {
    let recording = recording(of: task)
    recording.noteLateResponse(of: task)
    recording.note { $0.transferred() }
    let id = makeDelivery()
    deliver(
      .didFinishDownloading, of: recording, id, received: { recording.offer(location.path, id) }, forward: forward)
    recording.closeOffer()
  }

  // MARK: Progress

  // Progress callbacks are frequent, so they get no delivery ID and the proxy forwards them directly.

  func didReceive(_ count: Int, of task: URLSessionTask) {
    let recording = recording(of: task)
    recording.note { $0.bytesReceived(Int64(count), at: context.now(), recording.request(of: task)) }
  }

  func didWrite(_ count: Int64, total: Int64, expected: Int64, of task: URLSessionTask) {
    let recording = recording(of: task)
    recording.noteLateResponse(of: task)
    recording.note {
      $0.bytesReceived(count, total: total, expected: expected.known, at: context.now(), recording.request(of: task))
    }
  }

  func didSend(total: Int64, expected: Int64, of task: URLSessionTask) {
    let recording = recording(of: task)
    recording.note {
      $0.bytesSent(total: total, expected: expected.known, at: context.now(), recording.request(of: task))
    }
  }

  // MARK: Responses, redirects and challenges

  func didReceive(_ response: URLResponse, of task: URLSessionTask, forward: (() -> Void)?) {
    let recording = recording(of: task)
    let (facts, request) = (ResponseFacts(response), recording.request(of: task))
    recording.note { $0.responded(facts, request) }
    deliver(.didReceiveResponse, of: recording, forward: forward)
  }

  func willRedirect(
    _ task: URLSessionTask, _ response: HTTPURLResponse, to proposed: URLRequest,
    answer: @escaping @Sendable (URLRequest?) -> Void, forward: ((@escaping @Sendable (URLRequest?) -> Void) -> Void)?
  ) {
    let recording = recording(of: task)
    let (facts, target, request) = (ResponseFacts(response), proposed.url.map(URLFacts.init), recording.request(of: task))
    recording.note { $0.redirected(facts, to: target, request) }
    let first = FirstCall()
    let (actor, hadCredentials): (Actor, Bool) = (forward == nil ? .engine : .app, request.carriesCredentials)
    let recordedAnswer: @Sendable (URLRequest?) -> Void = { request in
      if first.isFirst {
        let kept = hadCredentials ? RequestFacts(request, sessionNames: []).carriesCredentials : nil
        recording.note { $0.redirectAnswered(follows: request != nil, keepsCredentials: kept, by: actor) }
      }
      answer(request)
    }
    guard let forward else { return recordedAnswer(proposed) }
    deliver(.willPerformRedirect, of: recording) { forward(recordedAnswer) }
  }

  func didReceive(
    _ challenge: URLAuthenticationChallenge, of task: URLSessionTask, answer: @escaping ChallengeAnswer,
    forward: ((@escaping ChallengeAnswer) -> Void)?
  ) {
    // Uses URLSession's default handling. A challenge that the app is not asked about is not recorded.
    guard let forward else { return answer(.performDefaultHandling, nil) }
    let recording = recording(of: task)
    let (id, request, space) = (context.makeCorrelation(), recording.request(of: task), challenge.protectionSpace)
    let method = ChallengeMethod(space.authenticationMethod)
    recording.note {
      $0.challenged(
        id, method, host: LoggedText.bounded(space.host.lowercased(), 256), failures: challenge.previousFailureCount, request)
    }
    let first = FirstCall()
    deliver(.didReceiveChallenge, of: recording) {
      forward { disposition, credential in
        if first.isFirst {
          let repeats = disposition == .useCredential && method != .serverTrust && method != .clientCertificate
          recording.note { $0.challengeAnswered(id, ChallengeDisposition(disposition), repeats: repeats) }
        }
        answer(disposition, credential)
      }
    }
  }

  /// Records the delivery of a session-level challenge. Foundation does not say which task caused it.
  func didReceiveSessionChallenge(
    answer: @escaping ChallengeAnswer, forward: ((@escaping ChallengeAnswer) -> Void)?
  ) {
    guard let forward else { return answer(.performDefaultHandling, nil) }
    deliver(.didReceiveChallenge, of: nil) { forward(answer) }
  }

  // MARK: Other callbacks

  func didCollect(_ metrics: URLSessionTaskMetrics, of task: URLSessionTask, forward: (() -> Void)?) {
    let recording = recording(of: task)
    let hops = metrics.transactionMetrics.map(HopFacts.init)
    recording.note { $0.measured(hops) }
    deliver(.didFinishCollectingMetrics, of: recording, forward: forward)
  }

  func isWaiting(_ task: URLSessionTask, forward: (() -> Void)?) {
    let recording = recording(of: task)
    let request = recording.request(of: task)
    recording.note { $0.networkAwaited(request) }
    deliver(.waitingForConnectivity, of: recording, forward: forward)
  }

  func didBecome(_ successor: URLSessionTask, _ task: URLSessionTask, forward: () -> Void) {
    let recording = recording(of: task)
    sink.emit(TaskHandedOff(task: recording.identity, successor: self.recording(of: successor).identity))
    forward()
  }

  /// Records and forwards a callback that has no further data to record.
  func deliver(_ callback: Callback, of task: URLSessionTask, forward: () -> Void) {
    withoutActuallyEscaping(forward) { deliver(callback, of: recording(of: task), forward: $0) }
  }

  func didFinishEvents(forward: (() -> Void)?) {
    sink.emit(
      SessionEventsFinished(
        session: name, instance: instance, handler: context.wake(of: name), liveTasks: Int64(countTasks(adding: 0))))
    deliver(.didFinishEvents, of: nil, forward: forward)
  }

  func didBecomeInvalid(_ error: (any Error)?, forward: (() -> Void)?) {
    let error = error.map(ErrorFacts.init)
    sink.emit(
      SessionInvalidated(
        session: name, instance: instance, domain: error?.domain, error: error?.number, errorName: error?.name))
    deliver(.didBecomeInvalid, of: nil, forward: forward)
  }
}
