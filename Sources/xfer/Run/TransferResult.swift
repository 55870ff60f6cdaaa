import XferEngine

/// How one transfer ended.
struct TransferResult {
  let transfer: TransferPlan.Transfer
  /// Bytes of the body that arrived.
  let received: Int64
  /// `nil` when it succeeded.
  let problem: Problem?

  struct Problem: Error {
    /// What curl would end with.
    let exitCode: Int32
    let text: String
    let isCancellation: Bool

    init(exitCode: Int32, text: String, isCancellation: Bool = false) {
      self.exitCode = exitCode
      self.text = text
      self.isCancellation = isCancellation
    }

    init(_ error: TransferError) {
      self.init(exitCode: Int32(error.curlExitCode), text: "\(error)", isCancellation: error.code == .cancelled)
    }

    /// curl's code with `--fail`.
    static func status(_ status: Int) -> Problem {
      Problem(exitCode: 22, text: "the server answered \(status)")
    }

    static let cancelled = Problem(exitCode: 42, text: "not begun: the command was interrupted", isCancellation: true)
  }
}
