import Testing
import XferServing

/// Which requests the server of `xferlog serve` answers, and which connections it keeps.
@Suite struct ServePolicyTests {
  private static let token = AccessToken("0123456789abcdef0123456789abcdef")!
  private static let folder = AccessToken("fedcba9876543210fedcba9876543210")!
  private static let policy = RequestPolicy(port: 8080, token: token, folder: folder)
  private static let cookie = "xferlog-8080=\(token.text)"

  private static func request(
    _ target: String = "/", method: String = "GET", hosts: [String] = ["127.0.0.1:8080"], cookies: [String] = [cookie],
    sites: [String] = ["same-origin"], hasBody: Bool = false
  ) -> ReportRequest {
    ReportRequest(method: method, target: target, hosts: hosts, cookies: cookies, sites: sites, hasBody: hasBody)
  }

  static let table: [(ReportRequest, RequestDecision)] = [
    (request(), .page),
    (request(method: "HEAD"), .page),
    (request("/data"), .data),
    (request("/\(folder.text)/"), .page),
    (request("/\(folder.text)/data"), .data),
    (request("/\(folder.text)/events?after=ab-3"), .news(after: "ab-3")),
    // After a restart, the page still has the folder of the earlier run.
    (request("/00000000000000000000000000000000/data"), .data),
    (request("/\(folder.text)//data"), .refuse(.unknownPath)),
    (request("/folder/data"), .refuse(.unknownPath)),
    (request("/events"), .news(after: "")),
    (request("/events?after=ab-3"), .news(after: "ab-3")),
    (request(hosts: ["localhost:8080"]), .page),
    (request(hosts: ["LOCALHOST:8080"]), .page),
    (request(hosts: ["[::1]:8080"]), .page),
    (request(sites: []), .page),
    (request(sites: ["none"]), .page),
    (request(cookies: ["a=b; \(cookie); c=d"]), .page),
    (request(cookies: ["a=b", cookie]), .page),
    // The host.
    (request(hosts: []), .refuse(.otherHost)),
    (request(hosts: ["127.0.0.1"]), .refuse(.otherHost)),
    (request(hosts: ["127.0.0.1:8081"]), .refuse(.otherHost)),
    (request(hosts: ["attacker.example:8080"]), .refuse(.otherHost)),
    (request(hosts: ["127.0.0.1:8080.attacker.example"]), .refuse(.otherHost)),
    (request(hosts: ["127.0.0.1:8080", "127.0.0.1:8080"]), .refuse(.otherHost)),
    // The method and the body.
    (request(method: "POST"), .refuse(.otherMethod)),
    (request(method: "OPTIONS"), .refuse(.otherMethod)),
    (request(method: "get"), .refuse(.otherMethod)),
    (request(hasBody: true), .refuse(.body)),
    // The site.
    (request(sites: ["cross-site"]), .refuse(.otherSite)),
    (request(sites: ["Cross-Site"]), .refuse(.otherSite)),
    // A page of another port.
    (request(sites: ["same-site"]), .refuse(.otherSite)),
    (request("/?token=\(token.text)", sites: ["cross-site"]), .refuse(.otherSite)),
    (request(sites: ["none", "cross-site"]), .refuse(.otherSite)),
    // The token.
    (request(cookies: []), .refuse(.noToken)),
    (request(cookies: ["xferlog-8081=\(token.text)"]), .refuse(.noToken)),
    (request(cookies: ["xferlog-8080=\(token.text.dropLast())"]), .refuse(.noToken)),
    (request(cookies: ["xferlog-8080=\(token.text)0"]), .refuse(.noToken)),
    (request(cookies: ["xferlog-8080=1123456789abcdef0123456789abcdef"]), .refuse(.noToken)),
    (request(cookies: ["xferlog-8080="]), .refuse(.noToken)),
    (request("/?token=", cookies: []), .refuse(.wrongToken)),
    (request("/?token=0123456789abcdef0123456789abcdee"), .refuse(.wrongToken)),
    (request("/?token=\(token.text)&token=x"), .refuse(.wrongToken)),
    (request("/nowhere", cookies: []), .refuse(.noToken)),
    // The address of the token, which never leads to another server.
    (
      request("/?token=\(token.text)", cookies: []),
      .admit(location: "/\(folder.text)/", cookie: "\(cookie); Path=/\(folder.text)/; HttpOnly; SameSite=Strict")
    ),
    (
      request("/events?token=\(token.text)&after=ab-3", cookies: []),
      .admit(location: "/\(folder.text)/events?after=ab-3", cookie: "\(cookie); Path=/\(folder.text)/; HttpOnly; SameSite=Strict")
    ),
    (request("//attacker.example/?token=\(token.text)"), .refuse(.unknownPath)),
    (request("http://127.0.0.1:8080/?token=\(token.text)"), .refuse(.unknownPath)),
    (request("/nowhere"), .refuse(.unknownPath)),
    (request("/data/"), .refuse(.unknownPath)),
    (request(""), .refuse(.unknownPath)),
  ]

  @Test func `Only requests with the token, from this site, for this server and without a body are answered`() {
    for (request, decision) in Self.table { #expect(Self.policy.decision(on: request) == decision, "\(request)") }
  }

  @Test func `A token has 128 random bits as lowercase hexadecimal digits`() {
    let tokens = (0..<1000).map { _ in AccessToken().text }
    #expect(Set(tokens).count == 1000)
    #expect(tokens.allSatisfy { $0.utf8.count == 32 && AccessToken($0)?.text == $0 })
    // Every digit varies.
    for place in 0..<32 { #expect(Set(tokens.map { Array($0)[place] }).count == 16) }
    for text in ["", "0123456789ABCDEF0123456789abcdef", "0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcdeg"] {
      #expect(AccessToken(text) == nil, "\(text)")
    }
  }

  @Test func `If there are too many connections, the oldest one without the token is closed`() {
    var table = ConnectionTable<Int>(limit: 3)
    #expect(table.add(1) == nil && table.add(2) == nil && table.add(3) == nil)
    table.trust(1)
    #expect(table.add(4) == 2)
    #expect(table.add(5) == 3)
    #expect(table.count == 3)
    table.trust(4)
    table.trust(5)
    // All others have the token, so the new one has no place.
    #expect(table.add(6) == 6)
    table.remove(4)
    #expect(table.count == 2)
    #expect(table.add(7) == nil)
    table.trust(6)
    #expect(table.count == 3)
  }
}
