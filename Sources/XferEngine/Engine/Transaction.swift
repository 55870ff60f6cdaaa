internal import XferEvents

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// One HTTP request and its response while they are in flight.
struct Transaction {
  /// The treatment of body bytes.
  enum Body {
    /// Neither the engine nor the app has decided what to do with the body. The bytes stay in the socket.
    case undecided
    case deliver
    case discard
  }

  /// The number of the transaction within its attempt, from 1.
  let number: Int
  /// The time at which the transaction was created (`TransferClock.monotonic`).
  let started: Int64
  /// Whether content codings were offered and are decoded.
  let decodes: Bool
  var head: ResponseHead
  /// The raw lines of the response head that were not delivered yet. Collected only if the app wants them.
  var headLines = Data()
  var body = Body.undecided
  /// The decoder of the body's content codings. `nil` when the body is delivered as received.
  var decoder: ContentDecoder?
  /// The number of connections that libcurl had opened for the transaction when it last acquired one.
  var connectionsMade = 0
  /// The connection of the transaction. `nil` until one is acquired.
  var connection: ConnectionLedger.Key?
  var isReused: Bool?
  /// Whether a TCP connection was open when the transaction ended.
  var hasSocket = false
  var remoteAddress: String?
  var remotePort: Int?
  var localAddress: String?
  var localPort: Int?
  var queueTime: Duration?
  var isRequestSent = false
  /// The number of leading body bytes to drop because the partial file already has them.
  var skip: Int64 = 0
  /// The offset in the resource at which the declared range ends (exclusive). `nil` for the whole resource.
  var end: Int64?
  /// The observed TLS connection whose close marks the end of the body. `nil` when the body is delimited otherwise.
  var observedEnd: UnsafeRawPointer?
  /// The number of body bytes that were discarded.
  var discarded: Int64 = 0
  /// The discarded bytes of a response after which the request is retried. Collected only if the app wants them.
  var retriedBody = Data()

  /// Whether the body is part of the task's result.
  var delivers: Bool { if case .deliver = body { true } else { false } }

  /// The maximum number of discarded body bytes. A redirect's body is read so that its connection can be reused.
  static let discardLimit: Int64 = 64 * 1024
}
