import XferEngine
import XferEvents

/// A task that the engine has finished, with the body it left in the spool. The body may not be on disk yet.
struct FinishedTask {
  let uid: TaskUID
  var outcome: TransferredOutcome
  /// The result file. `nil` for a failed task, and for an upload whose response has no body.
  var body: Body?

  enum Body {
    /// A downloaded file.
    case file(path: String, TransferredResponse)
    /// The response body of an upload.
    case response(path: String)

    var path: String {
      switch self {
      case .file(let path, _), .response(let path): path
      }
    }
  }

  /// Returns the inputs that report this task to the core.
  ///
  /// - Parameter record: The body after it was flushed to disk. `nil` when the task has no body.
  func inputs(_ record: BodyRecord?) -> [ServiceCore.Input] {
    let ended = ServiceCore.Input.ended(uid, outcome)
    switch (body, record) {
    case (.file(_, let response), .some(let record)): return [.fetched(uid, record, response), ended]
    case (.response, .some(let record)): return [.answered(uid, record), ended]
    case (_, .none), (.none, .some): return [ended]
    }
  }

  /// Returns a copy of this task that failed with `error` because its body could not be flushed to disk.
  func failed(_ error: TransferError) -> FinishedTask {
    var failed = self
    failed.body = nil
    failed.outcome.error = TransferredError(error)
    failed.outcome.resumeData = nil
    return failed
  }
}
