public import Foundation
public import XferEvents

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Records what Foundation's `URLSession` does, for an app that keeps it: the same events that `XferEngine` says of its own.
///
/// ```swift
/// let recorder = SessionRecorder(sink: appLog)
/// let session = recorder.session(configuration: .default, delegate: self, delegateQueue: .main)
/// session.resume(session.downloadTask(with: url))
/// ```
///
/// Sessions, tasks and delegates stay Foundation's own, and behave as they would without it. It never throws, and holds no
/// lock while code of the app runs.
public final class SessionRecorder: Sendable {
  let context: RecorderContext

  /// - Parameters:
  ///   - sink: gets every event; a log, or `NullSink`. It must not call the recorder back.
  ///   - store: where the uids of background tasks outlive the process; without one they are new after each launch.
  public convenience init(sink: any EventSink, store: (any TaskUIDStore)? = nil) {
    self.init(sink: sink, store: store, generator: SystemRandomNumberGenerator())
  }

  /// - Parameters:
  ///   - generator: for identifiers.
  ///   - now: time since a fixed moment, for how often progress is said.
  package init(
    sink: any EventSink, store: (any TaskUIDStore)? = nil, generator: any RandomNumberGenerator & Sendable,
    now: (@Sendable () -> Duration)? = nil
  ) {
    context = RecorderContext(sink: sink, store: store, generator: generator, now: now)
  }

  /// What the app itself has to say: what it wants, and what came of it.
  public var app: AppRecorder { AppRecorder(context) }

  /// Makes a session that is recorded.
  ///
  /// - Parameters:
  ///   - delegate: gets every call as it would from the session itself, which retains it until it is invalid.
  ///   - delegateQueue: `nil` for a serial queue of the session's own.
  public func session(
    configuration: URLSessionConfiguration = .default, delegate: (any URLSessionDelegate)? = nil,
    delegateQueue: OperationQueue? = nil
  ) -> RecordedSession {
    let recording = SessionRecording(context, configuration, queue: delegateQueue)
    let proxy = DelegateProxy(recording, app: delegate)
    let session = URLSession(configuration: configuration, delegate: proxy, delegateQueue: delegateQueue)
    recording.sayCreated(session, requested: configuration, delegate: delegate.map { _ in context.makeCorrelation() })
    return RecordedSession(session, recording, delegate: delegate)
  }

  /// Records the tasks that are made through the result, of a session that is there already, as `URLSession.shared`.
  ///
  /// Its delegate cannot be recorded: tasks with completion handlers and async functions are told of in full, others up to
  /// their cancellation.
  public func session(recording session: URLSession) -> RecordedSession {
    let isShared = session === URLSession.shared
    let recording = SessionRecording(
      context, session.configuration, queue: session.delegateQueue, kind: isShared ? .shared : nil)
    recording.sayCreated(
      session, requested: session.configuration, delegate: session.delegate.map { _ in context.makeCorrelation() })
    return RecordedSession(session, recording, delegate: session.delegate)
  }

  /// What events call the task; `nil` for one that nobody has recorded.
  public func identity(of task: URLSessionTask) -> TaskIdentity? { context.tasks.recording(of: task)?.identity }
}
