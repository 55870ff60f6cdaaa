import Foundation
import LogTestSupport
import Testing
import XferDiagnosis
import XferEvents

/// Tests that real processes trigger the rules, and that the twin of each scenario, which differs in one line, does not.
///
/// A run draws a tenth of the scenarios by its seed. A campaign runs all of them three times, the last time on a
/// busy machine.
@Suite(.serialized, .timeLimit(.minutes(isCampaign ? 60 : 10))) struct RuleScenarioTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func path(of rule: String) -> String { root.appendingPathComponent(RuleScenario.path(of: rule)).path }

  private static let live = RuleCatalogue.descriptions.filter { $0.scenario != nil }.map(\.id)

  /// The scenarios that can run here: mounting a file system needs root, and some need strace.
  private static let runnable = live.filter { rule in
    let text = (try? String(contentsOfFile: path(of: rule), encoding: .utf8)) ?? ""
    return (geteuid() == 0 || !text.contains("mount ")) && (canTrace || !text.contains("[strace,"))
  }

  private static let canTrace = (try? ToolRun("/usr/bin/strace", ["-o", "/dev/null", "/bin/true"]))?.status == 0

  private static let drawn: [String] = {
    if isCampaign { return runnable }
    var random = SeededRandom(seed: seeds(1, campaign: 1)[0])
    return runnable.shuffled(using: &random).prefix((runnable.count + 9) / 10).sorted()
  }()

  @Test(arguments: RuleCatalogue.descriptions)
  func `A rule that cannot be triggered has no scenario`(_ rule: RuleDescription) {
    #expect(rule.scenario == nil || rule.untriggerable == nil, "\(rule.id)")
  }

  @Test func `Each scenario is named after a rule`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.root.appendingPathComponent(RuleScenario.directory).path)
    let rules = Set(RuleCatalogue.descriptions.map(\.id))
    for name in names where name.hasSuffix(".yaml") { #expect(rules.contains(String(name.dropLast(5))), "\(name)") }
    #expect(Self.live.count >= 100)
  }

  @Test(arguments: isCampaign ? [false, false, true] : [false])
  func `Real processes trigger the rules, and the twins of their scenarios do not`(isBusy: Bool) throws {
    let directory = TemporaryDirectory()
    // A socket's path has at most 107 bytes.
    let kept = directory.path("k")
    let start = ContinuousClock.now
    let load = isBusy ? BusyProcessors() : nil
    let run = try {
      defer { load?.stop() }
      return try ToolRun(
        "xfer", ["scenario", "run", "--jobs", "3", "--keep", kept] + Self.drawn.map(Self.path),
        environment: ["SWIFT_BACKTRACE": "enable=no"])
    }()
    print("\(2 * Self.drawn.count) scenarios of rules\(isBusy ? " on a busy machine" : "") in \(ContinuousClock.now - start)")
    try FailedScenarios.explain(run)
    #expect(run.status == 0, "\(run.text)\(run.standardError)")
    for rule in Self.drawn {
      try checkWriters(rule, log: "\(kept)/\(rule)/log.xlog")
      let twin = try ReplayResult(log: "\(kept)/\(rule)-twin/log.xlog")
      #expect(!twin.findings.contains { $0.rule == rule }, "\(rule): the twin triggers the rule, too")
    }
  }

  /// Checks that each event that the finding cites was written by a program that writes such events, and not by a tool in its stead.
  private func checkWriters(_ rule: String, log: String) throws {
    let roles = try ReplayResult.roles(of: log)
    let findings = try ReplayResult(log: log).findings.filter { $0.rule == rule }
    #expect(!findings.isEmpty, "\(rule) is not triggered")
    for event in findings.flatMap(\.evidence) {
      let kind = try #require(EventKind.allCases.first { $0.name == event.event })
      let role = try #require(roles[event.source], "\(rule): \(event)")
      #expect(kind.isWritten(by: role), "\(rule): \(event.event) was written by \(role.name)")
      // Whoever opens a log next records how an earlier writer ended.
      #expect(role != .tool || kind == .processExitObserved, "\(rule): \(event.event) was written by a tool")
    }
  }
}

extension ReplayResult {
  fileprivate init(log: String) throws { try self.init(ToolRun("xferlog", ["replay", "-o", "json", log])) }

  /// Returns the writer of each event of a log.
  fileprivate static func roles(of log: String) throws -> [Source: WriterRole] {
    struct Line: Decodable {
      let role: String?
      let source: Source?
    }
    var roles: [Source: WriterRole] = [:]
    for text in try ToolRun("xferlog", ["show", "-o", "ndjson", log]).lines {
      let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
      if let source = line.source { roles[source] = WriterRole.allCases.first { $0.name == line.role } }
    }
    return roles
  }
}

/// Programs that keep all processors of the machine busy.
private struct BusyProcessors {
  private let processes: [Process]

  init() {
    processes = (0..<ProcessInfo.processInfo.activeProcessorCount).compactMap { _ in
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", "while :; do :; done"]
      return (try? process.run()).map { process }
    }
  }

  func stop() {
    for process in processes {
      // The programs inherit a signal mask that blocks SIGTERM.
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }
}
