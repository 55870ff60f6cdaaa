import Foundation
import HTTPTypes
import XferEngine

/// The state of one running transfer, collected from its callbacks.
struct Flight {
  let transfer: PlannedTransfer
  let place: Int
  let started: ContinuousClock.Instant
  /// The output for a body that is not saved by a download task. `nil` until the response arrives.
  var output: OutputFile?
  /// Response heads that were received before the output was opened.
  var heldHeads = Data()
  /// All received response heads, as lines.
  var heads = Data()
  var metrics: TaskMetrics?
  var referer: String?
  /// The partial download, kept to resume after an interruption. `nil` when the transfer cannot be resumed.
  var partial: PartialDownload?
  /// The size of an existing file about whose completeness the server is asked first. `nil` for the transfer itself.
  let probedSize: Int64?
  /// The path of the completed file.
  var path: String?
  /// A local failure that ends the transfer.
  var problem: TransferResult.Problem?
  /// The number of bytes that an earlier command had transferred. `nil` before the first progress.
  var resumedFrom: Int64?
  /// The number of bytes transferred so far, and the expected total. A total of `nil` means unknown.
  var count: Int64 = 0
  var expected: Int64?
  /// Whether the partial download was kept to be resumed.
  var isResumable = false
  /// Whether the first bytes were checked, because binary data is not written to a terminal.
  var isOutputChecked = false
  /// Why the body is not needed, although the transfer did not fail.
  var skipped: String?

  init(_ transfer: PlannedTransfer, place: Int, started: ContinuousClock.Instant, probedSize: Int64? = nil) {
    self.probedSize = probedSize
    (self.transfer, self.place, self.started) = (transfer, place, started)
    referer = transfer.fields[.referer]
  }
}

/// The treatment of a response, as determined by the options.
enum ResponseVerdict: Equatable {
  case take
  /// The body is discarded without an error.
  case skip(String)
  case fail(exitCode: Int32, String)

  init(_ response: TransferResponse, of transfer: PlannedTransfer) {
    let (status, settings) = (response.statusCode, transfer.settings)
    if status >= 400, settings.onStatus == .fail {
      self = .fail(exitCode: 22, "the server responded with status \(status)")
    } else if status >= 400, transfer.resumes {
      // The body is an error page and not the remainder of the file, so it must not be appended to the partial file.
      self = .skip("the server responded with status \(status)")
    } else if let offset = transfer.offset, let problem = Self.rangeProblem(response, offset) {
      self = .fail(exitCode: 33, problem)
    } else if status == 304, !transfer.isConditional {
      self = .fail(exitCode: 8, "the server responded with 304 (not modified) to a request without a condition")
    } else if status == 304 {
      self = .skip("the resource has not changed")
    } else if status == 200, let condition = transfer.condition,
      condition.excludes(lastModified: response.headerFields[.lastModified].flatMap(HTTPDate.seconds))
    {
      self = .skip(condition.isUnmodified ? "the resource has changed" : "the resource has not changed")
    } else {
      self = .take
    }
  }

  /// Returns an error text when a response to a range request does not start at the requested offset.
  private static func rangeProblem(_ response: TransferResponse, _ offset: Int64) -> String? {
    switch response.statusCode {
    case 206:
      let start = response.headerFields[.contentRange].flatMap(Self.start)
      return start == offset ? nil : "the server sent a range that does not begin at byte \(offset)"
    case 200..<300: return "the server ignored the range from byte \(offset) and sent the whole resource"
    default: return nil
    }
  }

  /// Returns whether a response to a request for the bytes after a file's end says that there are none.
  static func isComplete(_ response: TransferResponse, size: Int64) -> Bool {
    guard response.statusCode == 416, let range = response.headerFields[.contentRange] else { return false }
    return range.split(separator: "/").last.flatMap { Int64($0) } == size
  }

  /// Returns the first byte offset of a Content-Range value such as `bytes 40-99/100`.
  private static func start(_ contentRange: String) -> Int64? {
    contentRange.split(separator: " ").dropFirst().first?.split(separator: "-").first.flatMap { Int64($0) }
  }
}
