internal import XferEvents

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Who gets what a task brings.
enum TaskConsumer: Sendable {
  /// The session's delegate, step by step.
  case delegate
  /// An async function: the body in memory.
  case data(@Sendable (Result<(Data, TransferResponse), TransferError>) -> Void)
  /// An async function: `claim` has the file for the length of its call.
  case file(
    destination: String?, claim: @Sendable (DownloadedFile, TransferResponse) -> TransferError?,
    completion: @Sendable (Result<TransferResponse, TransferError>) -> Void)

  var style: CompletionStyle {
    if case .delegate = self { .delegate } else { .async }
  }

  /// Where the file is to end up, when that is known beforehand.
  var destination: String? {
    if case .file(let destination, _, _) = self { destination } else { nil }
  }
}

/// A task whose body goes to memory or to the delegate, as it comes.
public final class DataTask: TransferTask, @unchecked Sendable {}  // Adds nothing to `TransferTask`.

/// A task whose body goes to a temporary file.
public final class DownloadTask: TransferTask, @unchecked Sendable {}  // Adds nothing to `TransferTask`.
