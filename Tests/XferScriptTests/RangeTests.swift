import Testing
import XferScript

@Suite(.timeLimit(.minutes(1))) struct RangeTests {
  private static let headers: ScriptHeaders = ["ETag": "\"a1\"", "Last-Modified": "Sat, 01 Nov 2025 00:00:00 GMT"]

  /// Returns the status, the `Content-Range` field and the body, separated by spaces.
  private func answer(
    to fields: String, _ ranges: ScriptedResponse.RangePolicy, ifRange: ScriptedResponse.IfRangePolicy = .honour,
    headers: ScriptHeaders = RangeTests.headers
  ) async throws -> String {
    let response = ScriptedResponse(headers: headers, body: "0123456789", ranges: ranges, ifRange: ifRange)
    return try await ScriptedServer.answering(response) { server in
      let (heard, _) = try await RawClient.exchange("GET / HTTP/1.1\r\nConnection: close\r\n\(fields)\r\n", with: server)
      let lines = heard.split(separator: "\r\n")
      let range = lines.first { $0.hasPrefix("Content-Range: ") }?.dropFirst(15) ?? "-"
      return "\(lines[0].dropFirst(9).prefix(3)) \(range) \(heard.afterHead)"
    }
  }

  @Test(arguments: [
    ("bytes=2-4", "206 bytes 2-4/10 234"), ("bytes=7-", "206 bytes 7-9/10 789"), ("bytes=-2", "206 bytes 8-9/10 89"),
    ("bytes=0-99", "206 bytes 0-9/10 0123456789"), ("bytes=-99", "206 bytes 0-9/10 0123456789"),
    ("bytes=10-", "416 bytes */10 "), ("bytes=-0", "416 bytes */10 "), ("bytes=4-2", "200 - 0123456789"),
    ("bytes=0-1,4-5", "200 - 0123456789"), ("lines=0-1", "200 - 0123456789"), ("bytes=x-", "200 - 0123456789"),
  ])
  func `An honoured range returns the requested bytes`(range: String, expected: String) async throws {
    #expect(try await answer(to: "Range: \(range)\r\n", .honour) == expected)
  }

  @Test(arguments: [
    (ScriptedResponse.RangePolicy.ignore, "200 - 0123456789"), (.earlyStart, "206 bytes 0-7/10 01234567"),
    (.wrongStart, "206 bytes 5-7/10 567"), (.lyingStart, "206 bytes 4-7/10 567"), (.shortSlice, "206 bytes 4-5/10 45"),
    (.sliceAs200, "200 - 4567"), (.noContentRange, "206 - 4567"), (.wrongTotal, "206 bytes 4-7/11 4567"),
    (.refuse, "416 bytes */10 "),
  ])
  func `Each faulty range policy has exactly one defect`(
    policy: ScriptedResponse.RangePolicy, expected: String
  ) async throws {
    #expect(try await answer(to: "Range: bytes=4-7\r\n", policy) == expected)
  }

  @Test(arguments: [
    ("\"a1\"", true), ("\"a2\"", false), ("W/\"a1\"", false), ("Sat, 01 Nov 2025 00:00:00 GMT", true),
    ("Sun, 02 Nov 2025 00:00:00 GMT", false),
  ])
  func `If-Range returns the range only for an equal strong validator`(condition: String, isSame: Bool) async throws {
    let fields = "Range: bytes=8-\r\nIf-Range: \(condition)\r\n"
    #expect(try await answer(to: fields, .honour) == (isSame ? "206 bytes 8-9/10 89" : "200 - 0123456789"))
    #expect(try await answer(to: fields, .honour, ifRange: .ignore) == "206 bytes 8-9/10 89")
  }

  @Test func `A weak validator never matches If-Range`() async throws {
    let fields = "Range: bytes=8-\r\nIf-Range: W/\"a\"\r\n"
    #expect(try await answer(to: fields, .honour, headers: ["ETag": "W/\"a\""]) == "200 - 0123456789")
  }

  @Test func `Accept-Ranges is sent only when the script supports ranges`() async throws {
    for policy in ScriptedResponse.RangePolicy.allCases {
      try await ScriptedServer.answering(.init(body: "x", ranges: policy)) { server in
        let (heard, _) = try await RawClient.exchange(getAndClose, with: server)
        #expect(heard.contains("Accept-Ranges: bytes\r\n") == (policy != .ignore))
      }
    }
  }

  @Test func `The record states which bytes of which version were sent`() async throws {
    let yaml = """
      [ { headers: { ETag: '"a1"' }, body: { size: 1MB, seed: 1 }, ranges: honour, cut: { afterBodyBytes: 400000 } },
        { headers: { ETag: '"a2"' }, body: { size: 2MB, seed: 2 }, ranges: honour } ]
      """
    try await ScriptedServer.answering(yaml: yaml) { server in
      _ = try await RawClient.exchange(get, with: server)
      let range = "GET / HTTP/1.1\r\nConnection: close\r\nRange: bytes=400000-\r\n"
      _ = try await RawClient.exchange(range + "\r\n", with: server)
      _ = try await RawClient.exchange(range + "If-Range: \"a1\"\r\n\r\n", with: server)
      let records = try await server.ended(3)
      #expect(records.map(\.status) == [200, 206, 200])
      #expect(records.map(\.validator) == ["\"a1\"", "\"a2\"", "\"a2\""])
      #expect(records.map(\.entityBytes) == [1_000_000, 2_000_000, 2_000_000])
      #expect(records.map(\.bodyOffset) == [0, 400_000, 0])
      #expect(records.map(\.bodyBytesWritten) == [400_000, 1_600_000, 2_000_000])
    }
  }

  @Test(.enabled(if: Curl.isPresent)) func `curl resumes a truncated download to the complete body`() async throws {
    let whole = ScriptedResponse(body: .generated(size: 5_000_000, seed: 8), cut: .init(.afterBodyBytes(2_200_000)))
    let rest = ScriptedResponse(body: .generated(size: 5_000_000, seed: 8), ranges: .honour)
    try await ScriptedServer.serving(ServerScript([.init("/", [whole, rest])])) { server in
      let first = try await Curl.run(server.url("/"))
      let second = try await Curl.run("--range", "\(first.body.count)-", server.url("/"))
      #expect(first.exitCode == 18)
      #expect(second.exitCode == 0)
      #expect(GeneratedBytes(seed: 8, count: 5_000_000).firstDifference(from: first.body + second.body) == nil)
    }
  }
}
