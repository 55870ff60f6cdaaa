public import Foundation
internal import XferEvents

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A `URLSession` wrapper with URLSession's own methods that records its tasks from their creation.
///
/// The tasks are Foundation's. A task that is created by `urlSession` directly is recorded from its first delegate callback.
/// Calls of a task's own `resume()`, `suspend()` and `cancel()` are not recorded, but their effects are.
public final class RecordedSession: Sendable {
  public let urlSession: URLSession
  /// The app's delegate. `nil` when the app has passed none. `urlSession.delegate` is the recorder's proxy.
  public let delegate: (any URLSessionDelegate)?
  let recording: SessionRecording

  /// The session's name in the log: its identifier, or a name that is unique within the process.
  public var name: String { recording.name }

  init(_ session: URLSession, _ recording: SessionRecording, delegate: (any URLSessionDelegate)?) {
    urlSession = session
    self.delegate = delegate
    self.recording = recording
  }

  // MARK: Task control

  /// Resumes a task and records the call.
  public func resume(_ task: URLSessionTask) {
    let recording = recording.recording(of: task)
    let request = recording.request(of: task)
    recording.note { record in
      // The system decides when a background task starts. Other tasks start immediately.
      record.resumed(by: .app) + (self.recording.kind == .background ? [] : record.begun(request))
    }
    recordDelegate(of: task)
    task.resume()
  }

  /// Replaces a task's own delegate with a proxy that records its calls. The session's proxy does not receive them.
  ///
  /// FoundationNetworking never calls a task's own delegate.
  private func recordDelegate(of task: URLSessionTask) {
    #if canImport(Darwin)
      guard let own = task.delegate, !(own is DelegateProxy) else { return }
      task.delegate = DelegateProxy(recording, app: own, level: .task)
    #endif
  }

  /// Returns a task's own delegate, or `nil` when it has none. On Apple systems, `task.delegate` is the recorder's proxy once the
  /// task is resumed.
  public func delegate(of task: URLSessionTask) -> (any URLSessionTaskDelegate)? {
    guard let proxy = task.delegate as? DelegateProxy else { return task.delegate }
    return proxy.level == .task ? proxy.app as? any URLSessionTaskDelegate : nil
  }

  /// Suspends a task and records the call.
  public func suspend(_ task: URLSessionTask) {
    recording.recording(of: task).note { $0.suspended() }
    task.suspend()
  }

  /// Cancels a task and records the call.
  public func cancel(_ task: URLSessionTask) {
    recording.recording(of: task).cancelRequested(by: .app, reason: .none)
    task.cancel()
  }

  /// Cancels a download and records the call.
  ///
  /// - Parameter completionHandler: Receives the resume data, or `nil` when the download cannot be resumed.
  public func cancel(
    _ task: URLSessionDownloadTask, byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void
  ) {
    recording.recording(of: task).cancelRequested(by: .app, reason: .none)
    task.cancel(byProducingResumeData: completionHandler)
  }

  // MARK: Task list

  /// Passes all tasks of the session to a completion handler, which runs on the delegate queue.
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

  /// All unfinished tasks of the session.
  public var allTasks: [URLSessionTask] {
    get async { await withCheckedContinuation { continuation in getAllTasks { continuation.resume(returning: $0) } } }
  }

  // MARK: Invalidation

  /// Invalidates the session after its current tasks have finished. No new tasks can be created.
  public func finishTasksAndInvalidate() {
    recording.emitInvalidationRequested(.finishTasks)
    urlSession.finishTasksAndInvalidate()
  }

  /// Cancels all tasks and invalidates the session. No new tasks can be created.
  public func invalidateAndCancel() {
    recording.emitInvalidationRequested(.cancel)
    urlSession.invalidateAndCancel()
  }
}
