import Testing
import XferScript

@Suite(.timeLimit(.minutes(1))) struct ResponseTests {
  @Test func `A response has the status line, the script's fields, the added fields and the body, in this order`() async throws {
    let response = ScriptedResponse(
      status: 201, reason: "Made up", headers: ["ETag": "\"a1\"", "X-Two": "1", "x-two": "2"], body: "hello")
    try await ScriptedServer.answering(response) { server in
      let (heard, end) = try await RawClient.exchange(getAndClose, with: server)
      #expect(
        heard == """
          HTTP/1.1 201 Made up\r
          ETag: "a1"\r
          X-Two: 1\r
          x-two: 2\r
          Content-Length: 5\r
          Connection: close\r
          \r
          hello
          """)
      #expect(end == .closed)
    }
  }

  @Test(arguments: [(200, "OK"), (404, "Not Found"), (503, "Service Unavailable"), (799, "")])
  func `A status code has its standard reason phrase`(status: Int, phrase: String) async throws {
    try await ScriptedServer.answering(.status(status)) { server in
      let (heard, _) = try await RawClient.exchange(getAndClose, with: server)
      #expect(heard.hasPrefix("HTTP/1.1 \(status) \(phrase)\r\n"))
      #expect(try await server.ended()[0].status == status)
    }
  }

  @Test func `A field listed in the script is not added again`() async throws {
    let response = ScriptedResponse(headers: ["content-length": "5", "Content-Length": "6"], body: "hello")
    try await ScriptedServer.answering(response) { server in
      let (heard, _) = try await RawClient.exchange(getAndClose, with: server)
      #expect(heard.lowercased().ranges(of: "content-length").count == 2)
    }
  }

  @Test func `HEAD returns the fields of GET without a body`() async throws {
    try await ScriptedServer.answering(.init(body: .generated(size: 1000))) { server in
      let (heard, _) = try await RawClient.exchange("HEAD / HTTP/1.1\r\nConnection: close\r\n\r\n", with: server)
      #expect(heard.contains("Content-Length: 1000\r\n"))
      #expect(heard.afterHead.isEmpty)
      #expect(try await server.ended()[0].bodyBytesPlanned == 0)
    }
  }

  @Test(arguments: [204, 304]) func `A status that forbids a body is sent without the script's body`(status: Int) async throws {
    try await ScriptedServer.answering(.init(status: status, body: "lost")) { server in
      let (heard, _) = try await RawClient.exchange(getAndClose, with: server)
      #expect(heard.afterHead.isEmpty)
      #expect(!heard.contains("Content-Length"))
    }
  }

  @Test func `Interim responses precede the final status, in order`() async throws {
    try await ScriptedServer.answering(.init(body: "x", informational: [100, 103])) { server in
      let (heard, _) = try await RawClient.exchange(getAndClose, with: server)
      #expect(heard.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\n"))
    }
  }

  @Test func `A header flood has the configured number and size of fields`() async throws {
    try await ScriptedServer.answering(.init(headerFlood: .init(count: 300, size: 40))) { server in
      let (heard, _) = try await RawClient.exchange(getAndClose, with: server)
      #expect(heard.ranges(of: "\r\nX-Flood-").count == 300)
      #expect(heard.contains("\r\nX-Flood-300: " + String(repeating: "x", count: 40) + "\r\n"))
    }
  }

  @Test func `Raw bytes are sent unchanged, and the connection closes`() async throws {
    let bytes: [UInt8] = Array("HTTP/1.1 299 \u{7}\nno colon\r\n\r\n".utf8) + [0, 255]
    try await ScriptedServer.answering(.raw(.bytes(bytes))) { server in
      let client = try await RawClient.connect(to: server)
      try await client.send(get)
      let (heard, end) = await client.all()
      #expect(heard == bytes)
      #expect(end == .closed)
      #expect(try await server.ended()[0].status == 299)
    }
  }

  @Test func `A redirect target includes the captures of the path`() async throws {
    let script = ServerScript([
      .init("/old/{year}/{name}", .redirect(to: "/new/{name}?y={year}", status: 308)), .init("/new/*", .init(body: "here")),
    ])
    try await ScriptedServer.serving(script) { server in
      let (heard, _) = try await RawClient.exchange("GET /old/1999/a HTTP/1.0\r\n\r\n", with: server)
      #expect(heard.hasPrefix("HTTP/1.1 308 Permanent Redirect\r\nLocation: /new/a?y=1999\r\n"))
    }
  }

  @Test(.enabled(if: Curl.isPresent)) func `curl follows a redirect to another origin and fails in a redirect loop`() async throws
  {
    try await ScriptedServer.answering(.init(body: "arrived")) { other in
      let script = ServerScript([.init("/away", .redirect(to: other.url("/"))), .init("/loop", .redirect(to: "/loop"))])
      try await ScriptedServer.serving(script) { server in
        let away = try await Curl.run("--location", server.url("/away"))
        #expect(away == .init(exitCode: 0, body: Array("arrived".utf8)))
        #expect(try await Curl.run("--location", "--max-redirs", "4", server.url("/loop")).exitCode == 47)
        #expect(server.requests.count { $0.route == "/loop" } == 5)
      }
      #expect(other.requests.count == 1)
    }
  }

  @Test(.enabled(if: Curl.isPresent)) func `A file is served with its contents at the time of the request`() async throws {
    let file = try TemporaryFile(Array("first".utf8))
    try await ScriptedServer.answering(.init(body: .file(path: file.path), ranges: .honour)) { server in
      #expect(try await Curl.run(server.url("/")).body == Array("first".utf8))
      try file.write(ScriptBody.bytes(seed: 1, size: 200_000))
      #expect(try await Curl.run(server.url("/")).body == ScriptBody.bytes(seed: 1, size: 200_000))
      #expect(try await Curl.run("--range", "70000-70003", server.url("/")).body.count == 4)
      file.remove()
      let (heard, _) = try await RawClient.exchange(get, with: server)
      #expect(heard.hasPrefix("HTTP/1.1 500 "))
      #expect(try await server.ended(4)[3].problem == "the body's file cannot be opened")
    }
  }
}
