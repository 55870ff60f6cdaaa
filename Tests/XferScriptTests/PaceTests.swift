import Testing
import XferScript

/// Tests check only minimum times, because the machine may be slow. Times are measured by the server.
@Suite(.timeLimit(.minutes(1))) struct PaceTests {
  private func record(of yaml: String) async throws -> ServedRequest {
    try await ScriptedServer.answering(yaml: yaml) { server in
      _ = try await RawClient.exchange(getAndClose, with: server)
      return try await server.ended()[0]
    }
  }

  @Test func `A delay before the status separates the request from the response head`() async throws {
    let record = try await record(of: "{ body: x, delay: { beforeStatus: 60ms } }")
    #expect(record.responded! - record.received >= .milliseconds(60))
  }

  @Test func `A delay before the body separates the response head from the body`() async throws {
    let record = try await record(of: "{ body: x, delay: { beforeBody: 60ms } }")
    #expect(record.bodyBegan! - record.responded! >= .milliseconds(60))
  }

  @Test func `The response head is sent before the body's delay`() async throws {
    try await ScriptedServer.answering(yaml: "{ body: never, delay: { beforeBody: 1h } }") { server in
      let client = try await RawClient.connect(to: server)
      try await client.send(get)
      #expect(await client.heard(untilSuffix: "\r\n\r\n").hasSuffix("Content-Length: 5\r\n\r\n"))
      #expect(server.requests[0].bodyBegan == nil)
      try await client.close()
      #expect(try await server.ended()[0].ending == .clientWentAway)
    }
  }

  @Test(arguments: ["pieces: { size: 2, delay: 15ms }", "chunked: { size: 2, delay: 15ms }"])
  func `Pauses occur between pieces but not after the last piece`(pace: String) async throws {
    let record = try await record(of: "{ body: '12345', \(pace) }")
    #expect(record.ended! - record.bodyBegan! >= .milliseconds(30))
    #expect(record.bodyBytesWritten == 5)
  }

  @Test func `Pieces arrive one at a time`() async throws {
    try await ScriptedServer.answering(yaml: "{ body: '12345', pieces: { size: 2, delay: 1h } }") { server in
      let client = try await RawClient.connect(to: server)
      try await client.send(get)
      #expect(await client.heard(untilSuffix: "\r\n\r\n12").afterHead == "12")
      #expect(server.requests[0].bodyBytesWritten <= 2)
      try await client.close()
      #expect(try await server.ended()[0].ending == .clientWentAway)
    }
  }

  @Test func `A body with a rate takes the time given by its size`() async throws {
    let record = try await record(of: "{ body: { size: 20kB }, rate: 200kB/s }")
    #expect(record.ended! - record.responded! >= .milliseconds(100))
    #expect(record.bodyBytesWritten == 20_000)
  }

  @Test func `Recorded times come from the clock passed to the server`() async throws {
    let server = try await ScriptedServer.start(ServerScript([.init("/", .status(200))]), now: { .seconds(42) })
    _ = try await RawClient.exchange(getAndClose, with: server)
    let record = try await server.ended()[0]
    #expect([record.received, record.responded, record.ended] == [.seconds(42), .seconds(42), .seconds(42)])
    await server.stop()
  }

  @Test func `Serving two gigabytes needs little memory, whether or not the client reads them`() async throws {
    let size = 2 << 30
    let file = try TemporaryFile(sparse: size)
    let script = ServerScript([
      .init("/", .init(body: .generated(size: size))), .init("/file", .init(body: .file(path: file.path))),
    ])
    try await ScriptedServer.serving(script) { server in
      let before = PeakMemory.bytes
      let lazy = try await RawClient.connect(to: server, reads: false)
      try await lazy.send("GET /file HTTP/1.1\r\n\r\n")
      try await server.waitUntil { $0.first?.bodyBytesWritten ?? 0 > 0 }
      let reader = try await CountingClient.connect(to: server)
      #expect(try await reader.count(get) == size)
      #expect(PeakMemory.bytes - before < 300 << 20)
      #expect(server.requests[1].bodyBytesWritten == size)
      #expect(server.requests[0].bodyBytesWritten < 64 << 20)
      try await lazy.close()
      #expect(try await server.ended(2)[0].ending == .clientWentAway)
    }
  }
}
