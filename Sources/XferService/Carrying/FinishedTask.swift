import XferEngine
import XferEvents

/// A task that has ended at the engine, with what it put into the spool; nothing of it is on the disk for certain.
struct FinishedTask {
  let uid: TaskUID
  var outcome: TransferredOutcome
  /// `nil` for a task that failed, and for an upload whose response has no body.
  var body: Body?

  enum Body {
    /// A download's file.
    case file(path: String, TransferredResponse)
    /// The body of the response to an upload.
    case response(path: String)

    var path: String {
      switch self {
      case .file(let path, _), .response(let path): path
      }
    }
  }

  /// What the core is told.
  ///
  /// - Parameter record: the body as it is on the disk.
  func inputs(_ record: BodyRecord?) -> [ServiceCore.Input] {
    let ended = ServiceCore.Input.ended(uid, outcome)
    switch (body, record) {
    case (.file(_, let response), .some(let record)): return [.fetched(uid, record, response), ended]
    case (.response, .some(let record)): return [.answered(uid, record), ended]
    case (_, .none), (.none, .some): return [ended]
    }
  }

  /// The same task, which failed because its body could not be brought to the disk.
  func failed(_ error: TransferError) -> FinishedTask {
    var failed = self
    failed.body = nil
    failed.outcome.error = TransferredError(error)
    failed.outcome.resumeData = nil
    return failed
  }
}
