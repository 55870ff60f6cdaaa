internal import XferEvents

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The receiver of a task's response.
enum TaskConsumer: Sendable {
  /// The session's delegate, which receives the response step by step.
  case delegate
  /// A closure that receives the complete body in memory.
  case data(CompletionStyle, @Sendable (Result<(Data, TransferResponse), TransferError>) -> Void)
  /// Two closures: `claim` receives the body in a temporary file, which exists only until `claim` returns; `completion` then
  /// receives the task's result.
  case file(
    CompletionStyle, destination: String?, claim: @Sendable (DownloadedFile, TransferResponse) -> TransferError?,
    completion: @Sendable (Result<TransferResponse, TransferError>) -> Void)
  /// An asynchronous sequence, which receives the body in chunks.
  case bytes(IncomingBody)
  /// The tasks that share the transfer, to which the engine passes the response.
  case shared

  var style: CompletionStyle {
    switch self {
    case .delegate: .delegate
    case .data(let style, _), .file(let style, _, _, _): style
    case .bytes: .async
    case .shared: .shared
    }
  }

  /// The path to which the file will be moved. `nil` if not known in advance.
  var destination: String? {
    if case .file(_, let destination, _, _) = self { destination } else { nil }
  }
}
