/// One scripted response, including its exact bytes and how its connection ends.
///
/// The server sends responses that violate HTTP as written: wrong lengths, malformed chunks and truncated bodies are intended.
package struct ScriptedResponse: Sendable, Equatable {
  package var status: Int
  /// The reason phrase. `nil` means the usual phrase of the status code.
  package var reason: String?
  /// The header fields to send first, in this order. The server adds no field whose name is listed here.
  package var headers: ScriptHeaders
  package var body: ScriptBody
  package var contentLength: ContentLength
  /// The chunking of the body. `nil` means no chunking. A chunked response has no `Content-Length` unless `contentLength` is
  /// a number.
  package var chunked: Chunking?
  /// The pieces in which an unchunked body is written. `nil` means that the server chooses their size.
  package var pieces: Pieces?
  package var delay: Delays
  /// The send rate, in body bytes per second. `nil` means as fast as the client reads.
  package var rate: Int?
  package var cut: Cut?
  package var ranges: RangePolicy
  package var ifRange: IfRangePolicy
  /// The value of the `Location` field to add. `nil` means none. A `{name}` is replaced by the path's capture of that name.
  package var redirect: String?
  /// The exact bytes of the response, which replace the head, body and framing described by the other properties. The connection
  /// closes afterwards unless `keepAlive` is true. `nil` means that the other properties describe the response.
  package var raw: ScriptBody?
  /// Whether the connection stays open after the response. `false` also sends `Connection: close`. `nil` follows HTTP, and
  /// closes the connection when the framing is deliberately wrong.
  package var keepAlive: Bool?
  /// The status codes of interim responses to send first, such as 103.
  package var informational: [Int]
  package var continue100: ContinuePolicy
  package var headerFlood: HeaderFlood?

  package init(
    status: Int = 200, reason: String? = nil, headers: ScriptHeaders = [:], body: ScriptBody = .empty,
    contentLength: ContentLength = .automatic, chunked: Chunking? = nil, pieces: Pieces? = nil,
    delay: Delays = Delays(), rate: Int? = nil, cut: Cut? = nil, ranges: RangePolicy = .ignore,
    ifRange: IfRangePolicy = .honour, redirect: String? = nil, raw: ScriptBody? = nil, keepAlive: Bool? = nil,
    informational: [Int] = [], continue100: ContinuePolicy = .send, headerFlood: HeaderFlood? = nil
  ) {
    self.status = status
    self.reason = reason
    self.headers = headers
    self.body = body
    self.contentLength = contentLength
    self.chunked = chunked
    self.pieces = pieces
    self.delay = delay
    self.rate = rate
    self.cut = cut
    self.ranges = ranges
    self.ifRange = ifRange
    self.redirect = redirect
    self.raw = raw
    self.keepAlive = keepAlive
    self.informational = informational
    self.continue100 = continue100
    self.headerFlood = headerFlood
  }

  package static func status(_ status: Int) -> Self { Self(status: status) }

  package static func redirect(to target: String, status: Int = 302) -> Self {
    Self(status: status, redirect: target)
  }

  package static func raw(_ bytes: ScriptBody) -> Self { Self(raw: bytes) }

  /// Creates a response that sends nothing from this point on, until the client disconnects or the server stops.
  package static func hang(_ place: Cut.Place) -> Self { Self(cut: Cut(place, .hang)) }
}
