import Foundation
import LogTestSupport
import Testing
import XferScript

/// Tests that kill `xfer get` in mid-body and resume with `-C -`. The replay must explain every restart from the beginning.
struct RestartTests {
  private static let size = 4_000_000

  private static func version(
    _ seed: UInt64, _ headers: ScriptHeaders, size: Int = size, ranges: ScriptedResponse.RangePolicy = .honour,
    pieces: ScriptedResponse.Pieces? = nil
  ) -> ScriptedResponse {
    ScriptedResponse(headers: headers, body: .generated(size: size, seed: .value(seed)), pieces: pieces, ranges: ranges)
  }

  private static let (monday, tuesday) = ("Mon, 01 Jun 2020 00:00:00 GMT", "Tue, 02 Jun 2020 00:00:00 GMT")

  /// Returns fields in which `Last-Modified` is a strong validator, because `Date` is later.
  private static func dated(_ modified: String) -> ScriptHeaders {
    ["Last-Modified": modified, "Date": "Wed, 03 Jun 2020 00:00:00 GMT"]
  }

  /// The validators, the later response, and the variant of the expected finding. `nil` means no finding.
  static let cases: [(headers: ScriptHeaders, later: ScriptedResponse, variant: String?)] = [
    (["ETag": "\"a\""], version(1, ["ETag": "\"a\""]), nil),
    (["ETag": "\"a\""], version(2, ["ETag": "\"b\""]), "entity tag"),
    (dated(monday), version(1, dated(monday)), nil),
    (dated(monday), version(2, dated(tuesday)), "date"),
    (["ETag": "\"a\""], version(2, [:], size: 3_000_000), "size"),
    (["ETag": "\"a\""], version(1, ["ETag": "\"a\""], ranges: .ignore), "range ignored"),
    (["ETag": "\"a\""], version(1, ["ETag": "\"a\""], ranges: .refuse), "range not usable"),
    (["ETag": "\"a\""], version(1, ["ETag": "\"a\""], ranges: .sliceAs200), "range not usable"),
  ]

  private static let replaced = ["attempt.responseReceived", "attempt.requestSent", "attempt.responseReceived"]
  private static let evidence = [
    "entity tag": replaced, "date": replaced, "size": replaced,
    "range ignored": ["attempt.requestSent", "attempt.responseReceived"],
    "range not usable": ["attempt.requestSent", "attempt.responseReceived", "attempt.ended"],
  ]

  @Test(arguments: cases.indices)
  func `A killed download that restarts from the beginning produces a notice with the reason`(index: Int) async throws {
    let (headers, later, variant) = Self.cases[index]
    let first = Self.version(1, headers, pieces: .init(size: 100_000, delay: .milliseconds(50)))
    try await Bench.run([.init("/f", [first, later])]) { bench in
      try Self.kill(bench)
      let run = try bench.get("-C", "-", bench.url("/f"))
      #expect(run.status == 0, "\(run.standardError)")
      #expect(bench.server.requests[1].headers["Range"] != nil)

      let findings = try bench.replay().findings.filter { $0.rule != "crash-mid-transfer" }
      #expect(findings.map(\.rule) == (variant == nil ? [] : ["resume-restarted"]))
      #expect(findings.map(\.variant) == (variant == nil ? [] : [variant]))
      #expect(findings.allSatisfy { $0.certainty == "certain" })
      #expect(findings.allSatisfy { $0.evidence.map(\.event) == Self.evidence[variant ?? ""] })
    }
  }

  @Test
  func `A deliberate restart from the beginning produces no finding`() async throws {
    let first = Self.version(1, ["ETag": "\"a\""], pieces: .init(size: 100_000, delay: .milliseconds(50)))
    try await Bench.run([.init("/f", [first, Self.version(2, ["ETag": "\"b\""])])]) { bench in
      try Self.kill(bench)
      let run = try bench.get(bench.url("/f"))
      #expect(run.status == 0, "\(run.standardError)")
      let replay = try bench.replay()
      #expect(replay.findings.map(\.rule) == ["crash-mid-transfer"])
    }
  }

  /// Kills the command at the second progress report, one second after the first, when resume data and some bytes exist.
  private static func kill(_ bench: Bench) throws {
    let witness = try Witness(path: bench.path("witness"))
    let run = try bench.get(
      bench.url("/f"),
      environment: ["XFERLOG_TEST_WITNESS": witness.path, "XFERLOG_TEST_KILL_AT": "attempt.bytesReceived:2"])
    #expect(run.status == 128 + SIGKILL, "\(run.standardError)")
  }
}
