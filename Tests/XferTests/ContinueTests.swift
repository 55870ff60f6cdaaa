import Foundation
import LogTestSupport
import Testing
import XferScript

/// Tests that kill a download, optionally replace the resource, and resume with `-C -`. The results are compared with curl,
/// wget and aria2 where these programs are installed.
@Suite(.serialized) struct ContinueTests {
  /// One resource before and after its replacement.
  private struct Trial {
    let seed: UInt64
    let size: Int
    let newSize: Int
    let isReplaced: Bool
    let validators: (before: ScriptHeaders, after: ScriptHeaders)
    let ifRange: ScriptedResponse.IfRangePolicy

    init(seed: UInt64) {
      self.seed = seed
      var random = SeededRandom(seed: seed)
      size = (1 << 20) + Int.random(in: 0...(1 << 20), using: &random)
      isReplaced = Bool.random(using: &random)
      newSize = !isReplaced || Bool.random(using: &random) ? size : size + Int.random(in: 1...500_000, using: &random)
      ifRange = Int.random(in: 0..<4, using: &random) == 0 ? .ignore : .honour
      let old = "Sun, 06 Nov 1994 08:49:37 GMT"
      let new = isReplaced ? "Mon, 07 Nov 1994 08:49:37 GMT" : old
      let kinds: [(ScriptHeaders, ScriptHeaders)] = [
        (["ETag": "\"1\""], ["ETag": isReplaced ? "\"2\"" : "\"1\""]),
        (["ETag": "W/\"1\""], ["ETag": isReplaced ? "W/\"2\"" : "W/\"1\""]),
        (["Last-Modified": old], ["Last-Modified": new]),
        (["ETag": "\"1\"", "Last-Modified": old], ["ETag": isReplaced ? "\"2\"" : "\"1\"", "Last-Modified": new]),
        ([:], [:]),
      ]
      validators = kinds[Int.random(in: kinds.indices, using: &random)]
    }

    /// Whether the download can be resumed. Without a `Date` field, `Last-Modified` is not a strong validator.
    var isResumable: Bool { validators.before["ETag"]?.hasPrefix("\"") ?? false }

    var before: [UInt8] { ScriptBody.bytes(seed: seed + 1, size: size) }
    var after: [UInt8] { isReplaced ? ScriptBody.bytes(seed: seed + 1001, size: newSize) : before }

    /// The route. The first response hangs in mid-body, and the next one serves the current version of the resource.
    var route: ServerScript.Route {
      .init(
        "/f",
        [
          ScriptedResponse(
            headers: validators.before, body: .generated(size: size, seed: .value(seed + 1)),
            cut: .init(.afterBodyBytes(700_000), .hang), ranges: .honour),
          ScriptedResponse(
            headers: validators.after, body: .generated(size: newSize, seed: .value(isReplaced ? seed + 1001 : seed + 1)),
            ranges: .honour, ifRange: ifRange),
        ])
    }
  }

  /// A download program, with its arguments for starting and for resuming a download.
  private struct Client {
    let name: String
    let begin: [String]
    let goOn: [String]

    static let xfer = Client(name: "xfer", begin: ["get", "-s"], goOn: ["get", "-s", "-C", "-"])
    static let others = [
      Client(name: "/usr/bin/curl", begin: ["-s", "-O"], goOn: ["-s", "-O", "-C", "-"]),
      Client(name: "/usr/bin/wget", begin: ["-q"], goOn: ["-q", "-c"]),
      Client(name: "/usr/bin/aria2c", begin: ["-q", "--auto-save-interval=1"], goOn: ["-q", "-c"]),
    ].filter { FileManager.default.isExecutableFile(atPath: $0.name) }
  }

  private enum Result: String {
    case right, stitched, failed
  }

  @Test
  func `A resumed file is complete and of a single version, even if the resource was replaced`() async throws {
    let seeds = seeds(6, campaign: 50)
    var fetchedAgain = 0
    for seed in seeds {
      let trial = Trial(seed: seed)
      try await Bench.run([trial.route]) { bench in
        let result = try Self.run(.xfer, trial, bench)
        #expect(result == .right, "seed \(seed): \(trial)")
        #expect(Set(bench.files.keys) == ["f"], "seed \(seed): no other file remains")
        let rest = bench.server.requests.last?.bodyBytesWritten ?? 0
        if !trial.isReplaced { fetchedAgain += rest }
        try Self.checkReplay(trial, bench)
      }
    }
    print(
      "xfer get -C -: \(seeds.count) of \(seeds.count) right, seeds \(seeds.first!) to \(seeds.last!); \(fetchedAgain) bytes received after the kills for unchanged resources"
    )
    if isCampaign { for client in Client.others { try await Self.count(client, seeds) } }
  }

  /// Runs the same trials with another program and prints its results.
  private static func count(_ client: Client, _ seeds: [UInt64]) async throws {
    var counts: [Result: Int] = [:]
    for seed in seeds {
      let trial = Trial(seed: seed)
      try await Bench.run([trial.route]) { counts[try run(client, trial, $0), default: 0] += 1 }
    }
    print("\(client.name): \(counts.map { "\($0.value) \($0.key)" }.sorted().joined(separator: ", "))")
  }

  private static func run(_ client: Client, _ trial: Trial, _ bench: Bench) throws -> Result {
    let process = ToolRun.process(
      client.name, client.begin + [bench.url("/f")], environment: bench.environment, in: bench.path("work"))
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    // Kill the client when it has stored most of the bytes that the server sends before it hangs. A download that cannot be
    // resumed has no visible file, so the bytes sent by the server are counted instead.
    let isSeen = client.name != Client.xfer.name || trial.isResumable
    while process.isRunning {
      if isSeen, bench.files.values.contains(where: { $0.count >= 500_000 }) { break }
      if !isSeen, bench.server.requests.contains(where: { $0.bodyBytesWritten >= 700_000 }) { break }
      usleep(2000)
    }
    #expect(process.isRunning, "\(client.name) is waiting for the remaining bytes")
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    let run = try ToolRun(client.name, client.goOn + [bench.url("/f")], environment: bench.environment, in: bench.path("work"))
    guard run.status == 0, let file = bench.files["f"] else { return .failed }
    return file == trial.after ? .right : .stitched
  }

  /// Checks that the replay explains why a resumable download was restarted.
  private static func checkReplay(_ trial: Trial, _ bench: Bench) throws {
    let rules = Set(try bench.replay().findings.map(\.rule))
    #expect(rules.contains("crash-mid-transfer"), "seed \(trial.seed)")
    #expect(rules.contains("resume-restarted") == (trial.isResumable && trial.isReplaced), "seed \(trial.seed): \(rules)")
    #expect(!rules.contains("resume-entity-changed"), "seed \(trial.seed)")
  }
}
