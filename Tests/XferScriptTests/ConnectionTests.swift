import Testing
import XferScript

@Suite(.timeLimit(.minutes(1))) struct ConnectionTests {
  @Test func `A kept-alive connection serves several requests in sequence`() async throws {
    try await ScriptedServer.answering(.init(body: "hello")) { server in
      let client = try await RawClient.connect(to: server)
      for turn in 1...3 {
        try await client.send(get)
        let heard = await client.heard { $0.count >= 43 * turn }
        #expect(heard.count == 43 * turn)
      }
      let records = try await server.ended(3)
      #expect(records.map(\.connection) == [1, 1, 1])
      #expect(records.map(\.sequence) == [1, 2, 3])
      #expect(server.connections == 1)
    }
  }

  @Test func `Pipelined requests are answered in order, even when the first response is slow`() async throws {
    let script = ServerScript([
      .init("/slow", .init(body: "slow", delay: .init(beforeStatus: .milliseconds(30)))), .init("/fast", .init(body: "fast")),
    ])
    try await ScriptedServer.serving(script) { server in
      let (heard, _) = try await RawClient.exchange(
        "GET /slow HTTP/1.1\r\n\r\nGET /fast HTTP/1.1\r\nConnection: close\r\n\r\nGET /never HTTP/1.1\r\n\r\n", with: server)
      #expect(heard.ranges(of: "HTTP/1.1 200 OK").count == 2)
      #expect(heard.firstRange(of: "slow")!.lowerBound < heard.firstRange(of: "fast")!.lowerBound)
      #expect(try await server.ended(2).map(\.target) == ["/slow", "/fast"])
    }
  }

  @Test(
    arguments: [
      ("GET / HTTP/1.1\r\n\r\n", nil, false), ("GET / HTTP/1.1\r\nConnection: close\r\n\r\n", nil, true),
      ("GET / HTTP/1.0\r\n\r\n", nil, true), ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", nil, false),
      ("GET / HTTP/1.1\r\n\r\n", false, true), ("GET / HTTP/1.0\r\n\r\n", true, false),
    ] as [(String, Bool?, Bool)])
  func `The connection closes when the client or the script asks for it, and the response announces it`(
    request: String, keepAlive: Bool?, closes: Bool
  ) async throws {
    try await ScriptedServer.answering(.init(body: "hello", keepAlive: keepAlive)) { server in
      let client = try await RawClient.connect(to: server)
      try await client.send(request)
      let heard = await client.heard(untilSuffix: "hello")
      #expect(heard.contains("Connection: close\r\n") == closes)
      if closes {
        #expect(await client.all().end == .closed)
      } else {
        try await client.send(get)
        #expect(try await server.ended(2).map(\.connection) == [1, 1])
      }
    }
  }

  @Test func `An idle connection is closed without a Connection: close field`() async throws {
    let script = ServerScript(idleTimeout: .milliseconds(30), [.init("/", .init(body: "hello"))])
    try await ScriptedServer.serving(script) { server in
      let (heard, end) = try await RawClient.exchange(get, with: server)
      #expect(heard.hasSuffix("Content-Length: 5\r\n\r\nhello"))
      #expect(end == .closed)
      #expect(try await server.ended()[0].ending == .complete)
    }
  }

  @Test func `Nothing is read from a connection before the script's accept delay has passed`() async throws {
    let script = ServerScript(beforeAccept: .milliseconds(60), [.init("/", .init(body: "hello"))])
    try await ScriptedServer.serving(script) { server in
      let before = ScriptedServer.monotonicTime()
      _ = try await RawClient.exchange(getAndClose, with: server)
      #expect(try await server.ended()[0].received - before >= .milliseconds(60))
    }
  }

  @Test(arguments: [
    ("\u{16}\u{3}\u{1}", "400", "the first byte 22 cannot begin an HTTP request"),
    ("GET /\r\n\r\n", "400", "the request line is not `METHOD target HTTP/1.1`"),
    ("GET / HTTP/2.0\r\n\r\n", "505", "the version HTTP/2.0 is not supported"),
    ("GET / HTTP/1.1\r\nno colon\r\n\r\n", "400", "a header line is not `Name: value`"),
    ("GET / HTTP/1.1\r\nA: 1\n\r\n\r\n", "400", "a header line is not `Name: value`"),
    ("PUT / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "400", "Content-Length is not a single number"),
    ("PUT / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "400", "Content-Length is not a single number"),
    (
      "PUT / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", "400",
      "Content-Length and Transfer-Encoding are both present"
    ),
    ("PUT / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", "501", "the transfer coding `gzip` is not supported"),
    ("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "400", "`xyz` is not a valid chunk size"),
    ("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", "400", "a chunk is longer than its announced size"),
  ])
  func `A request that violates HTTP is refused with the reason`(request: String, status: String, problem: String) async throws {
    try await ScriptedServer.answering(.init(body: "never")) { server in
      let (heard, end) = try await RawClient.exchange(request, with: server)
      #expect(heard.hasPrefix("HTTP/1.1 \(status) "))
      #expect(heard.afterHead == problem + "\n")
      #expect(end == .closed)
      let record = try await server.ended()[0]
      #expect(record.problem == problem)
      #expect(record.status == Int(status))
    }
  }

  @Test(arguments: [0, 1]) func `A request head may be as long as the limit but not longer`(excess: Int) async throws {
    let script = ServerScript(headLimit: 100, [.init("/", .init(body: "hello"))])
    let frame = "GET / HTTP/1.1\r\nConnection: close\r\nX: \r\n\r\n"
    let filler = String(repeating: "x", count: 100 - frame.utf8.count + excess)
    try await ScriptedServer.serving(script) { server in
      let (heard, _) = try await RawClient.exchange(frame.replacing("X: ", with: "X: \(filler)"), with: server)
      #expect(heard.hasPrefix(excess == 0 ? "HTTP/1.1 200 " : "HTTP/1.1 431 "))
    }
  }

  @Test func `An unterminated request head is refused when it exceeds the limit`() async throws {
    let script = ServerScript(headLimit: 100, [.init("/", .status(200))])
    try await ScriptedServer.serving(script) { server in
      let (heard, _) = try await RawClient.exchange("GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 100), with: server)
      #expect(heard.hasPrefix("HTTP/1.1 431 "))
    }
  }

  @Test func `A request head that arrives byte by byte is parsed`() async throws {
    try await ScriptedServer.answering(.init(body: "hello")) { server in
      let client = try await RawClient.connect(to: server)
      for byte in ("\r\n" + getAndClose).utf8 { try await client.send([byte]) }
      #expect(await client.all().bytes.afterHead == Array("hello".utf8))
    }
  }

  @Test func `Two servers in one process are separate origins`() async throws {
    try await ScriptedServer.answering(.init(body: "one")) { one in
      try await ScriptedServer.answering(.init(body: "two")) { two in
        #expect(one.port != two.port)
        let (heard, _) = try await RawClient.exchange(getAndClose, with: two)
        #expect(heard.afterHead == "two")
        #expect(one.requests.isEmpty)
      }
    }
  }

  @Test(arguments: ["0.0.0.0", "192.0.2.1", "example.com", "::"])
  func `Listening on an address that other machines can reach requires permission`(host: String) async throws {
    let error = await #expect(throws: ScriptError.self) { try await ScriptedServer.start(ServerScript([]), host: host) }
    #expect(error?.code == .notLoopback)
    #expect(
      error?.description == """
        \(host): other machines could reach a server on this address.
        Listen on 127.0.0.1, ::1 or localhost, or allow other hosts explicitly.
        """)
  }

  @Test func `A port that is in use fails with an error that names the port`() async throws {
    try await ScriptedServer.answering(.status(200)) { server in
      let error = await #expect(throws: ScriptError.self) {
        try await ScriptedServer.start(ServerScript([]), port: server.port)
      }
      #expect(error?.code == .cannotListen)
      #expect(error?.place == "127.0.0.1:\(server.port)")
    }
  }

  @Test func `An out-of-range port number is an error`() async throws {
    let error = await #expect(throws: ScriptError.self) { try await ScriptedServer.start(ServerScript([]), port: 65_536) }
    #expect(error?.code == .cannotListen)
  }

  @Test func `A server that listens on IPv6 has an IPv6 URL`() async throws {
    let server = try await ScriptedServer.start(ServerScript([.init("/x", .init(body: "six"))]), host: "::1")
    let (heard, _) = try await RawClient.exchange("GET /x HTTP/1.0\r\n\r\n", with: server)
    #expect(heard.afterHead == "six")
    #expect(server.url("/x") == "http://[::1]:\(server.port)/x")
    await server.stop()
  }

  @Test func `A client that pipelines many requests is throttled, and every request is answered`() async throws {
    let script = ServerScript([
      .init("/first", .init(body: "first", delay: .init(beforeStatus: .milliseconds(50)))), .init("/", .init(body: "next")),
    ])
    try await ScriptedServer.serving(script) { server in
      let client = try await RawClient.connect(to: server)
      let filler = "GET / HTTP/1.1\r\nX: \(String(repeating: "x", count: 60_000))\r\n\r\n"
      try await client.send("GET /first HTTP/1.1\r\n\r\n")
      try await server.waitUntil { $0.count == 1 }
      try await client.send(String(repeating: filler, count: 20) + getAndClose)
      let heard = String(decoding: await client.all().bytes, as: UTF8.self)
      #expect(heard.ranges(of: "200 OK").count == 22)
    }
  }

  @Test func `A client that keeps sending during a response is throttled`() async throws {
    let response = ScriptedResponse(delay: .init(beforeStatus: .milliseconds(500)), keepAlive: false)
    try await ScriptedServer.answering(response) { server in
      let client = try await RawClient.connect(to: server)
      try await client.send(get)
      try? await client.sendFiller(mebibytes: 64)
      let sent = ScriptedServer.monotonicTime()
      #expect(try await server.ended()[0].responded! < sent)
    }
  }

  @Test func `A request head may be larger than the read-ahead limit`() async throws {
    let script = ServerScript(headLimit: 1 << 20, [.init("/", .init(body: "hello"))])
    try await ScriptedServer.serving(script) { server in
      let filler = String(repeating: "x", count: 900_000)
      let (heard, _) = try await RawClient.exchange("GET / HTTP/1.0\r\nX: \(filler)\r\n\r\n", with: server)
      #expect(heard.afterHead == "hello")
    }
  }

  @Test func `A stopped server refuses connections, and stopping it again has no effect`() async throws {
    let server = try await ScriptedServer.start(ServerScript([]))
    await server.stop()
    await server.stop()
    await #expect(throws: (any Error).self) { try await RawClient.connect(to: server) }
  }
}
