import Foundation
import HTTPTypes
import LogTestSupport
import Testing
import XferEngine
import XferEvents
import XferScript

struct FailureTests {
  struct BrokenResponse: Sendable, CustomTestStringConvertible {
    let name: String
    let response: ScriptedResponse
    let number: Int
    let code: TransferError.Code
    var end = "transport"

    var testDescription: String { name }
  }

  private static func broken(
    _ name: String, _ response: ScriptedResponse, _ number: Int, _ code: TransferError.Code = .networkConnectionLost,
    end: String = "transport"
  ) -> BrokenResponse {
    BrokenResponse(name: name, response: response, number: number, code: code, end: end)
  }

  private static func cut(_ place: ScriptedResponse.Cut.Place, _ how: ScriptedResponse.Cut.Manner) -> ScriptedResponse {
    ScriptedResponse(body: .generated(size: 200_000), cut: .init(place, how))
  }

  private static func chunked(_ malformed: ScriptedResponse.Chunking.Malformation) -> ScriptedResponse {
    ScriptedResponse(body: .generated(size: 50_000), chunked: .init(malformed: malformed))
  }

  static let all = [
    broken("closed before the status", cut(.beforeStatus, .close), 52),
    broken("reset before the status", cut(.beforeStatus, .reset), 56),
    broken("closed in the middle of the head", cut(.midHeaders, .close), 56),
    broken("reset in the middle of the head", cut(.midHeaders, .reset), 56),
    broken("closed after the head", cut(.afterHeaders, .close), 18),
    broken("reset after the head", cut(.afterHeaders, .reset), 56),
    broken("closed after the first byte", cut(.afterBodyBytes(1), .close), 18),
    broken("closed in the middle of the body", cut(.midBody, .close), 18),
    broken("reset in the middle of the body", cut(.midBody, .reset), 56),
    broken("closed before the last byte", cut(.afterBodyBytes(199_999), .close), 18),
    broken("declared length too large", ScriptedResponse(body: .generated(size: 1000), contentLength: .value(1001)), 18),
    broken("missing last chunk", chunked(.missingFinal), 18),
    broken("malformed chunk size", chunked(.badSize), 56),
    broken("truncated chunk", chunked(.shortChunk), 18),
    broken("not HTTP", .raw("SSH-2.0-OpenSSH_9.2\r\n"), 1, .badServerResponse, end: "refused"),
    broken(
      "body without the declared content encoding",
      ScriptedResponse(headers: ["Content-Encoding": "gzip"], body: "no gzip"), 61, .cannotDecodeContentData, end: "refused"),
  ]

  @Test(arguments: all)
  func `A truncated or malformed response fails the task without delivering bytes`(
    broken: BrokenResponse
  ) async throws {
    try await Bench.run([.init("/a", broken.response)]) { bench in
      let error = await failure { _ = try await bench.session.data(for: bench.request("/a")) }
      #expect(error?.number == broken.number)
      #expect(error?.code == broken.code)
      #expect(error?.curlExitCode == broken.number)
      await bench.log.wait(for: .taskAcknowledged)
      let ended = bench.log.all(.attemptEnded).last
      #expect(ended?.text("end") == broken.end)
      #expect(ended?.number("error") == Int64(broken.number))
      #expect(ended?.text("errorName") == broken.code.rawValue)
      #expect(ended?.values["retryIn"] == nil)
      #expect(bench.log.all(.taskCompleted)[0].number("error") == Int64(broken.number))
    }
  }

  @Test(arguments: all.filter { $0.number != 61 })
  func `A failed download leaves no file`(broken: BrokenResponse) async throws {
    try await Bench.run([.init("/a", broken.response)]) { bench in
      let error = await failure { _ = try await bench.session.download(for: bench.request("/a"), to: bench.path("got")) }
      #expect(error?.number == broken.number)
      #expect(bench.bytes("got") == nil)
      #expect(bench.log.all(.fileOffered).isEmpty)
    }
  }

  @Test func `Bytes beyond the declared length are ignored`() async throws {
    let long = ScriptedResponse(body: .generated(size: 1000, seed: 1), contentLength: .value(900))
    try await Bench.run([.init("/a", long)]) { bench in
      let (data, _) = try await bench.session.data(for: bench.request("/a"))
      #expect(Array(data) == Array(ScriptBody.bytes(seed: 1, size: 1000).prefix(900)))
    }
  }

  @Test func `A port without a listener fails with connection refused`() async throws {
    let port = try RefusingPort()
    let gone = HTTPRequest(method: .get, urlText: "http://127.0.0.1:\(port.number)/")
    try await Bench.run([]) { bench in
      let error = await failure { _ = try await bench.session.data(for: gone) }
      #expect(error?.code == .cannotConnectToHost)
      #expect(error?.number == 7)
      #expect(error?.osError == 111)
      #expect(error?.stage == .connection)
      await bench.log.wait(for: .taskAcknowledged)
      #expect(bench.log.all(.attemptConnectionAcquired).isEmpty)
      #expect(bench.log.all(.attemptEnded)[0].number("osError") == 111)
    }
    withExtendedLifetime(port) {}
  }

  @Test func `An unknown host name fails with cannotFindHost`() async throws {
    try await Bench.run([]) { bench in
      // RFC 6761 reserves the domain `invalid`, which never resolves.
      let error = await failure {
        _ = try await bench.session.data(for: HTTPRequest(method: .get, urlText: "http://nowhere.invalid/"))
      }
      #expect(error?.code == .cannotFindHost)
      #expect(error?.number == 6)
      #expect(error?.stage == .nameLookup)
    }
  }

  @Test func `A closed reused connection causes a second attempt`() async throws {
    let closed = ScriptedResponse(cut: .init(.beforeStatus, .close))
    let responses = [ScriptedResponse(body: "1"), closed, ScriptedResponse(body: "3")]
    try await Bench.run([.init("/a", method: nil, responses)]) { bench in
      _ = try await bench.session.data(for: bench.request("/a"))
      let (data, _) = try await bench.session.data(for: bench.request("/a"))
      #expect(Array(data) == Array("3".utf8))
      await bench.log.wait(for: .taskAcknowledged, 2)
      let own = bench.log.events.filter { $0.task?.number == 2 }
      #expect(own.filter { $0.kind == .attemptStarted }.map { $0.number("attempt") } == [1, 2])
      #expect(own.filter { $0.kind == .attemptConnectionAcquired }.map { $0.flag("reused") } == [true, false])
      let ends = own.filter { $0.kind == .attemptEnded }
      #expect(ends.map { $0.text("end") } == ["transport", "finished"])
      #expect(ends.map { $0.duration("retryIn") } == [.zero, nil])
    }
  }

  @Test(arguments: [(key: nil as String?, allowed: nil as Bool?, posts: 1), ("k", nil, 2), (nil, true, 2), ("k", false, 1)])
  func `A POST is sent again on another connection only if that is harmless`(key: String?, allowed: Bool?, posts: Int)
    async throws
  {
    let closed = ScriptedResponse(cut: .init(.beforeStatus, .close))
    let responses = [ScriptedResponse(body: "1"), closed, ScriptedResponse(body: "3")]
    try await Bench.run([.init("/a", method: nil, responses)]) { bench in
      _ = try await bench.session.data(for: bench.request("/a"))
      var request = bench.request("/a", .post)
      request.headerFields[HTTPField.Name("Idempotency-Key")!] = key
      var options = TransferSession.TaskOptions()
      options.allowsRepetition = allowed
      let sent = (request, options)
      let error = await failure { _ = try await bench.session.data(for: sent.0, options: sent.1) }
      #expect(error?.code == (posts == 1 ? .requestNotRepeatable : nil))
      #expect(bench.server.requests.count { $0.method == "POST" } == posts)
    }
  }

  // MARK: Response heads

  @Test(arguments: [
    (ScriptedResponse.HeaderFlood(count: 6_000, size: 1), 100), (.init(count: 100, size: 5_000), 56),
    (.init(count: 2, size: 200_000), 56),
  ])
  func `A response with too many or too large header fields fails the task`(flood: ScriptedResponse.HeaderFlood, number: Int)
    async throws
  {
    try await Bench.run([.init("/a", ScriptedResponse(body: "x", headerFlood: flood))]) { bench in
      let error = await failure { _ = try await bench.session.data(for: bench.request("/a")) }
      #expect(error?.code == .responseHeadersTooLarge)
      #expect(error?.number == number)
      await bench.log.wait(for: .attemptEnded)
      #expect(bench.log.all(.attemptEnded)[0].text("end") == "limit")
    }
  }

  @Test func `Endless interim responses fail the task`() async throws {
    let padding = String(repeating: "p", count: 1000)
    let interim = String(repeating: "HTTP/1.1 103 Early Hints\r\nX-Pad: \(padding)\r\n\r\n", count: 400)
    try await Bench.run([.init("/a", .raw(.text(interim + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")))]) { bench in
      let error = await failure { _ = try await bench.session.data(for: bench.request("/a")) }
      #expect(error?.code == .responseHeadersTooLarge)
    }
  }

  @Test func `Many header fields within the limit are delivered`() async throws {
    let flood = ScriptedResponse(body: "x", headerFlood: .init(count: 4_000, size: 10))
    try await Bench.run([.init("/a", flood)]) { bench in
      let (_, response) = try await bench.session.data(for: bench.request("/a"))
      #expect(response.headerFields.count { $0.name.canonicalName.hasPrefix("x-flood-") } == 4_000)
    }
  }

  // MARK: Rejected requests

  @Test(arguments: [("good.example", "@127.0.0.1/"), ("good.example", "x"), ("good.example/", "/"), ("a#", "/"), ("a\\b", "/")])
  func `A request whose parts combine to another host is rejected`(authority: String, path: String) async throws {
    try await Bench.run([]) { bench in
      let request = HTTPRequest(method: .get, scheme: "http", authority: authority, path: path)
      #expect(await failure { _ = try await bench.session.data(for: request) }?.code == .badURL)
    }
  }

  @Test(arguments: [
    ("ftp://127.0.0.1/x", TransferError.Code.unsupportedURL, "unsupportedScheme"),
    ("file:///etc/passwd", .unsupportedURL, "unsupportedScheme"), ("http://h:99999/", .badURL, "badURL"),
    ("no url", .badURL, "badURL"), ("http://", .badURL, "badURL"),
  ])
  func `An unsupported or malformed URL is rejected`(
    url: String, code: TransferError.Code, rejection: String
  ) async throws {
    try await Bench.run([]) { bench in
      let error = await failure { _ = try await bench.session.data(for: HTTPRequest(method: .get, urlText: url)) }
      #expect(error?.code == code)
      #expect(bench.log.all(.taskCreated).isEmpty)
      #expect(bench.log.all(.taskRejected)[0].text("rejection") == rejection)
    }
  }
}
