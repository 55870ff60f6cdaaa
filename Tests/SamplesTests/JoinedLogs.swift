import Foundation
import LogTestSupport

/// The results of a replay without the order in which they are listed, for comparing the replay of several logs with those of each.
struct ReplaySet: Equatable {
  private var tasks: [String: Int] = [:]
  private var findings: [String: Int] = [:]
  private var processes: [String: Int] = [:]
  private(set) var isComplete = true

  private init() {}

  init(_ replayed: Replayed) {
    for task in replayed.tasks {
      tasks["\(task.uid) \(task.session)/\(task.number) \(task.outcome) \(task.unexpected)", default: 0] += 1
    }
    for finding in replayed.findings {
      let root = finding.causedBy.map { replayed.findings[$0].rule } ?? "-"
      let evidence = (finding.evidence + finding.missing).map(\.event).joined(separator: ",")
      let text =
        "\(finding.rule) \(finding.variant ?? "") \(finding.certainty) \(finding.session ?? "") \(finding.task ?? "") "
        + "\(finding.tasks.sorted()) \(root) \(evidence) \(finding.summary)"
      findings[text, default: 0] += 1
    }
    for process in replayed.processes { processes["\(process.role ?? "?") \(process.end)", default: 0] += 1 }
    isComplete = replayed.complete
  }

  func hasSameHistory(as other: ReplaySet) -> Bool { tasks == other.tasks && processes == other.processes }

  static func + (left: ReplaySet, right: ReplaySet) -> ReplaySet {
    var sum = ReplaySet()
    sum.tasks = left.tasks.merging(right.tasks, uniquingKeysWith: +)
    sum.findings = left.findings.merging(right.findings, uniquingKeysWith: +)
    sum.processes = left.processes.merging(right.processes, uniquingKeysWith: +)
    sum.isComplete = left.isComplete && right.isComplete
    return sum
  }
}

extension Replayed {
  /// Replays several logs together. Returns the results, and what the tool said about its inputs.
  static func together(_ logs: [String]) throws -> (results: ReplaySet, remarks: [String]) {
    let run = try ToolRun("xferlog", ["replay", "-o", "json"] + logs)
    let replayed = try JSONDecoder().decode(Self.self, from: Data(run.standardOutput))
    let remarks = run.standardError.split(separator: "\n").map(String.init).filter { $0.contains("left out") }
    return (ReplaySet(replayed), remarks)
  }
}
