import Foundation
import HTTPTypes
import Testing
import XferEngine
import XferEvents
import XferScript

struct CookieTests {
  private typealias Cookie = TransferSession.Cookie

  private static let setting = ScriptedResponse(
    headers: ["Set-Cookie": "a=1", "set-cookie": "b=2; Path=/deep; HttpOnly", "SET-COOKIE": "c=3; Domain=example.org"])

  private func run(
    _ storage: TransferSession.CookieStorage?, accept: TransferSession.CookieAcceptPolicy = .always, sends: Bool = true,
    _ body: (Bench) async throws -> Void
  ) async throws {
    let configure = { (configuration: inout TransferSession.Configuration) in
      configuration.httpCookieStorage = storage
      configuration.httpCookieAcceptPolicy = accept
      configuration.httpShouldSetCookies = sends
    }
    let routes: [ServerScript.Route] = [
      .init("/set", Self.setting), .init("/go", .redirect(to: "/deep/er")), .init("/deep/*", .status(200)),
      .init("/*", .status(200)),
    ]
    try await Bench.run(routes, configure: configure) { bench in
      try await body(bench)
      await bench.log.wait { $0.count { $0.kind == .taskAcknowledged } == $0.count { $0.kind == .taskCreated } }
    }
  }

  private func cookies(_ bench: Bench) -> [String?] {
    bench.server.requests.map {
      $0.headers["Cookie"]?.split(separator: ";").map { $0.trimmingPrefix(" ") }.sorted().joined(separator: " ")
    }
  }

  @Test func `A received cookie is sent to matching paths, also after a redirect`()
    async throws
  {
    let storage = TransferSession.CookieStorage()
    try await run(storage) { bench in
      for path in ["/set", "/x", "/deep/x", "/go"] { _ = try await bench.session.data(for: bench.request(path)) }
      #expect(cookies(bench) == [nil, "a=1", "a=1 b=2", "a=1", "a=1 b=2"])
      let sent = bench.log.all(.attemptRequestSent).map { $0.text("headers")!.contains("cookie") }
      #expect(sent == [false, true, true, true, true])
    }
    #expect(Set(storage.cookies.map(\.name)) == ["a", "b"], "a cookie for another domain is rejected")
    #expect(storage.cookies.filter(\.isHTTPOnly).map(\.name) == ["b"])
    storage.removeSessionCookies()
    #expect(storage.cookies.isEmpty)
  }

  @Test func `A session can be configured not to store cookies, not to send them, or neither`() async throws {
    let storage = TransferSession.CookieStorage()
    storage.setCookie(Cookie(domain: "127.0.0.1", name: "own", value: "1"))
    try await run(storage, accept: .never) { bench in
      for path in ["/set", "/x"] { _ = try await bench.session.data(for: bench.request(path)) }
      #expect(cookies(bench) == ["own=1", "own=1"])
    }
    #expect(storage.cookies.map(\.name) == ["own"])
    try await run(storage, sends: false) { bench in
      for path in ["/set", "/x"] { _ = try await bench.session.data(for: bench.request(path)) }
      #expect(cookies(bench) == [nil, nil])
    }
    #expect(Set(storage.cookies.map(\.name)) == ["own", "a", "b"])
    try await run(nil) { bench in
      for path in ["/set", "/x"] { _ = try await bench.session.data(for: bench.request(path)) }
      #expect(cookies(bench) == [nil, nil])
    }
  }

  @Test func `A Cookie field in the request takes precedence over the storage`() async throws {
    let storage = TransferSession.CookieStorage()
    storage.setCookie(Cookie(domain: "127.0.0.1", name: "own", value: "1"))
    try await run(storage) { bench in
      _ = try await bench.session.data(for: bench.request("/x", .get, [.cookie: "mine=2"]))
      #expect(cookies(bench) == ["mine=2"])
    }
  }

  @Test func `Default sessions share a cookie storage, ephemeral sessions do not`() {
    #expect(TransferSession.Configuration.default.httpCookieStorage === TransferSession.Configuration.default.httpCookieStorage)
    #expect(
      TransferSession.Configuration.ephemeral.httpCookieStorage !== TransferSession.Configuration.ephemeral.httpCookieStorage)
  }

  @Test(arguments: [
    "example.org\tFALSE\t/\tFALSE\t0\tname\tvalue", "#HttpOnly_.example.org\tTRUE\t/a\tTRUE\t1999999999\tn\t",
  ])
  func `Cookie lines in Netscape format are read and written unchanged`(line: String) throws {
    #expect(Cookie(netscapeLine: line)?.netscapeLine == line)
  }

  @Test(arguments: ["", "# comment", "a\tb", "example.org\tFALSE\t/\tFALSE\tsoon\tname\tvalue", "\tFALSE\t/\tFALSE\t0\tn\tv"])
  func `A malformed cookie line is ignored`(line: String) {
    #expect(Cookie(netscapeLine: line) == nil)
  }

  @Test func `A cookie with control characters is not stored`() {
    let storage = TransferSession.CookieStorage()
    storage.setCookie(Cookie(domain: "127.0.0.1", name: "a", value: "1\n127.0.0.1\tFALSE\t/\tFALSE\t0\tb\t2"))
    storage.setCookie(Cookie(domain: "127.0.0.1", name: "a\tb", value: "1"))
    #expect(storage.cookies.isEmpty)
  }

  @Test func `A cookie storage can be used from many threads`() async throws {
    let storage = TransferSession.CookieStorage()
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for number in 0..<50 {
            storage.setCookie(Cookie(domain: "example.org", name: "n\(task)-\(number)", value: "v"))
            _ = storage.cookies.count
          }
        }
      }
    }
    #expect(!storage.cookies.isEmpty)
  }
}
