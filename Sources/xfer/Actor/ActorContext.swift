import Foundation
import HTTPTypes
import XferEngine
import XferScript

/// The subject of the callback in which a step runs. A step that names no task or session refers to this subject.
struct ActorContext: Sendable {
  var callback: ActorScript.Callback?
  /// The number of the call of this callback in this process, from 1.
  var nth = 0
  var session: TransferSession?
  var task: TransferTask?
  var delegate: String?
  var file: DownloadedFile?
  var response: TransferResponse?
  var error: TransferError?
  var resumeData: Data?
  /// The identifier of the session whose events the app must handle.
  var identifier: String?
  var completionHandler: (@Sendable () -> Void)?
  /// Answers the callback's question.
  var answer: (@Sendable (ActorArguments, ActorContext) -> Void)?
  var trigger: String?
  var isAvailable: Bool?
  var count: Int?
  /// The number of the repetition, from 1.
  var repetition = 1

  var status: Int? { (response ?? task?.response)?.statusCode }
  var url: String? { (response ?? task?.response)?.urlText ?? task?.originalRequest.path }
}

/// An action that failed, and why.
struct ActorFailure: Error {
  let problem: String
  init(_ problem: String) { self.problem = problem }
  init(_ error: any Error) { problem = "\(error)" }
}
