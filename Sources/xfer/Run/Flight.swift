import Foundation
import HTTPTypes
import XferEngine

/// One transfer while it is under way: what its callbacks have brought so far.
struct Flight {
  let transfer: PlannedTransfer
  let place: Int
  let started: ContinuousClock.Instant
  /// Where the body goes that is not a download's; `nil` until the response is there.
  var output: OutputFile?
  /// Heads that came before the output was open.
  var heldHeads = Data()
  /// All heads that came, as lines.
  var heads = Data()
  var metrics: TaskMetrics?
  var referer: String?
  /// What is left of a download that is interrupted; `nil` when nothing is to be left.
  var partial: PartialDownload?
  /// Where the file is.
  var path: String?
  /// What went wrong on this side.
  var problem: TransferResult.Problem?
  /// Why the body is not wanted, though nothing failed.
  var skipped: String?

  init(_ transfer: PlannedTransfer, place: Int, started: ContinuousClock.Instant) {
    (self.transfer, self.place, self.started) = (transfer, place, started)
    referer = transfer.fields[.referer]
  }
}

/// What becomes of a response, seen with the options.
enum ResponseVerdict: Equatable {
  case take
  /// Nothing of it is kept, and nothing failed.
  case skip(String)
  case fail(exitCode: Int32, String)

  init(_ response: TransferResponse, of transfer: PlannedTransfer) {
    let (status, settings) = (response.statusCode, transfer.settings)
    if status >= 400, settings.onStatus == .fail {
      self = .fail(exitCode: 22, "the server answered \(status)")
    } else if status >= 400, transfer.resumes {
      // A page about an error is not the rest of the file.
      self = .skip("the server answered \(status)")
    } else if let offset = transfer.offset, let problem = Self.rangeProblem(response, offset) {
      self = .fail(exitCode: 33, problem)
    } else if status == 304 {
      self = .skip("it has not changed")
    } else if status == 200, let condition = transfer.condition,
      condition.excludes(lastModified: response.headerFields[.lastModified].flatMap(HTTPDate.seconds))
    {
      self = .skip(condition.isUnmodified ? "it has changed" : "it has not changed")
    } else {
      self = .take
    }
  }

  /// What is asked for from an offset has to begin there.
  private static func rangeProblem(_ response: TransferResponse, _ offset: Int64) -> String? {
    switch response.statusCode {
    case 206:
      let start = response.headerFields[.contentRange].flatMap(Self.start)
      return start == offset ? nil : "the server's part does not begin at byte \(offset)"
    case 200..<300: return "the server sends the whole instead of the part from byte \(offset)"
    default: return nil
    }
  }

  /// `bytes 40-99/100`
  private static func start(_ contentRange: String) -> Int64? {
    contentRange.split(separator: " ").dropFirst().first?.split(separator: "-").first.flatMap { Int64($0) }
  }
}
