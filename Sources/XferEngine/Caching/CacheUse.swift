#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

internal import XferEvents

/// The state of one request with regard to the session's cache.
struct CacheUse {
  /// Whether the cache was consulted about the next request.
  var isConsulted = false
  /// The request as the cache sees it. `nil` when the request bypasses the cache.
  var request: CacheRequest?
  /// The stored response for the request's URL, to be validated or to be used if the server fails. `nil` if there is none.
  var stored: StoredResponse?
  /// Whether the request validates the stored response.
  var isConditional = false
  /// Whether the request is repeated without conditions, because the server's 304 did not match the stored response.
  var isUnconditional = false
  /// The time at which the request was sent, in seconds since 1970.
  var requestTime: Int64 = 0

  /// The stored response to deliver when the current transaction has ended. `nil` if the server's response is delivered.
  var pending: Answer?
  /// The stored body that is being delivered. `nil` if none is.
  var replay: Replay?
  /// The response that is collected in order to be stored when it is complete. `nil` if the response must not be stored.
  var recording: Recording?

  struct Answer {
    let response: StoredResponse
    let kind: CacheAnswer
  }

  /// A stored body and how much of it was delivered, in bytes.
  struct Replay {
    let body: Data
    var offset = 0
  }

  /// A response that is collected for the cache while it is received.
  struct Recording {
    let head: StoredHead
    let limit: Int
    /// The collected body. `nil` when the task itself keeps the body in memory.
    var body: Data?
    var isTooLarge = false

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
      guard !isTooLarge, let count = body?.count else { return }
      isTooLarge = count + bytes.count > limit
      if isTooLarge { body = Data() } else { body?.append(contentsOf: bytes) }
    }
  }

  /// A complete response to be stored if the app agrees.
  struct Proposal {
    let head: StoredHead
    let cached: TransferSession.CachedResponse
  }
}
