import Foundation
import HTTPTypes
import Testing
import XferEngine
import XferEvents
import XferScript

struct DataTests {
  @Test(arguments: [0, 1, 1000, 16_384, 1_000_003])
  func `A data task returns the server's body`(size: Int) async throws {
    try await Bench.run([.init("/a", .generated(size))]) { bench in
      let (data, response) = try await bench.session.data(for: bench.request("/a?b=c"))
      #expect(Array(data) == ScriptBody.bytes(seed: 1, size: size))
      #expect(response.statusCode == 200)
      #expect(response.expectedContentLength == Int64(size))
      #expect(response.urlText == bench.server.url("/a?b=c"))
      let (again, _) = try await bench.session.data(from: URL(string: bench.server.url("/a"))!)
      #expect(again == data)
    }
  }

  @Test func `A body without a declared length is complete in chunks or until the connection closes`() async throws {
    let chunked = ScriptedResponse(body: .generated(size: 300_000, seed: 3), chunked: .init(size: 1000, trailers: ["X-T": "1"]))
    let open = ScriptedResponse(body: .generated(size: 300_000, seed: 3), contentLength: .none)
    try await Bench.run([.init("/chunked", chunked), .init("/open", open)]) { bench in
      for path in ["/chunked", "/open"] {
        let (data, response) = try await bench.session.data(for: bench.request(path))
        #expect(Array(data) == ScriptBody.bytes(seed: 3, size: 300_000))
        #expect(response.expectedContentLength == nil)
      }
      let heads = bench.log.all(.attemptResponseReceived)
      #expect(heads.map { $0.flag("chunked") } == [true, false])
      #expect(heads.allSatisfy { $0.values["expected"] == nil })
    }
  }

  @Test func `An awaiting function returns after the last event of its task`() async throws {
    try await Bench.run([.init("/a", .generated(1000))]) { bench in
      for count in 1...50 {
        _ = try await bench.session.data(for: bench.request("/a"))
        #expect(bench.log.all(.taskAcknowledged).count == 2 * count - 1)
        let (body, _) = try await bench.session.bytes(for: bench.request("/a"))
        for try await _ in body {}
        #expect(bench.log.all(.taskAcknowledged).count == 2 * count)
      }
    }
  }

  @Test(arguments: [400, 401, 404, 410, 500, 503])
  func `A status of 400 or above is a response, not an error`(status: Int) async throws {
    try await Bench.run([.init("/a", ScriptedResponse(status: status, body: "no such thing"))]) { bench in
      let (data, response) = try await bench.session.data(for: bench.request("/a"))
      #expect(response.statusCode == status)
      #expect(String(decoding: data, as: UTF8.self) == "no such thing")
      await bench.log.wait(for: .taskCompleted)
      let completed = bench.log.all(.taskCompleted)[0]
      #expect(completed.number("status") == Int64(status))
      #expect(completed.values["error"] == nil)
    }
  }

  @Test(arguments: [(HTTPRequest.Method.head, 200), (.get, 204), (.get, 304)])
  func `A response without a body is complete after its head`(method: HTTPRequest.Method, status: Int) async throws {
    let response = ScriptedResponse.raw(.text("HTTP/1.1 \(status) X\r\nContent-Length: 99\r\nETag: \"e\"\r\n\r\n"))
    try await Bench.run([.init("/a", response)]) { bench in
      let (data, response) = try await bench.session.data(for: bench.request("/a", method))
      #expect(data.isEmpty)
      #expect(response.statusCode == status)
      #expect(response.expectedContentLength == nil)
      #expect(bench.log.all(.attemptResponseReceived)[0].text("etag") == "\"e\"")
    }
  }

  @Test func `An interim response is not the result`() async throws {
    try await Bench.run([.init("/a", ScriptedResponse(body: "x", informational: [103, 103]))]) { bench in
      let (data, response) = try await bench.session.data(for: bench.request("/a"))
      #expect(response.statusCode == 200)
      #expect(Array(data) == Array("x".utf8))
      #expect(bench.log.all(.attemptResponseReceived).count == 1)
    }
  }

  @Test(arguments: [HTTPRequest.Method.post, .put, .delete, .patch, .options])
  func `Other methods are sent unchanged, with Content-Length 0 where a body is expected`(method: HTTPRequest.Method) async throws
  {
    try await Bench.run([.init("/a", ScriptedResponse(body: "x"))]) { bench in
      _ = try await bench.session.data(for: bench.request("/a", method))
      #expect(bench.server.requests[0].method == method.rawValue)
      #expect(bench.server.requests[0].headers["Transfer-Encoding"] == nil)
      let hasBody = [.post, .put, .patch].contains(method)
      #expect(bench.server.requests[0].headers["Content-Length"] == (hasBody ? "0" : nil))
    }
  }

  @Test func `The session's header fields are added to requests that do not have them`() async throws {
    try await Bench.run([.init("/*", ScriptedResponse(body: "x"))]) {
      $0.httpAdditionalHeaders = [.init("X-Team")!: "ours", .accept: "text/plain", .contentLength: "5"]
    } _: { bench in
      _ = try await bench.session.data(for: bench.request("/1"))
      _ = try await bench.session.data(for: bench.request("/2", .get, [.accept: "text/html", .userAgent: "mine"]))
      let headers = bench.server.requests.map(\.headers)
      #expect(headers.map { $0["X-Team"] } == ["ours", "ours"])
      #expect(headers.map { $0.values("Accept") } == [["text/plain"], ["text/html"]])
      #expect(headers.map { $0["User-Agent"] } == ["xferlog", "mine"])
      #expect(headers.allSatisfy { $0["Content-Length"] == nil })
      let logged = bench.log.all(.attemptRequestSent).map {
        Set(($0.text("headers") ?? "").split(separator: ",").map(String.init))
      }
      #expect(
        logged == headers.map { Set($0.fields.map { $0.name.lowercased() }) }, "the log has the names of the sent header fields")
    }
  }

  @Test func `A compressed body is decoded for a data task, and its received bytes are counted encoded`() async throws {
    let gzip = try #require(Data(base64Encoded: Self.compressedZeros))
    let response = ScriptedResponse(headers: ["Content-Encoding": "gzip"], body: .bytes(Array(gzip)))
    try await Bench.run([.init("/a", response)]) { bench in
      let (data, _) = try await bench.session.data(for: bench.request("/a"))
      #expect(Array(data) == [UInt8](repeating: 0, count: 100_000))
      #expect(bench.server.requests[0].headers["Accept-Encoding"]?.contains("gzip") == true)
      await bench.log.wait(for: .attemptEnded)
      let ended = bench.log.all(.attemptEnded)[0]
      #expect(ended.number("received") == Int64(gzip.count))
      #expect(ended.number("decoded") == 100_000)
      _ = try await bench.session.download(for: bench.request("/a"), to: bench.path("raw"))
      #expect(bench.server.requests[1].headers["Accept-Encoding"] == nil)
      #expect(bench.bytes("raw") == Array(gzip))
    }
  }

  @Test func `A body that exceeds the limit after decoding fails the task`() async throws {
    let gzip = try #require(Data(base64Encoded: Self.compressedZeros))
    let response = ScriptedResponse(headers: ["Content-Encoding": "gzip"], body: .bytes(Array(gzip)))
    try await Bench.run([.init("/a", response)]) {
      $0.maximumDecodedBytes = 50_000
    } _: { bench in
      let error = await failure { _ = try await bench.session.data(for: bench.request("/a")) }
      #expect(error?.code == .dataLengthExceedsMaximum)
      #expect(error?.number == 63)
    }
  }

  @Test(arguments: [ScriptedResponse.ContentLength.automatic, .none])
  func `A body above the size limit fails the task, with or without a declared length`(length: ScriptedResponse.ContentLength)
    async throws
  {
    let response = ScriptedResponse(body: .generated(size: 100_000), contentLength: length)
    try await Bench.run([.init("/a", response)]) {
      $0.maximumBodyBytes = 99_999
    } _: { bench in
      let error = await failure { _ = try await bench.session.download(for: bench.request("/a"), to: bench.path("got")) }
      #expect(error?.code == .dataLengthExceedsMaximum)
      #expect(bench.bytes("got") == nil)
      await bench.log.wait(for: .attemptEnded)
      #expect(bench.log.all(.attemptEnded)[0].text("end") == "limit")
    }
  }

  /// 100,000 zero bytes compressed by gzip, in Base64.
  private static let compressedZeros =
    "H4sIAAAAAAACA+3BMQEAAADCoPVPbQ0PoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIBXA32VEdSghgEA"
}
