import Foundation
import LogTestSupport

/// The output of `xferlog replay -o json` for a log.
struct Replayed: Decodable {
  let verdict: String
  let complete: Bool
  let exitCode: Int
  let processes: [Process]
  let tasks: [Task]
  let findings: [Finding]

  struct Process: Decodable {
    let role: String?
    let end: String
  }

  struct Task: Decodable {
    let uid: String
    let session: String
    let number: Int
    let outcome: String
    /// The number of events in an unexpected order.
    let unexpected: Int
  }

  struct Finding: Decodable {
    let rule: String
    let variant: String?
    let severity: String
    let certainty: String
    /// The index of the root finding in the list of findings.
    let causedBy: Int?
    let session: String?
    let task: String?
    /// The tasks named by a finding about a process.
    let tasks: [String]
    let summary: String
    let evidence: [Event]
    let missing: [Event]
  }

  struct Event: Decodable { let event: String }

  init(log: String) throws {
    let run = try ToolRun("xferlog", ["replay", "-o", "json", log])
    self = try JSONDecoder().decode(Self.self, from: Data(run.standardOutput))
    guard run.status == Int32(exitCode) else { throw Disagreement(status: run.status, document: exitCode) }
  }

  /// An error: the exit code in the document differs from the tool's exit code.
  struct Disagreement: Error {
    let status: Int32
    let document: Int
  }

  /// The replay's results in the form of an expectation.
  var found: Expectation {
    let names = Dictionary(uniqueKeysWithValues: tasks.map { ($0.uid, "\($0.session)/\($0.number)") })
    return Expectation(
      exit: exitCode, verdict: verdict, complete: complete, processes: processes.map { "\($0.role ?? "?") \($0.end)" },
      tasks: tasks.reduce(into: [:]) { $0[$1.outcome, default: 0] += 1 },
      findings: findings.map { finding in
        Expectation.Finding(
          finding.rule, cause: finding.causedBy.map { findings[$0].rule }, variant: finding.variant, severity: finding.severity,
          certainty: finding.certainty,
          task: finding.task.map { names[$0] ?? $0 }, tasks: finding.tasks.map { names[$0] ?? $0 },
          session: finding.task == nil ? finding.session : nil,
          evidence: finding.evidence.map(\.event), missing: finding.missing.map(\.event))
      })
  }

  /// Returns a description of each difference from the expectation. Empty when there is none.
  func differences(from expected: Expectation) -> [String] {
    var differences: [String] = []
    // The words of `says` are searched in the summary and are not part of the comparison.
    var plain = expected
    for index in plain.findings.indices { plain.findings[index].says = nil }
    if found != plain { differences.append("expected \(plain), found \(found)") }
    for (finding, wanted) in zip(findings, expected.findings) {
      if let words = wanted.says, !finding.summary.contains(words) {
        differences.append("\(finding.rule) says “\(finding.summary)”, without “\(words)”")
      }
    }
    let unexpected = tasks.reduce(0) { $0 + $1.unexpected }
    if unexpected > 0 { differences.append("\(unexpected) events occur in an unexpected order") }
    return differences
  }
}
