internal import XferEvents

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A task whose body goes to memory or to the delegate, as it comes.
// @unchecked Sendable: adds nothing to `TransferTask`; so do the others.
public class DataTask: TransferTask, @unchecked Sendable {}

/// A data task whose request carries a body.
public final class UploadTask: DataTask, @unchecked Sendable {}

/// A task whose body goes to a temporary file.
public final class DownloadTask: TransferTask, @unchecked Sendable {
  /// Ends the task; it completes with the error `cancelled`.
  ///
  /// - Parameter completionHandler: called once, on the delegate executor, before the task completes: with what
  ///   `downloadTask(withResumeData:)` goes on with, or `nil` when the server gives nothing to tell versions of the resource apart
  ///   by, nothing had arrived, or the task had ended.
  public func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {
    cancel(reason: .none, resumeDataHandler: completionHandler)
  }

  public func cancelByProducingResumeData() async -> Data? {
    await withCheckedContinuation { continuation in cancel { continuation.resume(returning: $0) } }
  }
}
