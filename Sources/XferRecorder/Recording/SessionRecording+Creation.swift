internal import Foundation
internal import XferEvents

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension SessionRecording {
  /// Emits the event of the session's creation.
  ///
  /// - Parameters:
  ///   - session: The session, whose configuration contains the effective values.
  ///   - requested: The configuration that the app passed.
  ///   - delegate: The ID of the app's delegate. `nil` when the session has no delegate.
  func emitCreated(_ session: URLSession, requested: URLSessionConfiguration, delegate: CorrelationID?) {
    let effective = session.configuration
    let limits = ConfigurationLimits(effective)
    sink.emit(
      SessionCreated(
        session: name, instance: instance, sessionKind: kind, delegate: delegate, queue: queueName,
        configuration: context.digest(of: requested.canonical), connectionsPerHost: effective.httpMaximumConnectionsPerHost,
        requestTimeout: Duration(limit: effective.timeoutIntervalForRequest),
        resourceTimeout: Duration(limit: effective.timeoutIntervalForResource),
        waitsForConnectivity: limits.waitsForConnectivity, discretionary: requested.isDiscretionary,
        effectiveDiscretionary: effective.isDiscretionary, sendsLaunchEvents: limits.sendsLaunchEvents,
        extendedIdle: limits.extendedIdle, allowsCellular: effective.allowsCellularAccess,
        allowsExpensive: limits.allowsExpensive, allowsConstrained: limits.allowsConstrained, container: limits.container,
        liveSessions: Int64(context.countSessions(adding: 1)), hasDelegate: delegate != nil))
  }

  func created(_ task: URLSessionTask, _ identity: TaskIdentity, _ creation: CreationFacts, live: Int) -> TaskCreated {
    let url = task.originalRequest?.url.map(URLFacts.init)
    return TaskCreated(
      task: identity, type: creation.type, origin: .unknown, completion: creation.style,
      method: task.originalRequest?.httpMethod, scheme: url?.scheme, host: url?.host, port: url?.port, path: url?.path,
      urlQuery: url?.query, resource: (url?.resource).map(context.digest), label: task.taskDescription,
      sourceFile: creation.source?.path, sourceSize: creation.source?.size, sourceModified: creation.source?.modified,
      inode: creation.source.map { Int64(bitPattern: $0.inode) },
      expectedToSend: task.countOfBytesClientExpectsToSend.known,
      expectedToReceive: task.countOfBytesClientExpectsToReceive.known,
      requestTimeout: (task.originalRequest?.timeoutInterval).flatMap(Duration.init(limit:)),
      allowsCellular: task.originalRequest?.allowsCellularAccess, priority: Int((task.priority * 100).rounded()),
      credentialExpires: url?.credentialExpires, resumeData: creation.resumeData.map(context.digest), liveTasks: Int64(live))
  }
}

extension SessionRecording {
  /// Creates a task and its recording. The new task is suspended, so no callback can arrive before the recording exists.
  func makeTask<Task: URLSessionTask>(_ creation: CreationFacts, _ make: () -> Task) -> (Task, TaskRecording) {
    recordRejectionIfInvalidated(creation.type)
    let task = make()
    return (task, register(task, creation, isNew: true))
  }
}

/// Facts about a task that are known only where it is created.
struct CreationFacts: Sendable {
  var type: TaskType
  var style: CompletionStyle
  /// The file to upload. `nil` when the task uploads no file.
  var source: FileFacts?
  /// The resume data in Base64, for computing a digest. `nil` when the task resumes no download.
  var resumeData: String?

  init(_ type: TaskType, _ style: CompletionStyle, source: URL? = nil, resumeData: Data? = nil) {
    self.type = type
    self.style = style
    self.source = source.flatMap { FileFacts(path: $0.path) }
    self.resumeData = resumeData?.base64EncodedString()
  }
}

extension URLSessionTask {
  /// The type of the task. Upload tasks are checked first, because they are a subclass of data tasks.
  var type: TaskType {
    switch self {
    case is URLSessionUploadTask: .upload
    case is URLSessionDownloadTask: .download
    default: .data
    }
  }
}

extension Int64 {
  /// The value, or `nil` for URLSession's unknown size of -1.
  var known: Int64? { self < 0 ? nil : self }
}

extension Duration {
  /// Creates a duration from a limit in seconds. The result is `nil` for 0 and for very large numbers, which mean that there is
  /// no limit.
  init?(limit seconds: TimeInterval) {
    guard seconds > 0, seconds < 1e9 else { return nil }
    self = .seconds(seconds)
  }
}
