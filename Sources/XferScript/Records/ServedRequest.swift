/// What the server itself knows about one request: the truth to which a log is compared.
public struct ServedRequest: Sendable, Equatable {
  public enum Phase: String, Sendable {
    /// Its body is being read.
    case receiving
    /// The response is being sent, or waits for its time.
    case responding
    /// The script keeps it without a word.
    case hanging
    case ended
  }

  /// How it ended, as the server saw it.
  public enum Ending: String, Sendable {
    /// Every byte of the response was handed to the kernel.
    case complete
    /// The script closed the connection before the response was complete, or right after it.
    case closed
    /// The same with a reset.
    case reset
    /// The script kept silent until the client went away or the server stopped.
    case hung
    case clientWentAway = "client-went-away"
    case serverStopped = "server-stopped"
  }

  /// 1, 2, … in the order in which heads were complete, over all connections.
  public var sequence: Int
  /// 1, 2, … in the order of accepts.
  public var connection: Int
  /// Empty, as is `target`, when the request could not be read.
  public var method: String
  public var target: String
  public var headers: ScriptHeaders
  /// The path of the route that answers; `nil` when none does.
  public var route: String?
  /// Which of the route's responses, from 0.
  public var turn: Int?

  public var requestBodyBytes = 0
  /// CRC-32 as in zlib, of the request body bytes so far.
  public var requestBodyCRC32: UInt32 = 0

  /// The status in the response's head, once that is written; `nil` when the response is cut before it.
  public var status: Int?
  public var validator: String?
  /// Bytes of the whole resource, whatever part of it is sent.
  public var entityBytes: Int?
  /// Offset in the resource of the body's first byte.
  public var bodyOffset: Int?
  /// Body bytes of an uncut response to this request.
  public var bodyBytesPlanned: Int?
  /// Body bytes that the server's kernel took, without framing; the client may have read fewer yet. Exact when the
  /// script ends the response; when the client goes away, the kernel may have taken part of one more block.
  public var bodyBytesWritten = 0

  public var phase = Phase.receiving
  public var ending: Ending?
  /// Why it was refused.
  public var problem: String?

  /// By the server's clock, when the head was complete.
  public var received: Duration
  /// When the kernel had the response's head.
  public var responded: Duration?
  /// When the kernel had the first body bytes.
  public var bodyBegan: Duration?
  public var ended: Duration?
}
