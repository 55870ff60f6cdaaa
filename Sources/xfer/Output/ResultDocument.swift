import Foundation
import HTTPTypes
import XferEngine
import XferReport

/// The results of a command's transfers as JSON with the schema `xfer.results/1`.
struct ResultDocument: Encodable {
  private let schema = "xfer.results/1"
  private let exitCode: Int32
  private let transfers: [Transfer]

  private struct Transfer: Encodable {
    /// The URL without user, password and access tokens.
    let url: String
    /// The outcome: `succeeded`, `skipped`, `failed` or `cancelled`.
    let outcome: String
    let file: String?
    let status: Int?
    let received: Int64
    let sent: Int64
    let seconds: Double
    let attempts: Int
    let redirects: Int
    let exitCode: Int32
    let reason: String?

    init(_ result: TransferResult) {
      url = ShownURL.text(result.transfer.url)
      outcome =
        switch result.problem {
        case .some(let problem): problem.isCancellation ? "cancelled" : "failed"
        case nil: result.skipped == nil ? "succeeded" : "skipped"
        }
      (file, status) = (result.path, result.response?.statusCode)
      (received, sent) = (result.received, result.sent)
      seconds = ((result.duration / .seconds(1)) * 1_000_000).rounded() / 1_000_000
      attempts = result.metrics?.transactionMetrics.last?.attempt ?? 0
      redirects = result.metrics?.redirectCount ?? 0
      exitCode = result.problem?.exitCode ?? 0
      reason = result.problem?.text ?? result.skipped
    }
  }

  init(_ results: [TransferResult]) {
    transfers = results.map(Transfer.init)
    exitCode = results.exitCode
  }

  var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { preconditionFailure("strings and numbers can be encoded") }
    return String(decoding: data, as: UTF8.self)
  }
}
