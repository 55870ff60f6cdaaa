public import Foundation
public import XferEvents

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Records the activity of Foundation's `URLSession` as the same events that `XferEngine` emits for its own sessions.
///
/// ```swift
/// let recorder = SessionRecorder(sink: appLog)
/// let session = recorder.session(configuration: .default, delegate: self, delegateQueue: .main)
/// session.resume(session.downloadTask(with: url))
/// ```
///
/// Sessions and tasks remain Foundation's own objects and behave as they do without the recorder. The recorder never throws,
/// and it holds no lock while the app's code runs.
public final class SessionRecorder: Sendable {
  let context: RecorderContext

  /// Creates a recorder.
  ///
  /// - Parameters:
  ///   - sink: The receiver of all events, for example an `EventLog` or a `NullSink`. It must not call the recorder.
  ///   - store: The persistent store for the uids of background tasks. Without a store, a background task gets a new uid at
  ///     each app launch.
  public convenience init(sink: any EventSink, store: (any TaskUIDStore)? = nil) {
    self.init(sink: sink, store: store, generator: SystemRandomNumberGenerator())
  }

  /// - Parameters:
  ///   - generator: The random source of identifiers.
  ///   - now: Returns the time since a fixed moment, used to limit the rate of progress events.
  package init(
    sink: any EventSink, store: (any TaskUIDStore)? = nil, generator: any RandomNumberGenerator & Sendable,
    now: (@Sendable () -> Duration)? = nil
  ) {
    context = RecorderContext(sink: sink, store: store, generator: generator, now: now)
  }

  /// The recorder for the app's own events, such as intents and outcomes.
  public var app: AppRecorder { AppRecorder(context) }

  /// Creates a recorded session.
  ///
  /// - Parameters:
  ///   - configuration: The configuration of the session.
  ///   - delegate: The app's delegate, which receives every call as it would from the session itself. Retained until the
  ///     session is invalid.
  ///   - delegateQueue: The queue for delegate calls. `nil` creates a serial queue.
  public func session(
    configuration: URLSessionConfiguration = .default, delegate: (any URLSessionDelegate)? = nil,
    delegateQueue: OperationQueue? = nil
  ) -> RecordedSession {
    let recording = SessionRecording(context, configuration, queue: delegateQueue)
    let proxy = DelegateProxy(recording, app: delegate)
    let session = URLSession(configuration: configuration, delegate: proxy, delegateQueue: delegateQueue)
    recording.emitCreated(session, requested: configuration, delegate: delegate.map { _ in context.makeCorrelation() })
    return RecordedSession(session, recording, delegate: delegate)
  }

  /// Returns a wrapper that records the tasks it creates in an existing session, such as `URLSession.shared`.
  ///
  /// Delegate calls of an existing session cannot be recorded. Tasks with completion handlers and async functions are recorded
  /// completely, and other tasks only from creation to cancellation.
  public func session(recording session: URLSession) -> RecordedSession {
    let isShared = session === URLSession.shared
    let recording = SessionRecording(
      context, session.configuration, queue: session.delegateQueue, kind: isShared ? .shared : nil)
    recording.emitCreated(
      session, requested: session.configuration, delegate: session.delegate.map { _ in context.makeCorrelation() })
    return RecordedSession(session, recording, delegate: session.delegate)
  }

  /// Returns the identity of a task in events, or `nil` when the task is not recorded.
  public func identity(of task: URLSessionTask) -> TaskIdentity? { context.tasks.recording(of: task)?.identity }
}
