internal import HTTPTypes
package import XferEvents

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension TransferSession {
  /// Makes a suspended task that does the work of another session's: under its name and number. What that session says of it is not said
  /// again.
  ///
  /// - Parameter resumeData: what it goes on with; the task's own when `nil`.
  package func carry(_ new: NewTask, resumeData: Data?) throws(TransferError) -> TransferTask {
    guard let uid = TaskUID(new.uid) else { throw .badTask("\(new.uid) names no task") }
    let identity = TaskIdentity(uid: uid, session: new.session, number: new.number)
    let body: RequestBody = try new.file.map { path throws(TransferError) in .file(try SourceFile(path: path)) } ?? .none
    let plan = try RequestPlan(new.request, additional: [:], body: body)
    return try enter(identity) { task(identity, new, plan, resumeData: resumeData ?? new.resumeData) }
  }

  /// A task as one was told of it, in the app's session and in the daemon's.
  func task(_ identity: TaskIdentity, _ new: NewTask, _ plan: RequestPlan, resumeData: Data?) -> TransferTask {
    switch new.kind {
    case .download:
      DownloadTask(
        identity, type: .download, request: new.request, plan: plan, consumer: .delegate, options: new.options, session: self,
        resumeData: resumeData.flatMap { try? ResumeData($0) })
    case .upload:
      UploadTask(
        identity, type: .upload, request: new.request, plan: plan, consumer: .delegate, options: new.options, session: self)
    }
  }
}

extension NewTask {
  fileprivate var options: TransferSession.TaskOptions {
    var options = TransferSession.TaskOptions(taskDescription: description, metadata: metadata)
    options.priority = max(0, min(1, priority))
    (options.countOfBytesClientExpectsToSend, options.countOfBytesClientExpectsToReceive) = (expectedToSend, expectedToReceive)
    options.earliestBeginDate = earliestBegin
    options.timeoutIntervalForRequest = requestTimeout.map { .after(.seconds(clamping: $0)) } ?? .none
    options.timeoutIntervalForResource = resourceTimeout.map { .after(.seconds(clamping: $0)) } ?? .none
    return options
  }
}

extension TransferTask {
  /// Under which it works, which is not its session's when it is carried.
  package var carriedIdentity: TaskIdentity { identity }
}

extension TransferError {
  fileprivate static func badTask(_ problem: String) -> TransferError {
    TransferError(.badURL, domain: .xfer, number: 10, stage: .creation, problem: problem)
  }
}
