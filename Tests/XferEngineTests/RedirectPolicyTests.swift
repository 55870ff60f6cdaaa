import HTTPTypes
import Testing
import XferEvents

@testable import XferEngine

struct RedirectPolicyTests {
  private let policy = RedirectPolicy(limit: 20)

  private func plan(_ url: String, _ method: HTTPRequest.Method = .get, _ fields: HTTPFields = [:]) throws -> RequestPlan {
    try RequestPlan(HTTPRequest(method: method, urlText: url, headerFields: fields), additional: [:])
  }

  private func decision(_ from: String, _ to: String, followed: Int = 0) throws -> RedirectDecision {
    switch policy.verdict(on: try plan(from), status: 302, location: to, followed: followed) {
    case .follow: .followed
    case .refuse(let decision, _, _): decision
    }
  }

  @Test(arguments: [
    ("http://h/", "https://h/", RedirectDecision.followed), ("https://h/", "https://o/", .followed),
    ("https://h/", "http://h/", .refusedDowngrade), ("https://h/", "//h/x", .followed), ("http://h/", "http://o/", .followed),
    ("http://h/", "ftp://h/", .refusedScheme), ("https://h/", "file:///etc/passwd", .refusedScheme),
    ("http://h/", "http://h:99999/", .badLocation), ("http://h/", "data:,x", .badLocation),
    ("http://h/", "javascript:alert(1)", .badLocation),
  ])
  func `A redirect may lead to http or https, but not from https to http`(
    from: String, to: String, expected: RedirectDecision
  ) throws {
    #expect(try decision(from, to) == expected)
  }

  @Test(arguments: [
    (301, "/x", true), (302, "/x", true), (303, "/x", true), (307, "/x", true), (308, "/x", true), (300, "/x", false),
    (304, "/x", false), (201, "/x", false), (301, "", false), (308, "", false), (302, nil, false),
  ])
  func `A redirect has one of five statuses and a target`(status: Int, location: String?, expected: Bool) {
    #expect(RedirectPolicy.applies(to: status, location: location) == expected)
  }

  @Test(arguments: [(0, RedirectDecision.followed), (19, .followed), (20, .tooMany)])
  func `The twenty-first redirect is refused`(followed: Int, expected: RedirectDecision) throws {
    #expect(try decision("http://h/", "/x", followed: followed) == expected)
  }

  @Test(arguments: [301, 302, 303, 307, 308], [HTTPRequest.Method.get, .head, .post, .put, .delete])
  func `301 and 302 change only POST to GET, and 303 changes all methods but HEAD`(status: Int, method: HTTPRequest.Method) {
    let expected: HTTPRequest.Method =
      switch (status, method) {
      case (303, .head): .head
      case (303, _): .get
      case (301, .post), (302, .post): .get
      default: method
      }
    #expect(RedirectPolicy.method(after: method, status: status) == expected)
  }

  @Test(arguments: [
    ("http://h/b", true), ("http://h:80/b", true), ("http://h:81/b", false), ("https://h/b", false), ("http://x/b", false),
  ])
  func `The caller's own fields are kept only within the origin`(target: String, kept: Bool) throws {
    let request = try plan("http://h/a", .get, [.authorization: "a", .init("X-Key")!: "k", .accept: "*/*", .cookie: "c"])
    guard case .follow(let next) = policy.verdict(on: request, status: 302, location: target, followed: 0) else {
      Issue.record("\(target) is followed")
      return
    }
    let names = next.fields.map(\.name.canonicalName)
    #expect(names == (kept ? ["authorization", "x-key", "accept", "cookie"] : ["accept"]))
  }

  @Test func `A redirect that drops the body also drops its content fields`() throws {
    let request = try plan("http://h/a", .post, [.contentType: "text/plain", .contentEncoding: "gzip", .accept: "*/*"])
    guard case .follow(let next) = policy.verdict(on: request, status: 303, location: "/b", followed: 0) else { return }
    #expect(next.fields.map(\.name.canonicalName) == ["accept"])
  }

  @Test(arguments: [300, 304, 305, 306, 399, 200])
  func `Only the five redirect statuses are redirects`(status: Int) {
    #expect(!RedirectPolicy.applies(to: status, location: "/x"))
  }
}
