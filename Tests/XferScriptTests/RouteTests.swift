import Testing
import XferScript

@Suite(.timeLimit(.minutes(1))) struct RouteTests {
  /// Returns the bodies of GET requests for the paths, each on its own connection. An empty string means no response.
  private func bodies(_ script: ServerScript, _ paths: String...) async throws -> [String] {
    try await ScriptedServer.serving(script) { server in
      var bodies: [String] = []
      for path in paths {
        let (heard, _) = try await RawClient.exchange("GET \(path) HTTP/1.0\r\n\r\n", with: server)
        bodies.append(heard.afterHead)
      }
      return bodies
    }
  }

  private let abc = ["a", "b", "c"].map { ScriptedResponse(body: .text($0)) }

  @Test func `The first matching route answers a request`() async throws {
    let script = ServerScript([
      .init("/a", .init(body: "exact")), .init("/{name}", .init(body: "capture")), .init("/a/*", .init(body: "star")),
      .init("/a/b", .init(body: "shadowed")), .init("/x/{y}/z", .init(body: "middle")), .init("/p/q*", .init(body: "prefix")),
    ])
    let bodies = try await bodies(
      script, "/a", "/a?query=/b", "/b", "/a/", "/a/b/c", "/x/1/z", "/x//z", "/x/1/2", "/p/qr/s", "/p/r", "http://h/a", "/%61")
    let none = ["/x//z", "/x/1/2", "/p/r"].map { "no route for GET \($0)\n" }
    #expect(
      bodies == [
        "exact", "exact", "capture", "star", "star", "middle", none[0], none[1], "prefix", none[2], "exact", "capture",
      ])
  }

  @Test func `A route with a method matches only requests with this method`() async throws {
    let script = ServerScript([
      .init("/", method: "PUT", .init(body: "put")), .init("/", .init(body: "any")),
    ])
    try await ScriptedServer.serving(script) { server in
      for (method, body) in [("PUT", "put"), ("GET", "any")] {
        let (heard, _) = try await RawClient.exchange("\(method) / HTTP/1.0\r\n\r\n", with: server)
        #expect(heard.afterHead == body)
      }
    }
  }

  @Test func `A request without a matching route gets 404, and its record has no route`() async throws {
    try await ScriptedServer.serving(ServerScript([])) { server in
      let (heard, _) = try await RawClient.exchange("GET /x HTTP/1.0\r\n\r\n", with: server)
      #expect(heard.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
      let record = try await server.ended()[0]
      #expect(record.route == nil)
      #expect(record.turn == nil)
    }
  }

  @Test(arguments: [
    (ServerScript.Repetition.last, ["a", "b", "c", "c", "c"]), (.cycle, ["a", "b", "c", "a", "b"]),
    (.hangUp, ["a", "b", "c", "", ""]),
  ])
  func `A route's responses are used in order and then repeated as configured`(
    repeats: ServerScript.Repetition, expected: [String]
  ) async throws {
    let script = ServerScript([.init("/", abc, repeats: repeats)])
    #expect(try await bodies(script, "/", "/", "/", "/", "/") == expected)
  }

  @Test func `A hang-up closes the connection without a response and is recorded`() async throws {
    try await ScriptedServer.serving(ServerScript([.init("/", [abc[0]], repeats: .hangUp)])) { server in
      let (heard, end) = try await RawClient.exchange(get + get, with: server)
      #expect(heard.afterHead == "a")
      #expect(end == .closed)
      let records = try await server.ended(2)
      #expect(records.map(\.ending) == [.complete, .closed])
      #expect(records.map(\.status) == [200, nil])
      #expect(records.map(\.turn) == [0, 1])
    }
  }

  @Test func `Responses are counted per route or per path`() async throws {
    let shared = ServerScript([.init("/{n}", abc)])
    #expect(try await bodies(shared, "/1", "/2", "/1") == ["a", "b", "c"])
    let apart = ServerScript([.init("/{n}", abc, counts: .path)])
    #expect(try await bodies(apart, "/1", "/2", "/1", "/2?q") == ["a", "a", "b", "b"])
  }

  @Test func `Bodies seeded by path differ between paths`() async throws {
    let script = ServerScript(seed: 7, [.init("/file/{n}", .init(body: .generated(size: 50, seed: .path)))])
    try await ScriptedServer.serving(script) { server in
      var bodies: [[UInt8]] = []
      for path in ["/file/1", "/file/2"] {
        let client = try await RawClient.connect(to: server)
        try await client.send("GET \(path) HTTP/1.0\r\n\r\n")
        bodies.append(await client.all().bytes.afterHead)
        #expect(bodies.last == ScriptBody.bytes(seed: ScriptBody.seed(forPath: path, script: 7), size: 50))
      }
      #expect(bodies[0] != bodies[1])
    }
  }
}
