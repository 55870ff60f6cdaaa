import Foundation
import LogTestSupport
import XferScript

/// A scripted server, and a directory in which `xfer` runs and writes its log.
struct Bench: Sendable {
  let server: ScriptedServer
  let directory = TemporaryDirectory()

  static func run(_ routes: [ServerScript.Route], _ body: (Bench) async throws -> Void) async throws {
    try await ScriptedServer.serving(ServerScript(routes)) { server in
      let bench = Bench(server: server)
      try FileManager.default.createDirectory(atPath: bench.path("work"), withIntermediateDirectories: true)
      try await body(bench)
    }
  }

  var log: String { directory.path("log.xlog") }
  var environment: [String: String] { ["XFERLOG_DIR": log, "XDG_STATE_HOME": directory.path("state")] }

  func path(_ name: String) -> String { directory.path(name) }

  func url(_ path: String) -> String { server.url(path) }

  /// Runs `xfer get` in the directory `work`.
  func get(_ arguments: String..., input: [UInt8]? = nil, environment: [String: String] = [:]) throws -> ToolRun {
    try get(arguments, input: input, environment: environment)
  }

  func get(_ arguments: [String], input: [UInt8]? = nil, environment: [String: String] = [:]) throws -> ToolRun {
    try xfer(["get"] + arguments, input: input, environment: environment)
  }

  func request(_ arguments: [String], input: [UInt8]? = nil) throws -> ToolRun { try xfer(["request"] + arguments, input: input) }

  func xfer(_ arguments: [String], input: [UInt8]? = nil, environment: [String: String] = [:]) throws -> ToolRun {
    try ToolRun("xfer", arguments, input: input, environment: self.environment.merging(environment) { $1 }, in: path("work"))
  }

  /// The contents of the files in `work`, keyed by name.
  var files: [String: [UInt8]] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path("work"))) ?? []
    return Dictionary(
      uniqueKeysWithValues: names.map { ($0, Array(FileManager.default.contents(atPath: path("work/\($0)")) ?? Data())) })
  }

  /// Returns the output of `xferlog replay -o json` for the log.
  func replay() throws -> ReplayResult { try ReplayResult(ToolRun("xferlog", ["replay", "-o", "json", log])) }
}

/// The parts of a replay's output that these tests check.
struct ReplayResult: Decodable {
  let verdict: String
  let exitCode: Int
  let tasks: [TaskResult]
  let findings: [FindingResult]

  struct TaskResult: Decodable {
    let uid: String
    let number: Int
    let state: String
    let outcome: String
    let http: Int?
    let appOutcome: String?
  }

  struct FindingResult: Decodable {
    let rule: String
    let variant: String?
    let certainty: String
    let tasks: [String]?
    let evidence: [Evidence]
  }

  struct Evidence: Decodable {
    let event: String
  }

  init(_ run: ToolRun) throws { self = try JSONDecoder().decode(Self.self, from: Data(run.standardOutput)) }

  var outcomes: [String: Int] { tasks.reduce(into: [:]) { $0[$1.outcome, default: 0] += 1 } }
}

extension ScriptedResponse {
  /// Returns a response with a generated body, in which misplaced bytes are detected.
  static func generated(_ size: Int, seed: UInt64 = 1) -> Self { Self(body: .generated(size: size, seed: .value(seed))) }
}
