import Testing
import XferScript

@Suite(.timeLimit(.minutes(1))) struct RequestBodyTests {
  @Test func `A body with Content-Length is read, counted and checksummed before the response`() async throws {
    let body = ScriptBody.bytes(seed: 4, size: 1_000_003)
    try await ScriptedServer.answering(.init(status: 201)) { server in
      let client = try await RawClient.connect(to: server)
      try await client.send("PUT / HTTP/1.1\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n")
      try await client.send(Array(body.dropLast()))
      try await server.waitUntil { $0.first?.requestBodyBytes == 1_000_002 }
      #expect(server.requests[0].phase == .receiving)
      try await client.send([body.last!])
      #expect(await client.all().bytes.starts(with: "HTTP/1.1 201 ".utf8))
      let record = try await server.ended()[0]
      #expect(record.requestBodyBytes == body.count)
      #expect(record.requestBodyCRC32 == CRC32(body).value)
    }
  }

  @Test func `A chunked body is counted without framing, and the next request is parsed after it`() async throws {
    try await ScriptedServer.answering(.init(body: "ok")) { server in
      let chunks = "5;note=1\r\nhello\r\nA\r\n wide worl\r\n0\r\nX-Trailer: 1\r\n\r\n"
      let (heard, _) = try await RawClient.exchange(
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + getAndClose, with: server)
      #expect(heard.ranges(of: "200 OK").count == 2)
      let records = try await server.ended(2)
      #expect(records.map(\.requestBodyBytes) == [15, 0])
      #expect(records[0].requestBodyCRC32 == CRC32(Array("hello wide worl".utf8)).value)
    }
  }

  @Test func `The checksum equals zlib's, regardless of how the input is split`() {
    #expect(CRC32(Array("123456789".utf8)).value == 0xCBF4_3926)
    let bytes = ScriptBody.bytes(seed: 1, size: 1000)
    for cut in [0, 1, 7, 8, 9, 500, 999, 1000] {
      var crc = CRC32()
      bytes.withUnsafeBytes { crc.update(.init(rebasing: $0[..<cut])) }
      bytes.withUnsafeBytes { crc.update(.init(rebasing: $0[cut...])) }
      #expect(crc.value == CRC32(bytes).value)
    }
  }

  private let expecting = "PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 5\r\nConnection: close\r\n\r\n"

  @Test func `A client that sends Expect: 100-continue receives one interim response`() async throws {
    try await ScriptedServer.answering(.init(body: "ok")) { server in
      let client = try await RawClient.connect(to: server)
      try await client.send(expecting)
      #expect(await client.heard(untilSuffix: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
      try await client.send("hello")
      let heard = String(decoding: await client.all().bytes, as: UTF8.self)
      #expect(heard.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"))
    }
  }

  @Test func `The script can omit the 100 Continue response`() async throws {
    try await ScriptedServer.answering(.init(body: "ok", continue100: .ignore)) { server in
      let client = try await RawClient.connect(to: server)
      try await client.send(expecting)
      try await server.waitUntil { $0.count == 1 }
      try await client.send("hello")
      #expect(await client.all().bytes.starts(with: "HTTP/1.1 200 OK\r\n".utf8))
    }
  }

  @Test func `The script can respond before the body is sent, and then the connection closes`() async throws {
    try await ScriptedServer.answering(.init(status: 417, keepAlive: true, continue100: .answer)) { server in
      let request = "PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n"
      let (heard, end) = try await RawClient.exchange(request, with: server)
      #expect(heard.hasPrefix("HTTP/1.1 417 Expectation Failed\r\n"))
      #expect(end == .closed)
      #expect(try await server.ended()[0].requestBodyBytes == 0)
    }
  }

  @Test func `A response reaches the client although the request body is not read`() async throws {
    try await ScriptedServer.answering(.init(status: 413, continue100: .answer)) { server in
      let client = try await RawClient.connect(to: server)
      try await client.send("PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 5000000\r\n\r\n")
      _ = try await server.ended()
      try await client.send(ScriptBody.bytes(seed: 0, size: 5_000_000))
      let heard = await client.all()
      #expect(heard.bytes.starts(with: "HTTP/1.1 413 ".utf8))
      #expect(heard.end == .closed)
    }
  }

  @Test(arguments: [(ScriptedResponse.Cut.Manner.close, RawClient.End.closed), (.reset, .reset)])
  func `An upload is cut while its body arrives`(how: ScriptedResponse.Cut.Manner, end: RawClient.End) async throws {
    try await ScriptedServer.answering(.init(cut: .init(.afterRequestBytes(1000), how))) { server in
      let client = try await RawClient.connect(to: server)
      try await client.send("PUT / HTTP/1.1\r\nContent-Length: 5000\r\n\r\n")
      try await client.send(ScriptBody.bytes(seed: 0, size: 999))
      try await server.waitUntil { $0.first?.requestBodyBytes == 999 }
      #expect(server.requests[0].phase == .receiving)
      try await client.send([1])
      let heard = await client.all()
      #expect(heard.bytes.isEmpty)
      #expect(heard.end == end)
      #expect(try await server.ended()[0].status == nil)
    }
  }

  @Test func `A hang during an upload stops reading its body`() async throws {
    let script = ServerScript([
      .init("/", .init(cut: .init(.afterRequestBytes(1), .hang))),
      .init("/clock", .init(delay: .init(beforeStatus: .milliseconds(300)))),
    ])
    try await ScriptedServer.serving(script) { server in
      let client = try await RawClient.connect(to: server)
      try await client.send("PUT / HTTP/1.1\r\nContent-Length: 100000000\r\n\r\n1")
      let record = try await server.waitUntil { $0.first?.phase == .hanging }[0]
      #expect(record.requestBodyBytes == 1)
      let sending = Task { try await client.sendFiller(mebibytes: 64) }
      _ = try await RawClient.exchange("GET /clock HTTP/1.0\r\n\r\n", with: server)
      await server.stop()
      await #expect(throws: (any Error).self) { try await sending.value }
      #expect(server.requests[0].ending == .hung)
    }
  }

  @Test func `A client that disconnects during its upload ends the record`() async throws {
    try await ScriptedServer.answering(.status(200)) { server in
      let client = try await RawClient.connect(to: server)
      try await client.send("PUT / HTTP/1.1\r\nContent-Length: 10\r\n\r\n1234")
      try await client.close()
      let record = try await server.ended()[0]
      #expect(record.ending == .clientWentAway)
      #expect(record.requestBodyBytes == 4)
    }
  }

  @Test(.enabled(if: Curl.isPresent)) func `Uploads by curl arrive complete`() async throws {
    let file = try TemporaryFile(ScriptBody.bytes(seed: 6, size: 3_000_000))
    try await ScriptedServer.answering(.init(status: 204)) { server in
      for option in ["Expect: 100-continue", "Transfer-Encoding: chunked"] {
        let result = try await Curl.run("--upload-file", file.path, "--header", option, server.url("/"))
        #expect(result.exitCode == 0)
      }
      let crc = CRC32(ScriptBody.bytes(seed: 6, size: 3_000_000)).value
      #expect(try await server.ended(2).map(\.requestBodyCRC32) == [crc, crc])
    }
  }
}
