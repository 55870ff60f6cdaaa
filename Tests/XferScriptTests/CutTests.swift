import Testing
import XferScript

@Suite(.timeLimit(.minutes(1))) struct CutTests {
  private let big = ScriptBody.generated(size: 1 << 20, seed: 3)

  @Test(arguments: [0, 1, 65_536, 400_000, 1 << 20], [RawClient.End.closed, .reset])
  func `A body is cut after exactly the number of bytes in the script`(count: Int, end: RawClient.End) async throws {
    let cut = ScriptedResponse.Cut(.afterBodyBytes(count), end == .closed ? .close : .reset)
    try await ScriptedServer.answering(.init(body: big, cut: cut)) { server in
      let client = try await RawClient.connect(to: server)
      try await client.send(get)
      let heard = await client.all()
      #expect(heard.bytes.afterHead == Array(ScriptBody.bytes(seed: 3, size: 1 << 20).prefix(count)))
      #expect(heard.end == end)
      let record = try await server.ended()[0]
      #expect(record.bodyBytesWritten == count)
      #expect(record.bodyBytesPlanned == 1 << 20)
      #expect(record.ending == (end == .closed ? .closed : .reset))
    }
  }

  @Test(.enabled(if: Curl.isPresent)) func `curl reports a closed and a reset transfer differently`() async throws {
    let yaml = """
      [ { body: { size: 1MiB, seed: 3 }, cut: { afterBodyBytes: 400000, how: close } },
        { body: { size: 1MiB, seed: 3 }, cut: { afterBodyBytes: 400000, how: reset } } ]
      """
    try await ScriptedServer.answering(yaml: yaml) { server in
      let expected = Array(ScriptBody.bytes(seed: 3, size: 400_000))
      let (closed, reset) = (try await Curl.run(server.url("/")), try await Curl.run(server.url("/")))
      #expect(closed == .init(exitCode: 18, body: expected))
      #expect(reset == .init(exitCode: 56, body: expected))
    }
  }

  @Test(.enabled(if: Curl.isPresent), arguments: [(ScriptedResponse.Cut.Manner.close, Int32(52)), (.reset, 56)])
  func `A cut before the status line produces an empty reply`(how: ScriptedResponse.Cut.Manner, exitCode: Int32) async throws {
    try await ScriptedServer.answering(.init(body: big, cut: .init(.beforeStatus, how))) { server in
      #expect(try await Curl.run(server.url("/")) == .init(exitCode: exitCode, body: []))
      let record = try await server.ended()[0]
      #expect(record.status == nil)
      #expect(record.responded == nil)
    }
  }

  @Test func `A cut in the head sends half of the head, and a cut after the head sends no body`() async throws {
    let responses = [ScriptedResponse.Cut.Place.midHeaders, .afterHeaders, .afterBody].map {
      ScriptedResponse(body: "body", cut: .init($0))
    }
    try await ScriptedServer.serving(ServerScript([.init("/", responses)])) { server in
      let head = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"
      let half = String(decoding: head.utf8.prefix(head.utf8.count / 2), as: UTF8.self)
      for expected in [half, head, head + "body"] {
        let heard = try await RawClient.exchange(get, with: server).heard
        #expect(heard == expected)
      }
      #expect(try await server.ended(3).map(\.ending) == [.closed, .closed, .closed])
    }
  }

  @Test func `A mid-body cut sends half of the body, or half of the requested range`() async throws {
    let response = ScriptedResponse(body: "0123456789", cut: .init(.midBody), ranges: .honour)
    try await ScriptedServer.answering(response) { server in
      #expect(try await RawClient.exchange(get, with: server).heard.afterHead == "01234")
      let (heard, _) = try await RawClient.exchange("GET / HTTP/1.1\r\nRange: bytes=6-\r\n\r\n", with: server)
      #expect(heard.afterHead == "67")
    }
  }

  @Test(arguments: [(6, "4\r\n0123\r\n4\r\n45"), (4, "4\r\n0123"), (10, "4\r\n0123\r\n4\r\n4567\r\n2\r\n89"), (0, "")])
  func `A cut in a chunked body sends no framing after the cut`(count: Int, expected: String) async throws {
    let response = ScriptedResponse(body: "0123456789", chunked: .init(size: 4), cut: .init(.afterBodyBytes(count)))
    try await ScriptedServer.answering(response) { server in
      let (heard, _) = try await RawClient.exchange(get, with: server)
      #expect(heard.afterHead == expected)
    }
  }

  @Test func `A response shorter than the cut position is sent completely`() async throws {
    let response = ScriptedResponse(body: "0123456789", cut: .init(.afterBodyBytes(6)), ranges: .honour)
    try await ScriptedServer.answering(response) { server in
      let (heard, _) = try await RawClient.exchange(
        "GET / HTTP/1.1\r\nRange: bytes=6-\r\nConnection: close\r\n\r\n", with: server)
      #expect(heard.afterHead == "6789")
      #expect(try await server.ended()[0].ending == .complete)
    }
  }

  @Test(arguments: [
    (ScriptedResponse.Cut.Place.beforeStatus, 0), (.afterHeaders, 0), (.midBody, 5), (.afterBodyBytes(7), 7), (.afterBody, 10),
  ])
  func `A hang sends nothing until the client disconnects`(place: ScriptedResponse.Cut.Place, count: Int) async throws {
    try await ScriptedServer.answering(.init(body: "0123456789", cut: .init(place, .hang))) { server in
      let client = try await RawClient.connect(to: server)
      try await client.send(get)
      let hanging = try await server.waitUntil { $0.first?.phase == .hanging }[0]
      #expect(hanging.bodyBytesWritten == count)
      #expect(hanging.ended == nil)
      try await client.close()
      let record = try await server.ended()[0]
      #expect(record.ending == .hung)
      #expect(record.bodyBytesWritten == count)
    }
  }

  @Test(.enabled(if: Curl.isPresent)) func `A hang makes curl time out after it received the sent bytes`() async throws {
    try await ScriptedServer.answering(yaml: "{ body: '0123456789', cut: { afterBodyBytes: 7, how: hang } }") { server in
      let result = try await Curl.run("--max-time", "0.3", server.url("/"))
      #expect(result == .init(exitCode: 28, body: Array("0123456".utf8)))
      #expect(try await server.ended()[0].ending == .hung)
    }
  }

  @Test func `A hang ends when the server stops`() async throws {
    let server = try await ScriptedServer.start(ServerScript([.init("/", .hang(.beforeStatus))]))
    let client = try await RawClient.connect(to: server)
    try await client.send(get)
    try await server.waitUntil { $0.first?.phase == .hanging }
    await server.stop()
    #expect(await client.all().end == .closed)
    #expect(server.requests[0].ending == .hung)
  }
}
