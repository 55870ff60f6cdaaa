import Foundation
import LogTestSupport
import Testing
import XferScript

/// SIGKILL of a download, the resource replaced or not, and `-C -`: beside curl, wget and aria2, where those are installed.
@Suite(.serialized) struct ContinueTests {
  /// One resource, before and after.
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

    /// Without a `Date` a date is no validator.
    var isResumable: Bool { validators.before["ETag"]?.hasPrefix("\"") ?? false }

    var before: [UInt8] { ScriptBody.bytes(seed: seed + 1, size: size) }
    var after: [UInt8] { isReplaced ? ScriptBody.bytes(seed: seed + 1001, size: newSize) : before }

    /// The first answer stops in mid body and leaves the client waiting; then comes what there is by now.
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

  /// How a program is told to begin, and to go on.
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
  func `Whether or not the resource was replaced, the file is whole, and of one version`() async throws {
    let seeds = seeds(6, campaign: 50)
    var fetchedAgain = 0
    for seed in seeds {
      let trial = Trial(seed: seed)
      try await Bench.run([trial.route]) { bench in
        let result = try Self.run(.xfer, trial, bench)
        #expect(result == .right, "seed \(seed): \(trial)")
        #expect(Set(bench.files.keys) == ["f"], "seed \(seed): nothing else is left")
        let rest = bench.server.requests.last?.bodyBytesWritten ?? 0
        if !trial.isReplaced { fetchedAgain += rest }
        try Self.checkReplay(trial, bench)
      }
    }
    print(
      "xfer get -C -: \(seeds.count) of \(seeds.count) right, seeds \(seeds.first!) to \(seeds.last!); \(fetchedAgain) bytes after the kills where nothing had changed"
    )
    if isCampaign { for client in Client.others { try await Self.count(client, seeds) } }
  }

  /// What other programs make of the same trials.
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
    // As much as the server sends before it waits, but for what a client has in its buffers. What cannot be gone on with has no
    // name: nobody sees how far it is.
    let isSeen = client.name != Client.xfer.name || trial.isResumable
    while process.isRunning {
      if isSeen, bench.files.values.contains(where: { $0.count >= 500_000 }) { break }
      if !isSeen, bench.server.requests.contains(where: { $0.bodyBytesWritten >= 700_000 }) { break }
      usleep(2000)
    }
    #expect(process.isRunning, "\(client.name) waits for the rest")
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    let run = try ToolRun(client.name, client.goOn + [bench.url("/f")], environment: bench.environment, in: bench.path("work"))
    guard run.status == 0, let file = bench.files["f"] else { return .failed }
    return file == trial.after ? .right : .stitched
  }

  /// The replay says why a download began anew, where it was to go on.
  private static func checkReplay(_ trial: Trial, _ bench: Bench) throws {
    let rules = Set(try bench.replay().findings.map(\.rule))
    #expect(rules.contains("crash-mid-transfer"), "seed \(trial.seed)")
    #expect(rules.contains("resume-restarted") == (trial.isResumable && trial.isReplaced), "seed \(trial.seed): \(rules)")
    #expect(!rules.contains("resume-entity-changed"), "seed \(trial.seed)")
  }
}
