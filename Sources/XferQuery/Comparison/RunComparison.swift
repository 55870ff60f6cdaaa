package import XferDiagnosis
import XferEvents

/// The differences between two runs of the same workload.
package struct RunComparison: Sendable {
  /// One run: its tasks, and its findings.
  package struct Run: Sendable {
    package var tasks: [TaskProfile] = []
    package var findings: [Finding] = []

    package init() {}
  }

  /// A time that changed by more than noise.
  package struct TimeChange: Sendable {
    package let stage: ComparedStage
    package let first: Duration
    package let second: Duration
    /// The largest difference that would have been noise.
    package let noise: Duration
  }

  /// A finding that only one of the runs has.
  package struct FindingChange: Sendable {
    package enum Run: String, CaseIterable, Sendable { case first, second }

    package let run: Run
    package let finding: Finding
  }

  /// A task that only one of the runs has, or that went differently.
  package struct TaskChange: Sendable {
    package enum Kind: String, CaseIterable, Sendable { case onlyInFirst, onlyInSecond, changed }

    package let kind: Kind
    package let first: TaskProfile?
    package let second: TaskProfile?
    package var outcomeChanged: Bool
    /// The states that only the first run has.
    package var lostSteps: [String] = []
    package var newSteps: [String] = []
    package var times: [TimeChange] = []
    package var findings: [FindingChange] = []

    var isDifference: Bool {
      kind != .changed || outcomeChanged || !lostSteps.isEmpty || !newSteps.isEmpty || !times.isEmpty || !findings.isEmpty
    }
  }

  /// A stage that became faster or slower in all tasks.
  package struct StageShift: Sendable {
    package let stage: ComparedStage
    package let tasks: Int
    package let first: Duration
    package let second: Duration
  }

  package let first: Run
  package let second: Run
  /// The number of tasks that both runs have.
  package let aligned: Int
  package private(set) var tasks: [TaskChange] = []
  package private(set) var shifts: [StageShift] = []
  /// The findings of one run that are about no single task.
  package private(set) var findings: [FindingChange] = []
  package var count: Int { tasks.count + shifts.count + findings.count }

  /// - Parameters:
  ///   - limits: When a difference of times counts; `nil` compares no times.
  package init(_ first: Run, _ second: Run, limits: StageNoise.Limits?) {
    (self.first, self.second) = (first, second)
    let alignment = TaskAlignment(first.tasks, second.tasks)
    aligned = alignment.pairs.count
    let found = (FindingIndex(first.findings), FindingIndex(second.findings))
    let noise = limits.map { limits in Self.noise(alignment.pairs, limits) } ?? [:]
    shifts = ComparedStage.allCases.compactMap { stage in
      guard let noise = noise[stage], noise.shift != nil else { return nil }
      return StageShift(
        stage: stage, tasks: noise.pairs, first: .nanoseconds(noise.medians.first), second: .nanoseconds(noise.medians.second))
    }
    for (one, other) in alignment.pairs {
      var change = TaskChange(
        kind: .changed, first: one, second: other,
        outcomeChanged: one.outcome != other.outcome || one.reason != other.reason)
      change.lostSteps = Self.steps(one.steps, without: other.steps)
      change.newSteps = Self.steps(other.steps, without: one.steps)
      change.times = Self.changes(one, other, noise)
      change.findings = Self.changes(found.0.findings(about: one.identity), found.1.findings(about: other.identity))
      if change.isDifference { tasks.append(change) }
    }
    for task in alignment.onlyInFirst {
      var change = TaskChange(kind: .onlyInFirst, first: task, second: nil, outcomeChanged: false)
      change.findings = Self.changes(found.0.findings(about: task.identity), [])
      tasks.append(change)
    }
    for task in alignment.onlyInSecond {
      var change = TaskChange(kind: .onlyInSecond, first: nil, second: task, outcomeChanged: false)
      change.findings = Self.changes([], found.1.findings(about: task.identity))
      tasks.append(change)
    }
    findings = Self.changes(found.0.others, found.1.others)
  }

  private static func noise(
    _ pairs: [(first: TaskProfile, second: TaskProfile)], _ limits: StageNoise.Limits
  ) -> [ComparedStage: StageNoise] {
    Dictionary(
      uniqueKeysWithValues: ComparedStage.allCases.map { stage in
        let times = pairs.compactMap { pair -> (first: Int64, second: Int64)? in
          guard let first = pair.first.times[stage], let second = pair.second.times[stage] else { return nil }
          return (first.nanoseconds, second.nanoseconds)
        }
        return (stage, StageNoise(times, limits))
      })
  }

  private static func changes(
    _ first: TaskProfile, _ second: TaskProfile, _ noise: [ComparedStage: StageNoise]
  ) -> [TimeChange] {
    ComparedStage.allCases.compactMap { stage in
      guard let noise = noise[stage], let one = first.times[stage], let other = second.times[stage],
        !noise.isNoise(one.nanoseconds, other.nanoseconds)
      else { return nil }
      return TimeChange(stage: stage, first: one, second: other, noise: noise.band(around: one.nanoseconds))
    }
  }

  /// Returns the steps of one task that another one does not have.
  private static func steps(_ steps: [String], without others: [String]) -> [String] { steps.filter { !others.contains($0) } }

  /// Returns the findings that only one of the runs has. Findings of the same rule and variant count as the same problem.
  private static func changes(_ first: [Finding], _ second: [Finding]) -> [FindingChange] {
    func surplus(_ own: [Finding], over others: [Finding], _ run: FindingChange.Run) -> [FindingChange] {
      let known = Set(others.map(problem))
      return own.filter { !known.contains(problem($0)) }.map { FindingChange(run: run, finding: $0) }
    }
    return surplus(first, over: second, .first) + surplus(second, over: first, .second)
  }

  private struct Problem: Hashable {
    let rule: String
    let variant: String?
  }

  private static func problem(_ finding: Finding) -> Problem { Problem(rule: finding.rule, variant: finding.variant) }
}

/// The findings that count, by the task that they are about.
private struct FindingIndex {
  private var byTask: [TaskUID: [Finding]] = [:]
  /// The findings about no single task.
  private(set) var others: [Finding] = []

  init(_ findings: [Finding]) {
    for finding in findings where finding.counts {
      if let task = finding.task { byTask[task.uid, default: []].append(finding) } else { others.append(finding) }
    }
  }

  func findings(about task: TaskIdentity) -> [Finding] { byTask[task.uid] ?? [] }
}
