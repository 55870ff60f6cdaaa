internal import Foundation
internal import XferEvents

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// A wrapper around a completion handler that records each call.
final class RecordedHandler: Sendable {
  /// The recording of the task, set before the task can be resumed and therefore before the handler is called.
  private let recording = DeferredValue<TaskRecording>()
  private let session: SessionRecording

  init(_ session: SessionRecording) { self.session = session }

  func set<Task: URLSessionTask>(_ made: (task: Task, recording: TaskRecording)) -> Task {
    recording.set(made.recording)
    return made.task
  }

  func call(_ handler: @escaping RecordedSession.DataHandler, _ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
    guard let recording = recording.value else { return handler(data, response, error) }
    let facts = error.map(ErrorFacts.init)
    recording.end(facts, received: data.map { Int64($0.count) }, response, at: session.context.now())
    let id = session.makeDelivery()
    session.deliver(.didComplete, of: recording, id) { handler(data, response, error) }
    session.complete(recording, id, facts, isTaken: true)
  }

  /// Records a download's completion handler call, which delivers both the file and the completion.
  func call(_ handler: @escaping RecordedSession.FileHandler, _ file: URL?, _ response: URLResponse?, _ error: (any Error)?) {
    guard let recording = recording.value else { return handler(file, response, error) }
    let facts = error.map(ErrorFacts.init)
    let size = file.flatMap { FileFacts(path: $0.path) }?.size
    recording.end(facts, received: size, response, at: session.context.now())
    let (id, offer) = (session.makeDelivery(), session.makeDelivery())
    session.deliver(.didComplete, of: recording, id) {
      guard let file else { return handler(file, response, error) }
      self.session.deliver(
        .didFinishDownloading, of: recording, offer, received: { recording.offer(file.path, offer) }
      ) {
        handler(file, response, error)
      }
      recording.closeOffer()
    }
    session.complete(recording, id, facts, isTaken: true)
  }
}

extension TaskRecording {
  /// Records the response, the number of received bytes and the end of the transfer together, because the handler gets them together.
  fileprivate func end(_ error: ErrorFacts?, received: Int64?, _ response: URLResponse?, at now: Duration) {
    let request = originalRequest
    let facts = response.map(ResponseFacts.init)
    note { record in
      var events = facts.map { record.respondedLate($0, request) } ?? []
      if let received, received > 0 {
        events += record.bytesReceived(received, total: received, at: now, request)
      }
      events += record.ended(error, request)
      return error == nil ? events + record.transferred() : events
    }
  }
}
