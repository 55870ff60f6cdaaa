internal import Foundation
internal import XferEvents

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension SessionRecording {
  /// - Parameters:
  ///   - session: has the configuration as it applies.
  ///   - delegate: stands for the app's delegate; `nil` when there is none.
  func sayCreated(_ session: URLSession, requested: URLSessionConfiguration, delegate: CorrelationID?) {
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
  /// Makes a task and enters it; it is suspended, so no callback can come before.
  func making<Task: URLSessionTask>(_ creation: CreationFacts, _ make: () -> Task) -> (Task, TaskRecording) {
    noteCreation(creation.type)
    let task = make()
    return (task, meet(task, creation, isNew: true))
  }
}

/// What only whoever makes a task knows of it.
struct CreationFacts: Sendable {
  var type: TaskType
  var style: CompletionStyle
  /// The file to send.
  var source: FileFacts?
  /// Resume data in a form of which a digest can be made.
  var resumeData: String?

  init(_ type: TaskType, _ style: CompletionStyle, source: URL? = nil, resumeData: Data? = nil) {
    self.type = type
    self.style = style
    self.source = source.flatMap { FileFacts(path: $0.path) }
    self.resumeData = resumeData?.base64EncodedString()
  }
}

extension URLSessionTask {
  /// An upload is a data task, too.
  var type: TaskType {
    switch self {
    case is URLSessionUploadTask: .upload
    case is URLSessionDownloadTask: .download
    default: .data
    }
  }
}

extension Int64 {
  /// `nil` for URLSession's -1.
  var known: Int64? { self < 0 ? nil : self }
}

extension Duration {
  /// A limit in seconds; `nil` where there is none, which is written as 0 or as a very large number.
  init?(limit seconds: TimeInterval) {
    guard seconds > 0, seconds < 1e9 else { return nil }
    self = .seconds(seconds)
  }
}
