internal import HTTPTypes
package import XferEvents

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension TransferSession {
  /// Creates a suspended task that carries out a task of another session, with the UID and number of that task.
  ///
  /// Events that the task's original session has already logged, such as the task's creation, are not logged again.
  ///
  /// - Parameters:
  ///   - resumeData: The resume data of the partial download. `nil` means the resume data in `new`.
  ///   - willSendUnrepeatable: A closure that is called on the engine's thread before a request is sent that must not be sent again.
  /// - Throws: An error if the UID is malformed, or if the file or the request is unusable.
  package func carry(
    _ new: NewTask, resumeData: Data?, willSendUnrepeatable: (@Sendable () -> Void)? = nil
  ) throws(TransferError) -> TransferTask {
    guard let uid = TaskUID(new.uid) else { throw .badTask("\(new.uid) is not a valid task UID") }
    let identity = TaskIdentity(uid: uid, session: new.session, number: new.number)
    let body: RequestBody = try new.file.map { path throws(TransferError) in .file(try SourceFile(path: path)) } ?? .none
    let plan = try RequestPlan(new.request, additional: [:], body: body)
    return try enter(identity) {
      task(identity, new, plan, resumeData: resumeData ?? new.resumeData, willSendUnrepeatable: willSendUnrepeatable)
    }
  }

  /// Creates a task from its description in a message. Used by the app's session and by the daemon's. If `resumeData` is `nil`,
  /// the task starts from the beginning.
  func task(
    _ identity: TaskIdentity, _ new: NewTask, _ plan: RequestPlan, resumeData: Data?,
    willSendUnrepeatable: (@Sendable () -> Void)? = nil
  ) -> TransferTask {
    var options = new.options
    options.willSendUnrepeatable = willSendUnrepeatable
    return switch new.kind {
    case .download:
      DownloadTask(
        identity, type: .download, request: new.request, plan: plan, consumer: .delegate, options: options, session: self,
        resumeData: resumeData.flatMap { try? ResumeData($0) })
    case .upload:
      UploadTask(
        identity, type: .upload, request: new.request, plan: plan, consumer: .delegate, options: options, session: self)
    }
  }
}

extension NewTask {
  fileprivate var options: TransferSession.TaskOptions {
    var options = TransferSession.TaskOptions(taskDescription: description, metadata: metadata)
    options.priority = max(0, min(1, priority))
    (options.countOfBytesClientExpectsToSend, options.countOfBytesClientExpectsToReceive) = (expectedToSend, expectedToReceive)
    options.earliestBeginDate = earliestBegin
    options.allowsRepetition = allowsRepetition
    options.sendsTraceContext = sendsTraceContext
    options.timeoutIntervalForRequest = requestTimeout.map { .after(Duration(clampingSeconds: $0)) } ?? .none
    options.timeoutIntervalForResource = resourceTimeout.map { .after(Duration(clampingSeconds: $0)) } ?? .none
    return options
  }
}

extension NewTask {
  /// Whether the request may be sent again after the server may have carried it out.
  ///
  /// - Parameter settings: The settings of the task's session.
  package func isRepeatable(_ settings: BackgroundSettings?) -> Bool {
    var policy = TransferSession.RetryPolicy(maximumRetries: .max)
    policy.retriesUnsafeMethods = settings?.retriesUnsafeMethods ?? false
    return policy.mayRepeat(
      .init(
        method: request.method, hasIdempotencyKey: request.headerFields.hasIdempotencyKey, wasSent: true,
        allowsRepetition: allowsRepetition))
  }
}

extension TransferTask {
  /// The task identity under which this transfer reports events. In the daemon it belongs to the app's session.
  package var carriedIdentity: TaskIdentity { identity }
}

extension TransferError {
  fileprivate static func badTask(_ problem: String) -> TransferError {
    TransferError(.badURL, domain: .xfer, number: 10, stage: .creation, problem: problem)
  }
}
