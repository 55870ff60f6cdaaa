import Foundation
import LogTestSupport
import Testing

/// Scenarios with real processes for faults that rules once missed or mistook. Each has a twin, `NAME.silent.yaml`, without the fault.
@Suite(.serialized) struct FaultScenarioTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("FaultScenarios")
    .path

  private static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()

  @Test func `Each scenario of a fault has a twin without the fault`() {
    let faults = Self.names.filter { !$0.hasSuffix(".silent.yaml") }
    #expect(!faults.isEmpty)
    #expect(Set(faults.map { $0.replacing(".yaml", with: ".silent.yaml") }) == Set(Self.names).subtracting(faults))
  }

  @Test(.timeLimit(.minutes(5)), arguments: names)
  func `Each scenario of a fault has exactly its expected findings`(name: String) throws {
    let run = try ToolRun("xfer", ["scenario", "run", "\(Self.folder)/\(name)"], environment: ["SWIFT_BACKTRACE": "enable=no"])
    try FailedScenarios.explain(run)
    #expect(run.status == 0, "\(name): \(run.text)\(run.standardError)")
  }
}
