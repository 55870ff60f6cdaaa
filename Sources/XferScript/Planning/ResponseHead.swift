/// The status line and header fields of a response, and the framing they announce.
struct ResponseHead {
  var status: Int
  var slice: Range<Int>
  /// Whether the response has a body. Responses to HEAD and responses with status 204 or 304 never have one.
  var hasBody = true
  var closes: Bool
  var validator: String?
  var bytes: [UInt8]

  init(_ question: ResponsePlan.Question, entity: Entity, answer: RangeAnswer) {
    let response = question.response
    guard response.raw == nil else {
      self.init(status: 0, slice: 0..<entity.count, closes: response.keepAlive != true, bytes: [])
      return
    }
    self.init(status: response.status, slice: 0..<entity.count, closes: false, bytes: [])
    var added = ScriptHeaders()
    apply(answer, size: entity.count, &added)
    let promised = slice.count
    if question.head.method == "HEAD" || status == 204 || status == 304 || status < 200 {
      hasBody = false
      slice = slice.lowerBound..<slice.lowerBound
    }
    closes = closes(question, promised: promised)
    addFields(question, promised: promised, &added)
    validator = response.headers["ETag"] ?? response.headers["Last-Modified"]
    bytes = Self.text(status: status, response, added)
  }

  private init(status: Int, slice: Range<Int>, closes: Bool, bytes: [UInt8]) {
    self.status = status
    self.slice = slice
    self.closes = closes
    self.bytes = bytes
  }

  private mutating func apply(_ answer: RangeAnswer, size: Int, _ added: inout ScriptHeaders) {
    switch answer {
    case .whole: break
    case .unsatisfiable:
      status = 416
      slice = 0..<0
      added.append("Content-Range", "bytes */\(size)")
    case .slice(let part, let status, let contentRange):
      self.status = status
      slice = part
      if let contentRange { added.append("Content-Range", contentRange) }
    }
  }

  /// Returns whether the connection closes after the response.
  ///
  /// A deliberately wrong length, or a body that only the end of the connection terminates, closes the connection.
  private func closes(_ question: ResponsePlan.Question, promised: Int) -> Bool {
    let response = question.response
    if let keepAlive = response.keepAlive { return !keepAlive || question.leavesBodyUnread }
    if question.leavesBodyUnread || !question.head.keepsAlive { return true }
    if response.headers["Connection"]?.lowercased() == "close" { return true }
    guard hasBody else { return false }
    if let chunked = response.chunked {
      if case .value = response.contentLength { return true }
      return chunked.malformed != nil
    }
    switch response.contentLength {
    case .automatic: return false
    case .none: return response.headers["Content-Length"] != "\(promised)"
    case .value(let length): return length != promised
    }
  }

  private func addFields(_ question: ResponsePlan.Question, promised: Int, _ added: inout ScriptHeaders) {
    let response = question.response
    if response.ranges != .ignore { added.append("Accept-Ranges", "bytes") }
    if var target = response.redirect {
      for (name, value) in question.captures.sorted(by: { $0.key < $1.key }) {
        target.replace("{\(name)}", with: value)
      }
      added.append("Location", target)
    }
    switch response.contentLength {
    case .none: break
    case .value(let length): added.append("Content-Length", "\(length)")
    case .automatic:
      if response.chunked == nil, status >= 200, status != 204, status != 304 {
        added.append("Content-Length", "\(promised)")
      }
    }
    if let chunked = response.chunked {
      added.append("Transfer-Encoding", "chunked")
      let names = chunked.trailers.fields.map(\.name)
      if !names.isEmpty { added.append("Trailer", names.joined(separator: ", ")) }
    }
    if closes { added.append("Connection", "close") }
    if let flood = response.headerFlood {
      let value = String(repeating: "x", count: flood.size)
      for index in 0..<flood.count { added.append("X-Flood-\(index + 1)", value) }
    }
  }

  private static func text(status: Int, _ response: ScriptedResponse, _ added: ScriptHeaders) -> [UInt8] {
    let reason = response.reason.flatMap { status == response.status ? $0 : nil } ?? StatusPhrase.usual(status)
    let scripted = Set(response.headers.fields.map { $0.name.lowercased() })
    var text = "HTTP/1.1 \(status) \(reason)\r\n"
    for field in response.headers.fields + added.fields.filter({ !scripted.contains($0.name.lowercased()) }) {
      text += "\(field.name): \(field.value)\r\n"
    }
    return Array((text + "\r\n").utf8)
  }
}

enum StatusPhrase {
  /// Returns the reason phrase of RFC 9110 §15, or an empty string for a status code that the RFC does not list.
  static func usual(_ status: Int) -> String { phrases[status] ?? "" }

  private static let phrases = [
    100: "Continue", 101: "Switching Protocols", 102: "Processing", 103: "Early Hints", 200: "OK", 201: "Created",
    202: "Accepted", 203: "Non-Authoritative Information", 204: "No Content", 205: "Reset Content",
    206: "Partial Content", 300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other",
    304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized",
    403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
    407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required",
    412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type",
    416: "Range Not Satisfiable", 417: "Expectation Failed", 421: "Misdirected Request", 422: "Unprocessable Content",
    425: "Too Early", 426: "Upgrade Required", 428: "Precondition Required", 429: "Too Many Requests",
    431: "Request Header Fields Too Large", 500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway",
    503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported", 507: "Insufficient Storage",
  ]
}
