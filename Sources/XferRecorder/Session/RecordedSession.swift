public import Foundation
internal import XferEvents

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A `URLSession` whose tasks are recorded from their creation on, with URLSession's own methods.
///
/// The tasks are Foundation's. One that is made by `urlSession` itself is recorded from the first call of the delegate on.
/// What the app does to a task by the task's own `resume()`, `suspend()` and `cancel()` is not seen where it is done; what
/// follows from it is.
public final class RecordedSession: Sendable {
  public let urlSession: URLSession
  /// The app's own; `urlSession.delegate` is the recorder's.
  public let delegate: (any URLSessionDelegate)?
  let recording: SessionRecording

  /// How the log names the session: its identifier, or else a name that is unique within the process.
  public var name: String { recording.name }

  init(_ session: URLSession, _ recording: SessionRecording, delegate: (any URLSessionDelegate)?) {
    urlSession = session
    self.delegate = delegate
    self.recording = recording
  }

  // MARK: Steps of a task

  public func resume(_ task: URLSessionTask) {
    let recording = recording.recording(of: task)
    let request = recording.request(of: task)
    recording.note { record in
      // A background task waits for the system's consent; the others begin at once.
      record.resumed(by: .app) + (self.recording.kind == .background ? [] : record.begun(request))
    }
    task.resume()
  }

  public func suspend(_ task: URLSessionTask) {
    recording.recording(of: task).note { $0.suspended() }
    task.suspend()
  }

  public func cancel(_ task: URLSessionTask) {
    recording.recording(of: task).cancelRequested(by: .app, reason: .none)
    task.cancel()
  }

  /// - Parameter completionHandler: gets what a later task can go on with, or `nil`.
  public func cancel(
    _ task: URLSessionDownloadTask, byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void
  ) {
    recording.recording(of: task).cancelRequested(by: .app, reason: .none)
    task.cancel(byProducingResumeData: completionHandler)
  }

  // MARK: All tasks

  /// Calls on the delegate queue with all tasks that the session lists.
  public func getAllTasks(completionHandler: @escaping @Sendable ([URLSessionTask]) -> Void) {
    let (recording, query) = (recording, recording.context.makeCorrelation())
    recording.sink.emit(SessionTasksQueried(session: name, instance: recording.instance, query: query))
    urlSession.getAllTasks { tasks in
      let identities = tasks.map { recording.recording(of: $0).identity }.sorted { $0.number < $1.number }
      recording.sink.emit(
        SessionTasksAnswered(
          session: recording.name, instance: recording.instance, query: query, count: Int64(tasks.count), tasks: identities))
      completionHandler(tasks)
    }
  }

  /// All tasks that the session lists.
  public var allTasks: [URLSessionTask] {
    get async { await withCheckedContinuation { continuation in getAllTasks { continuation.resume(returning: $0) } } }
  }

  // MARK: Invalidation

  /// Takes no more tasks, and becomes invalid when those it has have ended.
  public func finishTasksAndInvalidate() {
    recording.sayInvalidationRequested(.finishTasks)
    urlSession.finishTasksAndInvalidate()
  }

  /// Takes no more tasks, and cancels those it has.
  public func invalidateAndCancel() {
    recording.sayInvalidationRequested(.cancel)
    urlSession.invalidateAndCancel()
  }
}
