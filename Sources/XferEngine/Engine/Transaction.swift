internal import XferEvents

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// One request and its response while they are on the wire.
struct Transaction {
  /// What becomes of the bytes of the body.
  enum Body {
    /// Nobody knows yet: they wait in the socket.
    case undecided
    case deliver
    case discard
  }

  /// Within the attempt, from 1.
  let number: Int
  /// `TransferClock.monotonic` when it was given to libcurl.
  let started: Int64
  /// Whether content encodings were offered and are undone.
  let decodes: Bool
  var head: ResponseHead
  /// Of the head, as they came; only for an app that wants them.
  var headLines = Data()
  var body = Body.undecided
  /// Undoes the body's content codings; `nil` where the bytes are taken as they come.
  var decoder: ContentDecoder?
  /// Connections that libcurl had made for it when it last said it had one.
  var connectionsMade = 0
  /// `nil` until there is a connection.
  var connection: ConnectionLedger.Key?
  var isReused: Bool?
  var remoteAddress: String?
  var remotePort: Int?
  var localAddress: String?
  var localPort: Int?
  var queueTime: Duration?
  var isRequestSent = false
  /// Bytes of the body that are there already.
  var skip: Int64 = 0
  /// Behind the last byte of the resource that the body has; `nil` for the whole.
  var end: Int64?
  /// The TLS connection whose end is the body's end, while it is observed; `nil` for a body that is delimited otherwise.
  var observedEnd: UnsafeRawPointer?
  /// Bytes that were thrown away.
  var discarded: Int64 = 0

  /// Whether the body is part of the task's result.
  var delivers: Bool { if case .deliver = body { true } else { false } }

  /// A redirect's body is read to keep the connection, but not for ever.
  static let discardLimit: Int64 = 64 * 1024
}
