internal import NIOCore

/// The complete plan for answering one request, including the exact bytes of the response head.
struct ResponsePlan {
  enum Framing: Equatable {
    case plain(pieceSize: Int)
    case chunked(ScriptedResponse.Chunking)
  }

  /// The response's status code. `nil` for a raw response that does not begin with a status line.
  var status: Int?
  var informational: [Int] = []
  var head: [UInt8]
  var entity: Entity
  /// The range of the entity's bytes to send as the body.
  var slice: Range<Int>
  var framing: Framing
  /// The pause between two pieces or chunks.
  var pause: Duration
  var delay: ScriptedResponse.Delays
  var rate: Int?
  var cut: ScriptedResponse.Cut?
  var closes: Bool
  /// The validator as sent: the `ETag` field or, without one, the `Last-Modified` field. `nil` when the response has neither.
  var validator: String?
  var problem: String?
}

extension ResponsePlan {
  /// A request together with the scripted response to it.
  struct Question {
    var head: RequestHead
    var response: ScriptedResponse
    var captures: [String: String] = [:]
    var scriptSeed: UInt64 = 0
    /// Whether the request's body is left unread, which makes the connection unusable for another request.
    var leavesBodyUnread = false
  }

  init(_ question: Question) {
    let (head, response) = (question.head, question.response)
    guard let entity = Entity(response.raw ?? response.body, path: head.path, scriptSeed: question.scriptSeed) else {
      self.init(refusal: RequestRefusal(status: 500, problem: "the body's file cannot be opened"), to: head)
      return
    }
    let answer = response.raw == nil ? RangeAnswer(response, to: head, size: entity.count) : .whole
    let layout = ResponseHead(question, entity: entity, answer: answer)
    self.init(
      status: response.raw == nil ? layout.status : Self.statusLine(of: entity), head: layout.bytes, entity: entity,
      slice: layout.slice, framing: .plain(pieceSize: response.pieces?.size ?? Self.blockSize),
      pause: response.pieces?.delay ?? response.chunked?.delay ?? .zero, delay: response.delay, rate: response.rate,
      cut: response.cut, closes: layout.closes, validator: layout.validator)
    if response.raw == nil {
      informational = response.informational
      if let chunked = response.chunked, layout.hasBody { framing = .chunked(chunked) }
    }
  }

  /// Creates a short error response to a request that no script covers. `head` is `nil` when the request could not be parsed. By
  /// default the connection closes after the response.
  init(refusal: RequestRefusal, to head: RequestHead?, keepAlive: Bool? = false) {
    let text = ScriptBody.text(refusal.problem + "\n")
    let response = ScriptedResponse(
      status: refusal.status, headers: ["Content-Type": "text/plain"], body: text, keepAlive: keepAlive)
    let head = head ?? RequestHead(method: "", target: "", minorVersion: 1, headers: [:])
    self.init(Question(head: head, response: response))
    problem = refusal.problem
  }

  /// The largest piece of an unpaced body, in bytes: large enough to keep a loopback connection busy, and small enough for
  /// the server to count sent bytes precisely.
  private static let blockSize = 64 << 10

  private static func statusLine(of entity: Entity) -> Int? {
    guard case .bytes(var bytes) = entity, let text = bytes.readString(length: 12), text.hasPrefix("HTTP/1.") else {
      return nil
    }
    return Int(text.suffix(3))
  }
}
