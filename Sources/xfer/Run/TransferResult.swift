import Foundation
import HTTPTypes
import XferEngine

extension [TransferResult] {
  /// The first failure's; 0 when there is none.
  var exitCode: Int32 { lazy.compactMap(\.problem).first?.exitCode ?? 0 }
}

/// How one transfer ended.
struct TransferResult {
  let transfer: PlannedTransfer
  /// Its place in the plan, from 0.
  let place: Int
  /// Bytes of the body that arrived.
  var received: Int64 = 0
  var sent: Int64 = 0
  /// Where the body is; `nil` when it is in no file.
  var path: String?
  var response: TransferResponse?
  var metrics: TaskMetrics?
  /// What was asked for in the end, after redirects.
  var effectiveURL: String
  var effectiveMethod: String
  var referer: String?
  /// All heads that came, as lines, where somebody wanted them.
  var heads = Data()
  /// From the start of the task until its end.
  var duration: Duration = .zero
  /// Why nothing was transferred, though nothing failed.
  var skipped: String?
  /// `nil` when it succeeded.
  var problem: Problem?

  init(_ transfer: PlannedTransfer, place: Int) {
    (self.transfer, self.place) = (transfer, place)
    (effectiveURL, effectiveMethod) = (transfer.url, transfer.method.rawValue)
  }

  struct Problem: Error {
    /// What curl would end with.
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

    /// curl's code with `--fail`.
    static func status(_ status: Int) -> Problem { Problem(exitCode: 22, text: "the server answered \(status)") }

    static let cancelled = Problem(exitCode: 42, text: "not begun: the command was interrupted", isCancellation: true)

    /// curl's code for what cannot be read.
    static func reading(_ problem: String) -> Problem { Problem(exitCode: 26, text: problem) }

    static func range(_ problem: String) -> Problem { Problem(exitCode: 33, text: problem) }

    /// Of a kind that curl does not know.
    static func checksum(_ checksum: Checksum, actual: String) -> Problem {
      Problem(exitCode: 120, text: "the \(checksum.kind.rawValue) is \(actual), not \(checksum.hex): the file was not kept")
    }
  }
}
