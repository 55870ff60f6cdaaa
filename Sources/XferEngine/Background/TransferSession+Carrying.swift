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
    let goesOn = (resumeData ?? new.resumeData).flatMap { try? ResumeData($0) }
    let plan = try RequestPlan(new.request, additional: [:], body: body)
    var options = TaskOptions(taskDescription: new.description, metadata: new.metadata)
    options.priority = max(0, min(1, new.priority))
    (options.countOfBytesClientExpectsToSend, options.countOfBytesClientExpectsToReceive) = (
      new.expectedToSend, new.expectedToReceive
    )
    return try enter(identity) {
      switch new.kind {
      case .download:
        DownloadTask(
          identity, type: .download, request: new.request, plan: plan, consumer: .delegate, options: options, session: self,
          resumeData: goesOn)
      case .upload:
        UploadTask(
          identity, type: .upload, request: new.request, plan: plan, consumer: .delegate, options: options, session: self)
      }
    }
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
