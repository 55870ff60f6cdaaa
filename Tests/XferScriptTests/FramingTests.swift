import Testing
import XferScript

@Suite(.timeLimit(.minutes(1))) struct FramingTests {
  @Test func `Chunk sizes are hexadecimal, and trailers follow the last chunk`() async throws {
    let chunked = ScriptedResponse.Chunking(size: 12, trailers: ["X-Sum": "7"])
    try await ScriptedServer.answering(.init(body: "hello wide world!", chunked: chunked)) { server in
      let (heard, _) = try await RawClient.exchange(getAndClose, with: server)
      #expect(heard.contains("Transfer-Encoding: chunked\r\nTrailer: X-Sum\r\n"))
      #expect(!heard.contains("Content-Length"))
      #expect(heard.afterHead == "c\r\nhello wide w\r\n5\r\norld!\r\n0\r\nX-Sum: 7\r\n\r\n")
      let record = try await server.ended()[0]
      #expect(record.bodyBytesWritten == 17)
      #expect(record.ending == .complete)
    }
  }

  @Test func `An empty chunked body consists of the final chunk only`() async throws {
    try await ScriptedServer.answering(.init(chunked: .init())) { server in
      let (heard, _) = try await RawClient.exchange(getAndClose, with: server)
      #expect(heard.afterHead == "0\r\n\r\n")
    }
  }

  @Test(arguments: [
    (ScriptedResponse.Chunking.Malformation.missingFinal, "4\r\nhell\r\n1\r\no\r\n"),
    (.badSize, "4\r\nhell\r\nzz\r\no\r\n"),
    (.hugeSize, "4\r\nhell\r\nfffffffffffffffff\r\no\r\n"),
    (.shortChunk, "4\r\nhell\r\n2\r\no"),
    (.missingLineEnd, "4\r\nhell\r\n1\r\no0\r\n\r\n"),
  ])
  func `Each malformed chunking has exactly one defect, and then the connection closes`(
    malformed: ScriptedResponse.Chunking.Malformation, body: String
  ) async throws {
    try await ScriptedServer.answering(.init(body: "hello", chunked: .init(size: 4, malformed: malformed))) { server in
      let (heard, end) = try await RawClient.exchange(get, with: server)
      #expect(heard.afterHead == body)
      #expect(end == .closed)
      guard Curl.isPresent else { return }
      let exitCode = try await Curl.run(server.url("/")).exitCode
      #expect([18, 56].contains(exitCode))
    }
  }

  @Test func `A body without Content-Length ends when the connection closes`() async throws {
    try await ScriptedServer.answering(.init(body: "until the end", contentLength: .none)) { server in
      let (heard, end) = try await RawClient.exchange(get, with: server)
      #expect(!heard.contains("Content-Length"))
      #expect(heard.hasSuffix("Connection: close\r\n\r\nuntil the end"))
      #expect(end == .closed)
    }
  }

  @Test(.enabled(if: Curl.isPresent), arguments: [(8, Int32(18), "hello"), (3, 0, "hel"), (5, 0, "hello")])
  func `A wrong Content-Length is sent as written, with the whole body`(
    length: Int, exitCode: Int32, body: String
  ) async throws {
    try await ScriptedServer.answering(.init(body: "hello", contentLength: .value(length))) { server in
      #expect(try await Curl.run(server.url("/")) == .init(exitCode: exitCode, body: Array(body.utf8)))
      let (heard, _) = try await RawClient.exchange(getAndClose, with: server)
      #expect(heard.contains("Content-Length: \(length)\r\n"))
      #expect(heard.afterHead == "hello")
      #expect(try await server.ended(2)[1].bodyBytesWritten == 5)
    }
  }

  @Test func `A wrong Content-Length closes the connection unless the script keeps it open`() async throws {
    try await ScriptedServer.answering(.init(body: "hello", contentLength: .value(8))) { server in
      let (_, end) = try await RawClient.exchange(get, with: server)
      #expect(end == .closed)
    }
    try await ScriptedServer.answering(.init(body: "hello", contentLength: .value(8), keepAlive: true)) { server in
      let client = try await RawClient.connect(to: server)
      try await client.send(get + get)
      _ = await client.heard { $0.count { $0 == UInt8(ascii: "H") } >= 2 }
      #expect(try await server.ended(2).map(\.connection) == [1, 1])
    }
  }

  @Test func `A response can have both Content-Length and chunked coding`() async throws {
    let response = ScriptedResponse(body: "hello", contentLength: .value(3), chunked: .init())
    try await ScriptedServer.answering(response) { server in
      let (heard, _) = try await RawClient.exchange(get, with: server)
      #expect(heard.contains("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n"))
      #expect(heard.afterHead == "5\r\nhello\r\n0\r\n\r\n")
    }
  }

  @Test(.enabled(if: Curl.isPresent), arguments: [nil, 1000, 1 << 20] as [Int?])
  func `A large generated body arrives unchanged with any chunk size`(chunk: Int?) async throws {
    let response = ScriptedResponse(body: .generated(size: 3_000_000, seed: 9), chunked: chunk.map { .init(size: $0) })
    try await ScriptedServer.answering(response) { server in
      let result = try await Curl.run(server.url("/"))
      #expect(result.exitCode == 0)
      #expect(result.body.count == 3_000_000)
      #expect(GeneratedBytes(seed: 9, count: 3_000_000).firstDifference(from: result.body) == nil)
    }
  }
}
