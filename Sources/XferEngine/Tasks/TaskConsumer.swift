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
  /// The body in memory.
  case data(CompletionStyle, @Sendable (Result<(Data, TransferResponse), TransferError>) -> Void)
  /// `claim` has the file for the length of its call.
  case file(
    CompletionStyle, destination: String?, claim: @Sendable (DownloadedFile, TransferResponse) -> TransferError?,
    completion: @Sendable (Result<TransferResponse, TransferError>) -> Void)
  /// The body as it comes, to whoever iterates over it.
  case bytes(IncomingBody)
  /// Tasks that share the transfer; the engine hands it over.
  case shared

  var style: CompletionStyle {
    switch self {
    case .delegate: .delegate
    case .data(let style, _), .file(let style, _, _, _): style
    case .bytes: .async
    case .shared: .shared
    }
  }

  /// Where the file is to end up, when that is known beforehand.
  var destination: String? {
    if case .file(_, let destination, _, _) = self { destination } else { nil }
  }
}
