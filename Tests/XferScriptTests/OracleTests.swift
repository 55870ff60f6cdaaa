import Testing
import XferScript

@Suite(.timeLimit(.minutes(1))) struct OracleTests {
  @Test func `A record describes the request and the response`() async throws {
    let script = ServerScript([.init("/file/{n}", .init(headers: ["ETag": "\"v\""], body: "0123456789"))])
    try await ScriptedServer.serving(script) { server in
      let before = ScriptedServer.monotonicTime()
      _ = try await RawClient.exchange("GET /file/7?q=1 HTTP/1.1\r\nHost: h\r\nConnection:close\r\n\r\n", with: server)
      let record = try await server.ended()[0]
      #expect(record.method == "GET")
      #expect(record.target == "/file/7?q=1")
      #expect(record.headers == ["Host": "h", "Connection": "close"])
      #expect(record.route == "/file/{n}")
      #expect(record.turn == 0)
      #expect(record.validator == "\"v\"")
      #expect(record.entityBytes == 10)
      #expect(record.bodyBytesPlanned == 10)
      #expect(record.bodyBytesWritten == 10)
      #expect(record.ending == .complete)
      #expect(record.problem == nil)
      let times = [before, record.received, record.responded!, record.bodyBegan!, record.ended!]
      #expect(times == times.sorted())
    }
  }

  @Test func `A wait for sent bytes returns before the response is complete`() async throws {
    let response = ScriptedResponse(
      body: .generated(size: 1 << 20), pieces: .init(size: 100_000), cut: .init(.afterBodyBytes(500_000), .hang))
    try await ScriptedServer.answering(response) { server in
      let client = try await RawClient.connect(to: server)
      async let seen = server.waitUntil { $0.first?.bodyBytesWritten ?? 0 >= 400_000 }
      try await client.send(get)
      #expect(try await seen[0].phase != .ended)
      try await client.close()
      #expect(try await server.ended()[0].bodyBytesWritten == 500_000)
    }
  }

  @Test func `A record counts the bytes accepted by the kernel when the client disconnects`() async throws {
    try await ScriptedServer.answering(.init(body: .generated(size: 1 << 30))) { server in
      let client = try await RawClient.connect(to: server)
      try await client.send(get)
      _ = await client.heard { $0.count > 1_000_000 }
      try await client.close()
      let record = try await server.ended()[0]
      #expect(record.ending == .clientWentAway)
      #expect((900_000..<(1 << 30)).contains(record.bodyBytesWritten))
    }
  }

  @Test func `The records of open requests state that the server stopped`() async throws {
    let server = try await ScriptedServer.start(
      ServerScript([.init("/", .init(delay: .init(beforeStatus: .seconds(3600))))]))
    let client = try await RawClient.connect(to: server)
    try await client.send(get)
    try await server.waitUntil { $0.first?.phase == .responding }
    await server.stop()
    #expect(server.requests[0].ending == .serverStopped)
    #expect(await client.all().end == .closed)
  }

  @Test func `A wait fails when the server stops or its task is cancelled`() async throws {
    let server = try await ScriptedServer.start(ServerScript([]))
    let cancelled = Task { try await server.waitUntil { _ in false } }
    cancelled.cancel()
    await #expect(throws: ScriptError.self) { try await cancelled.value }
    let waiting = Task { try await server.waitUntil { _ in false } }
    await server.stop()
    let error = await #expect(throws: ScriptError.self) { try await waiting.value }
    #expect(error?.code == .stopped)
    let late = await #expect(throws: ScriptError.self) { try await server.waitUntil { _ in false } }
    #expect(late?.code == .stopped)
    #expect(try await server.waitUntil { $0.isEmpty }.isEmpty)
  }

  @Test func `The oracle file gets a line immediately at the start and end of each request`() async throws {
    let file = try TemporaryFile()
    let script = ServerScript([
      .init("/a", .init(headers: ["ETag": "\"v\""], body: "0123456789", cut: .init(.afterBodyBytes(4)), ranges: .honour)),
      .init("/hang", .hang(.beforeStatus)),
    ])
    let server = try await ScriptedServer.start(script, now: { .nanoseconds(1_000_000_007) }, oracle: OracleFile(path: file.path))
    _ = try await RawClient.exchange("GET /a HTTP/1.1\r\nX-Odd: \"\\\u{1}é\r\nRange: bytes=2-\r\n\r\n", with: server)
    _ = try await server.ended()
    let client = try await RawClient.connect(to: server)
    try await client.send("PUT /hang HTTP/1.1\r\nContent-Length: 2\r\n\r\nhi")
    try await server.waitUntil { $0.last?.phase == .hanging }
    #expect(
      file.text == """
        {"schema":"xferlog.served/1","event":"started","sequence":1,"connection":1,"method":"GET","target":"/a",\
        "headers":[["X-Odd","\\"\\\\\\u0001é"],["Range","bytes=2-"]],"route":"/a","turn":0,"requestBodyBytes":0,\
        "requestBodyCRC32":0,"bodyBytesWritten":0,"received":1000000007}
        {"schema":"xferlog.served/1","event":"ended","sequence":1,"connection":1,"method":"GET","target":"/a",\
        "headers":[["X-Odd","\\"\\\\\\u0001é"],["Range","bytes=2-"]],"route":"/a","turn":0,"requestBodyBytes":0,\
        "requestBodyCRC32":0,"status":206,"validator":"\\"v\\"","entityBytes":10,"bodyOffset":2,"bodyBytesPlanned":8,\
        "bodyBytesWritten":4,"ending":"closed","received":1000000007,"responded":1000000007,"bodyBegan":1000000007,\
        "ended":1000000007}
        {"schema":"xferlog.served/1","event":"started","sequence":2,"connection":2,"method":"PUT","target":"/hang",\
        "headers":[["Content-Length","2"]],"route":"/hang","turn":0,"requestBodyBytes":0,"requestBodyCRC32":0,\
        "bodyBytesWritten":0,"received":1000000007}

        """)
    await server.stop()
    let last = file.text.split(separator: "\n").last ?? ""
    #expect(last.contains("\"event\":\"ended\",\"sequence\":2"))
    #expect(last.contains("\"ending\":\"hung\""))
    #expect(last.contains("\"requestBodyCRC32\":\(CRC32(Array("hi".utf8)).value)"))
  }

  @Test func `An oracle file that cannot be opened fails with an error that names the file`() {
    let error = #expect(throws: ScriptError.self) { try OracleFile(path: "/nowhere/oracle.ndjson") }
    #expect(error?.code == .cannotRecord)
    #expect(
      error?.description == """
        /nowhere/oracle.ndjson: the record of served requests cannot be opened (No such file or directory).
        Name a file in a folder that you may write to.
        """)
  }
}
