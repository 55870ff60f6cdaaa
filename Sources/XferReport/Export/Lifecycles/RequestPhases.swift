package import XferEvents

/// The consecutive parts of a request's duration, in nanoseconds. Their sum is the duration.
package struct RequestPhases {
  /// The time before the name lookup: the wait for a connection.
  package private(set) var queue: Int64
  /// `nil` if the log does not tell, for example because the connection was reused. The same applies to `connect` and `secure`.
  package private(set) var nameLookup: Int64?
  package private(set) var connect: Int64?
  package private(set) var secure: Int64?
  package private(set) var send: Int64
  package private(set) var wait: Int64
  package private(set) var receive: Int64

  package init(_ request: ExportedRequest, until end: Moment) {
    func elapsed(_ from: Moment, _ to: Moment) -> Int64 { ExportClock.elapsed(from: from, to: to) }
    let answered = request.responded ?? end
    let sent = request.sentAt ?? request.connected ?? answered
    let connected = request.connected ?? sent
    let untilConnected = elapsed(request.start, connected)
    nameLookup = request.nameLookupTime?.nanoseconds
    connect = request.connectTime?.nanoseconds
    secure = request.secureTime?.nanoseconds
    let known = [nameLookup, connect, secure].reduce(Int64(0)) { $0.addingClamped(max(0, $1 ?? 0)) }
    if known > untilConnected {
      // The log's clock and libcurl's differ a little. Parts that do not fit are not claimed.
      (nameLookup, connect, secure) = (nil, nil, nil)
      queue = untilConnected
    } else {
      queue = untilConnected - known
    }
    send = elapsed(connected, sent)
    wait = elapsed(sent, answered)
    let rest = [untilConnected, send, wait].reduce(Int64(0)) { $0.addingClamped($1) }
    receive = max(0, elapsed(request.start, end).subtractingClamped(rest))
  }

  package var total: Int64 { parts.reduce(Int64(0)) { $0.addingClamped($1.duration) } }

  /// The parts that the log tells, with their names.
  package var parts: [(name: StaticString, duration: Int64)] {
    let all: [(StaticString, Int64?)] = [
      ("queue", queue), ("dns", nameLookup), ("connect", connect), ("tls", secure), ("send", send), ("wait", wait),
      ("receive", receive),
    ]
    return all.compactMap { name, duration in duration.map { (name, $0) } }
  }
}
