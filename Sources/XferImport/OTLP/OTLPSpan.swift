import XferEvents

/// A span of an HTTP client (semantic conventions for HTTP 1.23 to 1.44, and the earlier names).
struct OTLPSpan {
  let exchange: ForeignExchange
  /// The number of times that the request was sent before.
  let resends: Int
  /// What spans of the same request have in common.
  let group: String

  /// - Returns: `nil` if the span is not one of an HTTP client.
  init?(_ span: JSONValue, service: String) {
    let attributes = OTLPAttributes(span["attributes"])
    let kind = span["kind"]?.scalarText ?? ""
    guard ["3", "SPAN_KIND_CLIENT"].contains(kind), let method = attributes["http.request.method"] ?? attributes["http.method"],
      let id = span["spanId"]?.text ?? span["span_id"]?.text
    else { return nil }
    let trace = span["traceId"]?.text ?? span["trace_id"]?.text ?? ""
    let url = Self.url(attributes)
    resends = attributes.integer("http.request.resend_count").map { Int(clamping: $0) } ?? 0
    group = "\(trace) \(span["parentSpanId"]?.text ?? "") \(method) \(url?.text ?? "")?\(url?.query ?? "")"
    var hash = NameHash()
    hash.add(id)
    let own = Self.ownTask(attributes)
    var exchange = ForeignExchange(
      task: own
        ?? TaskIdentity(
          uid: TaskUID(foreign: "otlp", trace, id), session: service, number: UInt32(truncatingIfNeeded: hash.value >> 40)))
    let start = span["startTimeUnixNano"]?.integer ?? span["start_time_unix_nano"]?.integer
    let end = span["endTimeUnixNano"]?.integer ?? span["end_time_unix_nano"]?.integer
    exchange.start = Moment(wallNanoseconds: start.flatMap { $0 > 0 ? $0 : nil })
    if let start, let end, end >= start, start > 0 { exchange.duration = end.subtractingClamped(start) }
    // A span without an end was exported before it had ended.
    exchange.isPending = end == nil || end == 0 || attributes["xfer.open"] == "true"
    if let retryIn = attributes.integer("xfer.retry_in"), retryIn >= 0 { exchange.isRetried = true }
    exchange.cacheAnswer = attributes["xfer.cache"].flatMap { name in CacheAnswer.allCases.first { $0.name == name } }
    Self.fill(&exchange, attributes, url, failure: Self.exception(span))
    // The status of a span with a response is unset unless something failed later, such as receiving the body.
    if exchange.failure == nil, Self.isError(span), exchange.status ?? 0 < 400 {
      var unnamed = ForeignFailure(exception: "error", message: span["status"]?["message"]?.text)
      // After a response, nothing tells what failed.
      if exchange.status != nil { unnamed.end = nil }
      exchange.failure = Self.exception(span) ?? unnamed
    }
    self.exchange = exchange
  }

  /// The task of a span that `xferlog export` wrote.
  private static func ownTask(_ attributes: OTLPAttributes) -> TaskIdentity? {
    guard let uid = attributes["xfer.task"].flatMap({ TaskUID($0) }), let session = attributes["xfer.session"],
      let number = attributes.integer("xfer.number").flatMap({ UInt32(exactly: $0) })
    else { return nil }
    return TaskIdentity(uid: uid, session: session, number: number)
  }

  private static func isError(_ span: JSONValue) -> Bool {
    ["2", "STATUS_CODE_ERROR"].contains(span["status"]?["code"]?.scalarText ?? "")
  }

  private static func exception(_ span: JSONValue) -> ForeignFailure? {
    for event in span["events"]?.elements ?? [] where event["name"]?.text == "exception" {
      let attributes = OTLPAttributes(event["attributes"])
      if let type = attributes["exception.type"] {
        return ForeignFailure(exception: type, message: attributes["exception.message"])
      }
    }
    return nil
  }

  static func url(_ attributes: OTLPAttributes) -> URLParts? {
    if let full = attributes["url.full"] ?? attributes["http.url"], let url = URLParts(full) { return url }
    guard let host = attributes["server.address"] ?? attributes["net.peer.name"] else {
      guard let host = attributes["http.host"] else { return nil }
      var url = URLParts(scheme: attributes["http.scheme"], path: attributes["http.target"])
      url.setAuthority(host)
      return url
    }
    return URLParts(
      scheme: attributes["url.scheme"] ?? attributes["http.scheme"], host: host,
      port: (attributes.integer("server.port") ?? attributes.integer("net.peer.port")).map { Int(clamping: $0) },
      path: attributes["url.path"] ?? attributes["http.target"])
  }

  static func fill(_ exchange: inout ForeignExchange, _ attributes: OTLPAttributes, _ url: URLParts?, failure: ForeignFailure?) {
    exchange.type = attributes["xfer.type"].flatMap { name in TaskType.allCases.first { $0.name == name } } ?? .data
    exchange.method = attributes["http.request.method"] ?? attributes["http.method"]
    exchange.url = url
    exchange.status = (attributes.integer("http.response.status_code") ?? attributes.integer("http.status_code"))
      .flatMap { $0 > 0 ? Int(clamping: $0) : nil }
    exchange.received = attributes.integer("http.response.body.size") ?? attributes.integer("http.response_content_length")
    exchange.sent = attributes.integer("http.request.body.size") ?? attributes.integer("http.request_content_length")
    exchange.remoteAddress = attributes["network.peer.address"]
    exchange.remotePort = attributes.integer("network.peer.port").map { Int(clamping: $0) }
    switch attributes["network.protocol.version"] {
    case "1.0", "1.1": exchange.protocol = "http/\(attributes["network.protocol.version"] ?? "1.1")"
    case "2": exchange.protocol = "h2"
    case "3": exchange.protocol = "h3"
    default: break
    }
    // The type of an error may be the status of the response, which is no failure of the transfer.
    if let type = attributes["error.type"], Int(type) == nil {
      exchange.failure =
        type.hasPrefix("ERR_") || type.hasPrefix("net::")
        ? ForeignFailure(chromium: type) : ForeignFailure(exception: type, message: failure?.message)
    } else if exchange.status == nil {
      exchange.failure = failure
    }
  }
}

/// Joins the spans of one request that was sent several times.
struct Resends {
  private var open: [String: (exchange: ForeignExchange, position: UInt64)] = [:]
  private var order: [String] = []

  private static let limit = 500

  /// Takes the next span.
  ///
  /// - Returns: the records that are complete now.
  mutating func take(_ span: OTLPSpan, position: UInt64) -> [(ForeignExchange, UInt64)] {
    var complete: [(ForeignExchange, UInt64)] = []
    var exchange = span.exchange
    if var earlier = open.removeValue(forKey: span.group) {
      order.removeAll { $0 == span.group }
      if span.resends > 0 {
        earlier.exchange.isRetried = true
        exchange.task = earlier.exchange.task
        exchange.attempt = earlier.exchange.attempt + 1
        exchange.isFirst = false
      }
      complete.append(earlier)
    }
    open[span.group] = (exchange, position)
    order.append(span.group)
    if order.count > Self.limit, let oldest = open.removeValue(forKey: order.removeFirst()) { complete.append(oldest) }
    return complete
  }

  mutating func takeAll() -> [(ForeignExchange, UInt64)] {
    defer { (open, order) = ([:], []) }
    return order.compactMap { open[$0] }
  }
}
