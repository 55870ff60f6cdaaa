#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

internal import XferEvents

/// What one request of a task has to do with the session's cache.
struct CacheUse {
  /// Whether the cache was asked about the next request.
  var isAsked = false
  /// What the cache knows the request by; `nil` when it has nothing to do with it.
  var request: CacheRequest?
  /// What there is for its URL and what may become of it: it is asked about, or stands in for a server that fails.
  var stored: StoredResponse?
  /// Whether the server is asked if that is still good.
  var isConditional = false
  /// Whether the server has contradicted itself, and is asked without conditions.
  var isUnconditional = false
  /// Seconds since 1970, when the request went out.
  var requestTime: Int64 = 0

  /// The answer, once the transaction is over that brought no other.
  var pending: Answer?
  /// The answer that the task is getting.
  var replay: Replay?
  /// The response that may be stored when it is whole.
  var recording: Recording?

  struct Answer {
    let response: StoredResponse
    let kind: CacheAnswer
  }

  /// A stored body on its way to the app.
  struct Replay {
    let body: Data
    var offset = 0
  }

  /// A response as it comes.
  struct Recording {
    let head: StoredHead
    let limit: Int
    /// `nil` where the task has the body in memory anyway.
    var body: Data?
    var isTooLarge = false

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
      guard !isTooLarge, let count = body?.count else { return }
      isTooLarge = count + bytes.count > limit
      if isTooLarge { body = Data() } else { body?.append(contentsOf: bytes) }
    }
  }

  /// What is stored once the app has agreed.
  struct Proposal {
    let head: StoredHead
    let cached: TransferSession.CachedResponse
  }
}
