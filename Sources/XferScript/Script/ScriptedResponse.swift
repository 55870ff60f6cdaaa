/// One response, down to its bytes and its end on the wire.
///
/// Nothing that contradicts HTTP is corrected: a wrong length, a bad chunk or a response that breaks off is the point.
public struct ScriptedResponse: Sendable, Equatable {
  public var status: Int
  /// `nil` means the status code's usual phrase.
  public var reason: String?
  /// Sent in this order, before the fields that the server adds; a field named here is never added again.
  public var headers: ScriptHeaders
  public var body: ScriptBody
  public var contentLength: ContentLength
  /// Sends the body in chunks; then no `Content-Length` is added unless it is given as a number.
  public var chunked: Chunking?
  /// Writes an unchunked body in pieces.
  public var pieces: Pieces?
  public var delay: Delays
  /// Body bytes per second; `nil` means as fast as the client reads.
  public var rate: Int?
  public var cut: Cut?
  public var ranges: RangePolicy
  public var ifRange: IfRangePolicy
  /// The `Location`; `{name}` stands for the path's capture.
  public var redirect: String?
  /// The exact bytes of the response, in place of everything that this type says about head, body and framing. The
  /// connection is closed after them unless `keepAlive` is true.
  public var raw: ScriptBody?
  /// `false` closes after the response and says so; `true` keeps the connection whatever the framing; `nil` follows
  /// HTTP, and closes where the framing is wrong on purpose.
  public var keepAlive: Bool?
  /// Interim responses before the status, such as 103.
  public var informational: [Int]
  public var continue100: ContinuePolicy
  public var headerFlood: HeaderFlood?

  public init(
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

  public static func status(_ status: Int) -> Self { Self(status: status) }

  public static func redirect(to target: String, status: Int = 302) -> Self {
    Self(status: status, redirect: target)
  }

  public static func raw(_ bytes: ScriptBody) -> Self { Self(raw: bytes) }

  /// Stays silent at this place until the client goes away or the server stops.
  public static func hang(_ place: Cut.Place) -> Self { Self(cut: Cut(place, .hang)) }
}
