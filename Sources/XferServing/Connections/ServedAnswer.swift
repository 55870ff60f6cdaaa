internal import NIOCore
internal import NIOHTTP1
import XferEvents

/// An HTTP answer.
struct ServedAnswer {
  let status: Int
  var fields: [(name: String, value: String)]
  let body: ByteBuffer
  /// Whether the connection may be used for another request.
  var staysOpen = true

  /// The header fields of every answer. They keep the answer out of caches, of other pages and of other processes of the browser.
  private static let common = [
    ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
  ]
  /// The policy of answers that are not the page: they load and run nothing.
  private static let closedPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  private init(_ status: Int, type: String, policy: String = closedPolicy, _ body: ByteBuffer, _ fields: [(String, String)] = [])
  {
    self.status = status
    self.body = body
    self.fields = Self.common + [("Content-Security-Policy", policy), ("Content-Type", type)] + fields
  }

  private static func sentence(_ status: Int, _ sentence: String, _ fields: [(String, String)] = []) -> ServedAnswer {
    ServedAnswer(status, type: "text/plain; charset=utf-8", ByteBuffer(string: sentence + "\n"), fields)
  }

  static func refusal(_ refusal: RequestRefusal) -> ServedAnswer {
    var answer = sentence(refusal.status, refusal.sentence, refusal == .otherMethod ? [("Allow", "GET, HEAD")] : [])
    answer.staysOpen = false
    return answer
  }

  static func metrics(_ answer: LiveMetrics.Answer) -> ServedAnswer {
    switch answer {
    case .metrics(let text): ServedAnswer(200, type: "text/plain; version=0.0.4; charset=utf-8", ByteBuffer(string: text))
    case .problem(let problem): sentence(503, problem)
    }
  }

  /// The answer's head.
  ///
  /// - Parameter staysOpen: whether the connection stays open.
  func head(staysOpen: Bool) -> HTTPResponseHead {
    var head = HTTPResponseHead(version: .http1_1, status: HTTPResponseStatus(statusCode: status))
    for (name, value) in fields { head.headers.add(name: name, value: value) }
    head.headers.add(name: "Content-Length", value: "\(body.readableBytes)")
    if !staysOpen { head.headers.add(name: "Connection", value: "close") }
    return head
  }

  static func redirect(to location: String, cookie: String) -> ServedAnswer {
    sentence(303, "The page is at \(location).", [("Location", location), ("Set-Cookie", cookie)])
  }

  static func page(_ news: LiveReport.News, _ pages: ServedPages.Page) -> ServedAnswer {
    ServedAnswer(
      200, type: "text/html; charset=utf-8", policy: pages.policy, news.report?.page ?? ByteBuffer(bytes: pages.withoutReport))
  }

  static func news(_ news: LiveReport.News, at time: WallTime) -> ServedAnswer {
    ServedAnswer(200, type: "application/json", ByteBuffer(bytes: news.json(at: time)))
  }

  static func data(_ news: LiveReport.News) -> ServedAnswer {
    guard let report = news.report else { return sentence(404, "There is no report yet.") }
    return ServedAnswer(200, type: "application/octet-stream", report.data, [("Report-Number", news.reportNumber)])
  }
}
