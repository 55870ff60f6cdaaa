import Foundation
import LogTestSupport
import Testing
import XferScript

/// Responses that contain a part of the resource or none of it, rightly, and give no finding.
@Suite struct PartialAnswerTests {
  private static func response(_ ranges: ScriptedResponse.RangePolicy) -> ScriptedResponse {
    ScriptedResponse(headers: ["ETag": "\"a\""], body: .generated(size: 2_000_000, seed: 1), ranges: ranges)
  }
  private static let whole = ScriptBody.bytes(seed: 1, size: 2_000_000)

  @Test(arguments: [
    (["-r", "100-199"], 100..<200), (["-r", "1500000-"], 1_500_000..<2_000_000), (["-r", "-500"], 1_999_500..<2_000_000),
    (["-H", "Range: bytes=100-199"], 100..<200),
  ])
  func `A part that the user asks for is no shifted range`(options: [String], part: Range<Int>) async throws {
    try await Bench.run([.init("/f", Self.response(.honour))]) { bench in
      let run = try bench.get(options + [bench.url("/f")])
      #expect(run.status == 0, "\(run.standardError)")
      #expect(bench.files["f"] == Array(Self.whole[part]))
      let replay = try bench.replay()
      #expect(replay.findings.isEmpty && replay.outcomes == ["succeeded": 1], "\(replay.findings)")
    }
  }

  @Test(arguments: [ScriptedResponse.RangePolicy.earlyStart, .shortSlice])
  func `A rest that begins early or comes in several parts completes the file`(_ policy: ScriptedResponse.RangePolicy)
    async throws
  {
    var cut = Self.response(.honour)
    cut.cut = .init(.afterBodyBytes(1_500_000), .close)
    try await Bench.run([.init("/f", [cut, Self.response(policy)])]) { bench in
      let run = try bench.get(["--retry", "3", "--retry-delay", "1", bench.url("/f")])
      #expect(run.status == 0, "\(run.standardError)")
      #expect(bench.files["f"] == Self.whole)
      let rules = try bench.replay().findings.map(\.rule)
      #expect(!rules.contains("resume-range-shifted") && !rules.contains("truncated-body"), "\(rules)")
    }
  }

  @Test func `A download that is not modified leaves no file that was not moved`() async throws {
    try await Bench.run([.init("/f", ScriptedResponse(status: 304, headers: ["ETag": "\"x\""]))]) { bench in
      try Data("\"x\"\n".utf8).write(to: URL(fileURLWithPath: bench.path("work/tag")))
      let run = try bench.get(["--etag-compare", "tag", "-o", "f", bench.url("/f")])
      #expect(run.status == 0, "\(run.standardError)")
      let replay = try bench.replay()
      #expect(replay.findings.isEmpty, "\(replay.findings)")
    }
  }
}
