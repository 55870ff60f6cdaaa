internal import XferEvents

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A task that passes the response body to the delegate in chunks, or collects it in memory.
// @unchecked Sendable: this class and the following subclasses add no stored properties to `TransferTask`.
public class DataTask: TransferTask, @unchecked Sendable {}

/// A data task whose request has a body.
public final class UploadTask: DataTask, @unchecked Sendable {}

/// A task that writes the response body to a temporary file.
public final class DownloadTask: TransferTask, @unchecked Sendable {
  /// Cancels the task, which completes with the error `cancelled`, and produces resume data.
  ///
  /// - Parameter completionHandler: A closure that is called once on the delegate executor, before the task completes. It gets
  ///   resume data for `downloadTask(withResumeData:)`, or `nil` if nothing was received, the response has no strong validator
  ///   (an entity tag or modification date), or the task has completed.
  public func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {
    cancel(reason: .none, resumeDataHandler: completionHandler)
  }

  /// Cancels the task and returns resume data, or `nil` if the download cannot be resumed.
  public func cancelByProducingResumeData() async -> Data? {
    await withCheckedContinuation { continuation in cancel { continuation.resume(returning: $0) } }
  }
}
