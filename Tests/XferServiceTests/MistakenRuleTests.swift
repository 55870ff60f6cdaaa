import Foundation
import LogTestSupport
import Testing

/// Scenarios with real processes for rules that once stayed silent, or spoke where they must not. Each has a twin, `NAME.silent.yaml`,
/// that differs in the fault.
@Suite(.serialized) struct MistakenRuleTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("RuleScenarios")
    .path

  private static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()

  @Test func `Each scenario of a rule has a twin without the fault`() {
    let faults = Self.names.filter { !$0.hasSuffix(".silent.yaml") }
    #expect(!faults.isEmpty)
    #expect(
      faults.map { $0.replacingOccurrences(of: ".yaml", with: ".silent.yaml") } == Self.names.filter { !faults.contains($0) })
  }

  @Test(.timeLimit(.minutes(5)), arguments: names)
  func `Each scenario of a rule has exactly its expected findings`(name: String) throws {
    let run = try ToolRun("xfer", ["scenario", "run", "\(Self.folder)/\(name)"], environment: ["SWIFT_BACKTRACE": "enable=no"])
    #expect(run.status == 0, "\(name): \(run.text)\(run.standardError)")
  }
}
