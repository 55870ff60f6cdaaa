/// The server's own record of one request, used as the ground truth that a log is compared with.
package struct ServedRequest: Sendable, Equatable {
  package enum Phase: String, Sendable {
    /// The request's body is being read.
    case receiving
    /// The response is being sent or is waiting for its scripted delay.
    case responding
    /// The script keeps the connection open without sending anything.
    case hanging
    case ended
  }

  /// The ending of a request, as seen by the server.
  package enum Ending: String, Sendable {
    /// The kernel accepted every byte of the response.
    case complete
    /// The script closed the connection before the response was complete, or right after it.
    case closed
    /// The script reset the connection before the response was complete, or right after it.
    case reset
    /// The script sent nothing more until the client disconnected or the server stopped.
    case hung
    case clientWentAway = "client-went-away"
    case serverStopped = "server-stopped"
  }

  /// The request's number, from 1, in the order in which request heads were completed over all connections.
  package var sequence: Int
  /// The connection's number, from 1, in the order in which connections were accepted.
  package var connection: Int
  /// The request method. Empty, like `target`, when the request could not be parsed.
  package var method: String
  package var target: String
  package var headers: ScriptHeaders
  /// The path pattern of the route that answers the request. `nil` when no route matches.
  package var route: String?
  /// The index of the response in the route's list, from 0. `nil` when no route matches.
  package var turn: Int?

  package var requestBodyBytes = 0
  /// The zlib CRC-32 of the request body bytes received so far.
  package var requestBodyCRC32: UInt32 = 0

  /// The response's status code, set when the head is written. `nil` when the response was cut before its head.
  package var status: Int?
  package var validator: String?
  /// The size of the whole resource in bytes, even when only a part of the resource is sent. `nil` until the head is written.
  package var entityBytes: Int?
  /// The offset in the resource at which the response body starts, in bytes. `nil` until the head is written.
  package var bodyOffset: Int?
  /// The number of body bytes that the response would have if it were not cut. `nil` until the head is written.
  package var bodyBytesPlanned: Int?
  /// The number of body bytes accepted by the server's kernel, excluding chunk framing.
  ///
  /// The client may have read fewer bytes so far. The number is exact when the script ends the response. When the client
  /// disconnects first, the kernel may have accepted part of one more block.
  package var bodyBytesWritten = 0

  package var phase = Phase.receiving
  package var ending: Ending?
  /// The reason for which the server refused the request or could not send the scripted response. `nil` if there is none.
  package var problem: String?

  /// The time at which the request's head was complete, by the server's clock.
  package var received: Duration
  /// The time at which the kernel accepted the response's head, by the server's clock. `nil` until then.
  package var responded: Duration?
  /// The time at which the kernel accepted the first body bytes, by the server's clock. `nil` until then.
  package var bodyBegan: Duration?
  package var ended: Duration?
}
