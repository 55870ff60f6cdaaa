import Foundation
import HTTPTypes
import Testing
import XferEngine
import XferEvents
import XferScript

struct RedirectTests {
  @Test(arguments: [301, 302, 303, 307, 308])
  func `A redirect is followed within the same attempt`(status: Int) async throws {
    let routes: [ServerScript.Route] = [
      .init("/from", ScriptedResponse(status: status, body: "moved", redirect: "to?x=1")), .init("/to", .generated(1000)),
    ]
    try await Bench.run(routes) { bench in
      let (data, response) = try await bench.session.data(for: bench.request("/from"))
      #expect(Array(data) == ScriptBody.bytes(seed: 1, size: 1000))
      #expect(response.urlText == bench.server.url("/to?x=1"))
      #expect(bench.server.connections == 1, "the body of the redirect must be read so that its connection can be reused")
      await bench.log.wait(for: .attemptEnded)
      let acquired = bench.log.all(.attemptConnectionAcquired)
      #expect(acquired.map { $0.number("transaction") } == [1, 2])
      #expect(acquired.map { $0.number("attempt") } == [1, 1])
      #expect(acquired.map { $0.flag("reused") } == [false, true])
      #expect(acquired[0].identifier("connection") == acquired[1].identifier("connection"))
      #expect(bench.log.all(.attemptRedirectReceived)[0].number("status") == Int64(status))
      #expect(bench.log.all(.attemptRedirectAnswered)[0].text("decision") == "followed")
      #expect(bench.log.all(.attemptEnded)[0].number("received") == 1000)
    }
  }

  @Test func `A 302 without a Location, and a 300, are results rather than redirects`() async throws {
    let routes: [ServerScript.Route] = [
      .init("/300", ScriptedResponse(status: 300, headers: ["Location": "/to"], body: "choose")),
      .init("/302", ScriptedResponse(status: 302, body: "nowhere")),
    ]
    try await Bench.run(routes) { bench in
      let (choices, _) = try await bench.session.data(for: bench.request("/300"))
      #expect(Array(choices) == Array("choose".utf8))
      let (nowhere, response) = try await bench.session.data(for: bench.request("/302"))
      #expect(Array(nowhere) == Array("nowhere".utf8))
      #expect(response.statusCode == 302)
    }
  }

  @Test(arguments: [0, 1, 20])
  func `A redirect loop ends at the redirect limit`(limit: Int) async throws {
    try await Bench.run([.init("/loop", .redirect(to: "/loop"))]) {
      $0.redirectLimit = limit
    } _: { bench in
      let error = await failure { _ = try await bench.session.data(for: bench.request("/loop")) }
      #expect(error?.code == .httpTooManyRedirects)
      #expect(error?.number == 47)
      #expect(bench.server.requests.count == limit + 1)
      await bench.log.wait(for: .attemptEnded)
      #expect(bench.log.all(.attemptRedirectAnswered).last?.text("decision") == "tooMany")
      #expect(bench.log.all(.attemptEnded)[0].text("end") == "redirectRefused")
    }
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1/x", "dict://127.0.0.1/x", "scp://127.0.0.1/x"])
  func `A redirect to another scheme is refused`(target: String) async throws {
    try await Bench.run([.init("/a", ScriptedResponse(status: 302, headers: ["Location": target]))]) { bench in
      let error = await failure { _ = try await bench.session.download(for: bench.request("/a"), to: bench.path("got")) }
      #expect(error?.code == .redirectRefused)
      #expect(error?.number == 1)
      #expect(bench.bytes("got") == nil)
      await bench.log.wait(for: .attemptEnded)
      #expect(bench.log.all(.attemptRedirectReceived)[0].text("scheme") == String(target.prefix { $0 != ":" }))
      #expect(bench.log.all(.attemptRedirectAnswered)[0].text("decision") == "refusedScheme")
    }
  }

  @Test func `A malformed Location fails the task`() async throws {
    try await Bench.run([.init("/a", ScriptedResponse(status: 302, headers: ["Location": "http://h:99999/"]))]) { bench in
      let error = await failure { _ = try await bench.session.data(for: bench.request("/a")) }
      #expect(error?.code == .badURL)
      #expect(error?.stage == .redirect)
      #expect(bench.log.all(.attemptRedirectAnswered)[0].text("decision") == "badLocation")
    }
  }

  private static let secrets: HTTPFields = [
    .authorization: "Bearer s3cret", .proxyAuthorization: "Basic s3cret", .cookie: "id=s3cret",
    .init("X-Api-Key")!: "s3cret", .init("X-Auth-Token")!: "s3cret", .init("PRIVATE-TOKEN")!: "s3cret",
  ]

  private static func carriesSecrets(_ request: ServedRequest) -> Bool {
    request.headers.fields.contains { $0.value.contains("s3cret") }
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `Credentials and unknown fields are dropped for good when a redirect changes the origin`(status: Int) async throws {
    try await ScriptedServer.serving(ServerScript([.init("/home", .generated(10))])) { third in
      let onward = ScriptedResponse.redirect(to: third.url("/home"), status: status)
      try await ScriptedServer.serving(ServerScript([.init("/there", onward)])) { other in
        try await Bench.run([.init("/away", .redirect(to: other.url("/there"), status: status))]) { bench in
          let fields: HTTPFields = Self.secrets + [.accept: "text/plain", .range: "bytes=0-"]
          _ = try await bench.session.data(for: bench.request("/away", .get, fields))
          #expect(Self.carriesSecrets(bench.server.requests[0]))
          #expect(!Self.carriesSecrets(other.requests[0]))
          #expect(!Self.carriesSecrets(third.requests[0]))
          #expect(other.requests[0].headers["Accept"] == "text/plain")
          #expect(other.requests[0].headers["Range"] == "bytes=0-")
          #expect(bench.log.all(.attemptRedirectAnswered).map { $0.flag("credentialsKept") } == [false, nil])
        }
      }
    }
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `Credentials are kept by a redirect within the origin`(status: Int) async throws {
    let routes: [ServerScript.Route] = [.init("/a", .redirect(to: "/b", status: status)), .init("/b", .generated(1))]
    try await Bench.run(routes) { bench in
      _ = try await bench.session.data(for: bench.request("/a", .get, Self.secrets))
      #expect(bench.server.requests.map(Self.carriesSecrets) == [true, true])
      #expect(bench.log.all(.attemptRedirectAnswered)[0].flag("credentialsKept") == true)
    }
  }

  @Test(arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
  func `A redirect changes POST to GET depending on its status`(status: Int, method: String) async throws {
    let routes: [ServerScript.Route] = [.init("/a", .redirect(to: "/b", status: status)), .init("/b", .generated(1))]
    try await Bench.run(routes) { bench in
      _ = try await bench.session.data(for: bench.request("/a", .post, [.contentType: "text/plain"]))
      #expect(bench.server.requests[1].method == method)
      #expect((bench.server.requests[1].headers["Content-Type"] != nil) == (method == "POST"))
    }
  }

  @Test func `If the delegate refuses a redirect, its response and body are the result`() async throws {
    let delegate = RecordingDelegate(redirect: { _ in nil })
    try await Bench.run([.init("/a", ScriptedResponse(status: 302, body: "over there", redirect: "/b"))], delegate: delegate) {
      bench in
      let task = try bench.session.dataTask(with: bench.request("/a"))
      task.resume()
      await bench.log.wait(for: .taskAcknowledged)
      #expect(delegate.seen.calls == ["redirect", "response", "data", "metrics", "complete"])
      #expect(delegate.seen.data[1] == Array("over there".utf8))
      #expect(task.response?.statusCode == 302)
      #expect(task.error == nil)
      #expect(bench.log.all(.attemptRedirectAnswered)[0].text("decision") == "refusedByApp")
      #expect(bench.log.all(.taskHeld)[0].text("hold") == "redirect")
      #expect(bench.log.all(.taskHoldEnded).count == 1)
    }
  }

  @Test func `The delegate may change the target of a redirect`() async throws {
    let delegate = RecordingDelegate(redirect: { request in
      var request = request
      request.path = "/c"
      request.headerFields[.accept] = "text/csv"
      return request
    })
    try await Bench.run([.init("/a", .redirect(to: "/b")), .init("/c", .generated(7))], delegate: delegate) { bench in
      let task = try bench.session.dataTask(with: bench.request("/a"))
      task.resume()
      await bench.log.wait(for: .taskAcknowledged)
      #expect(delegate.seen.data[1]?.count == 7)
      #expect(bench.server.requests[1].headers["Accept"] == "text/csv")
      #expect(task.currentRequest.path == "/c")
      #expect(task.originalRequest.path == "/a")
      #expect(bench.log.all(.attemptRedirectAnswered)[0].text("by") == "app")
    }
  }

  @Test func `A redirect with a very large body is followed on a new connection`() async throws {
    let routes: [ServerScript.Route] = [
      .init("/a", ScriptedResponse(status: 302, body: .generated(size: 50_000_000), redirect: "/b")), .init("/b", .generated(9)),
    ]
    try await Bench.run(routes) { bench in
      let (data, _) = try await bench.session.data(for: bench.request("/a"))
      #expect(data.count == 9)
      #expect(bench.server.connections == 2)
      #expect(bench.server.requests[0].bodyBytesWritten < 50_000_000)
    }
  }
}

extension HTTPFields {
  static func + (left: HTTPFields, right: HTTPFields) -> HTTPFields {
    var sum = left
    for field in right { sum.append(field) }
    return sum
  }
}
