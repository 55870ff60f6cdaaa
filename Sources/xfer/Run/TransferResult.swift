import Foundation
import HTTPTypes
import XferEngine
import XferEvents

extension [TransferResult] {
  /// The exit code of the first failure, or 0 when there is no failure.
  var exitCode: Int32 { lazy.compactMap(\.problem).first?.exitCode ?? 0 }
}

/// The outcome of one transfer.
struct TransferResult {
  let transfer: PlannedTransfer
  /// The transfer's index in the plan, from 0.
  let place: Int
  /// The task in the log. `nil` when the transfer failed before it had one.
  var task: TaskIdentity?
  /// The number of body bytes received.
  var received: Int64 = 0
  var sent: Int64 = 0
  /// The path of the file with the body. `nil` when the body was not saved to a file.
  var path: String?
  var response: TransferResponse?
  var metrics: TaskMetrics?
  /// The last requested URL, after redirects.
  var effectiveURL: String
  var effectiveMethod: String
  var referer: String?
  /// All received response heads as lines, if an option needs them.
  var heads = Data()
  /// The time from the start of the task to its end.
  var duration: Duration = .zero
  /// The number of body bytes that an earlier command had transferred.
  var resumedFrom: Int64 = 0
  /// The number of bytes transferred according to the last progress report, and the expected total. A total of `nil` means
  /// unknown.
  var count: Int64 = 0
  var expected: Int64?
  /// Whether the partial download was kept to be resumed.
  var isResumable = false
  /// Why the transfer was skipped. `nil` when it was not skipped.
  var skipped: String?
  /// The failure. `nil` when the transfer succeeded.
  var problem: Problem?

  init(_ transfer: PlannedTransfer, place: Int) {
    (self.transfer, self.place) = (transfer, place)
    (effectiveURL, effectiveMethod) = (transfer.url, transfer.method.rawValue)
  }

  struct Problem: Error {
    /// The exit code, same as curl's.
    let exitCode: Int32
    let text: String
    var osError: Int32?
    var isCancellation = false

    init(exitCode: Int32, text: String, osError: Int32? = nil, isCancellation: Bool = false) {
      (self.exitCode, self.text, self.osError, self.isCancellation) = (exitCode, text, osError, isCancellation)
    }

    init(_ error: TransferError) {
      self.init(exitCode: Int32(error.curlExitCode), text: "\(error)", isCancellation: error.code == .cancelled)
    }

    /// Returns a failure with curl's exit code for `--fail`.
    static func status(_ status: Int) -> Problem { Problem(exitCode: 22, text: "the server responded with status \(status)") }

    static let cancelled = Problem(exitCode: 42, text: "not started: the command was interrupted", isCancellation: true)

    /// Returns a failure with curl's exit code for a file that cannot be read.
    static func reading(_ problem: String) -> Problem { Problem(exitCode: 26, text: problem) }

    static func range(_ problem: String) -> Problem { Problem(exitCode: 33, text: problem) }

    /// Returns a failure with an exit code that curl does not use.
    static func checksum(_ checksum: Checksum, actual: String) -> Problem {
      Problem(
        exitCode: 120,
        text: "wrong checksum: the \(checksum.kind.rawValue) is \(actual), expected \(checksum.hex); the file was deleted")
    }
  }
}
