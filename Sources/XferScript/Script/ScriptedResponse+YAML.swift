extension ScriptedResponse {
  private static let keys = [
    "status", "reason", "headers", "body", "contentLength", "chunked", "pieces", "delay", "rate", "cut", "hang", "ranges",
    "ifRange", "redirect", "raw", "keepAlive", "informational", "continue100", "headerFlood",
  ]

  /// The keys that can be combined with `raw`.
  private static let keysWithRaw = ["raw", "pieces", "delay", "rate", "cut", "hang", "keepAlive", "continue100"]

  init(_ node: ScriptNode) throws(ScriptError) {
    let fields = try node.fields(Self.keys)
    self.init()
    try readHead(fields)
    try readBody(fields)
    try readPace(fields)
    try readCut(fields)
    if let raw = fields["raw"] {
      self.raw = try ScriptBody(raw)
      for key in Self.keys where fields[key] != nil && !Self.keysWithRaw.contains(key) {
        throw fields[key]!.failure("`\(key)` conflicts with `raw`", "Remove `\(key)`, or write it into the bytes of `raw`.")
      }
    }
    for problem in problems() {
      throw (fields[problem.key] ?? fields["hang"] ?? node).failure(problem.problem, problem.advice)
    }
  }

  private mutating func readHead(_ fields: ScriptFields) throws(ScriptError) {
    status = try fields["status"]?.integer() ?? status
    reason = try fields["reason"]?.text()
    headers = try fields["headers"]?.headers() ?? headers
    keepAlive = try fields["keepAlive"]?.flag()
    continue100 = try fields["continue100"]?.choice(ContinuePolicy.self) ?? continue100
    ranges = try fields["ranges"]?.choice(RangePolicy.self) ?? ranges
    ifRange = try fields["ifRange"]?.choice(IfRangePolicy.self) ?? ifRange
    for status in fields["informational"]?.list() ?? [] { informational.append(try status.integer()) }
    if let redirect = try fields["redirect"]?.fields(["to", "status"]) {
      if let status = fields["status"] { throw status.failure("`status` conflicts with `redirect`", "Put it in `redirect`.") }
      self.redirect = try redirect.required("to", "Write `redirect: { to: /other }`.").text()
      status = try redirect["status"]?.integer() ?? 302
    }
    if let flood = try fields["headerFlood"]?.fields(["count", "size"]) {
      headerFlood = HeaderFlood(count: try flood.required("count", "Write `count: 5000`.").integer())
      headerFlood!.size = try flood["size"]?.size() ?? headerFlood!.size
    }
  }

  private mutating func readBody(_ fields: ScriptFields) throws(ScriptError) {
    if let body = fields["body"] { self.body = try ScriptBody(body) }
    if let length = fields["contentLength"] {
      switch try length.text() {
      case "auto": contentLength = .automatic
      case "none": contentLength = .none
      case let text:
        guard let number = Int(text) else {
          throw length.failure("`\(text)` is not a length", "Write `auto`, `none` or a number, correct or not.")
        }
        contentLength = .value(number)
      }
    }
    if let chunked = try fields["chunked"]?.fields(["size", "delay", "trailers", "malformed"]) {
      var chunking = Chunking()
      chunking.size = try chunked["size"]?.size() ?? chunking.size
      chunking.delay = try chunked["delay"]?.duration() ?? chunking.delay
      chunking.trailers = try chunked["trailers"]?.headers() ?? chunking.trailers
      chunking.malformed = try chunked["malformed"]?.choice(Chunking.Malformation.self)
      self.chunked = chunking
    }
  }

  private mutating func readPace(_ fields: ScriptFields) throws(ScriptError) {
    rate = try fields["rate"]?.rate()
    if let delay = try fields["delay"]?.fields(["beforeStatus", "beforeBody"]) {
      self.delay.beforeStatus = try delay["beforeStatus"]?.duration() ?? .zero
      self.delay.beforeBody = try delay["beforeBody"]?.duration() ?? .zero
    }
    if let pieces = try fields["pieces"]?.fields(["size", "delay"]) {
      self.pieces = Pieces(
        size: try pieces.required("size", "Write `size: 100`.").size(), delay: try pieces["delay"]?.duration() ?? .zero)
    }
  }

  private mutating func readCut(_ fields: ScriptFields) throws(ScriptError) {
    let advice = "A response is cut only once. Remove one of the two."
    guard let (key, node) = try fields.only(["cut", "hang"], advice) else { return }
    guard key == "cut" else {
      cut = Cut(try node.choice(NamedPlace.self).place, .hang)
      return
    }
    let cut = try node.fields(["at", "afterBodyBytes", "afterRequestBytes", "how"])
    let how = try cut["how"]?.choice(Cut.Manner.self) ?? .close
    switch try cut.only(["at", "afterBodyBytes", "afterRequestBytes"], advice) {
    case ("at", let place)?: self.cut = Cut(try place.choice(NamedPlace.self).place, how)
    case ("afterBodyBytes", let count)?: self.cut = Cut(.afterBodyBytes(try count.size()), how)
    case (_, let count)?: self.cut = Cut(.afterRequestBytes(try count.size()), how)
    case nil:
      throw node.failure(
        "the cut has no place", "Write `at: \(NamedPlace.midBody.rawValue)`, or `afterBodyBytes: 400000`.")
    }
  }

  private enum NamedPlace: String, CaseIterable {
    case beforeStatus = "before-status"
    case midHeaders = "mid-headers"
    case afterHeaders = "after-headers"
    case midBody = "mid-body"
    case afterBody = "after-body"

    var place: Cut.Place {
      switch self {
      case .beforeStatus: .beforeStatus
      case .midHeaders: .midHeaders
      case .afterHeaders: .afterHeaders
      case .midBody: .midBody
      case .afterBody: .afterBody
      }
    }
  }
}
