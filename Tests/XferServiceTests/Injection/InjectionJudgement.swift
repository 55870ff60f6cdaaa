import Foundation

/// A comparison of a replay's findings with the journal of the injector.
struct InjectionJudgement {
  private(set) var hits: [InjectedCause] = []
  /// The causes that no finding names.
  private(set) var misses: [InjectionJournal.Entry] = []
  private(set) var falseFindings: [FalseFinding] = []
  /// The tasks whose completion is lost, in a log that the replay calls clean, or that it says ended.
  private(set) var lostCalledClean: [String] = []
  /// Other differences: wrong outcomes, and tasks or completions that are missing.
  private(set) var others: [String] = []
  /// The number of tasks with a cause, and without.
  private(set) var caused = 0
  private(set) var correct = 0

  struct FalseFinding {
    let rule: String
    /// The tasks, or the session, of the finding.
    let subject: String
  }

  private let life: InjectedLife
  private let journal: InjectionJournal
  private let replay: ReplayResult
  /// The names of the tasks, by uid.
  private let names: [String: String]

  init(_ life: InjectedLife, _ journal: InjectionJournal, _ replay: ReplayResult, names: [String: String]) {
    (self.life, self.journal, self.replay, self.names) = (life, journal, replay, names)
    let hit = Set(life.allPieces.filter { $0.cause != nil }.flatMap(\.tasks))
    (caused, correct) = (life.tasks.filter(hit.contains).count, life.tasks.filter { !hit.contains($0) }.count)
    // A cause such as a rejected task can have no task of its own.
    caused += life.allPieces.count { $0.cause != nil && $0.tasks.isEmpty }
    compareFindings()
    compareTasks()
    others += journal.ineffective.map { "\($0.rawValue) had no effect: the app was not launched for its events" }
    let isTorn = life.isKilled && replay.findings.contains { $0.rule == "log-tail-torn" }
    if !replay.complete, !isTorn { others.append("the replay says that the log is not complete") }
  }

  // MARK: Findings

  private mutating func compareFindings() {
    var named: Set<Int> = []
    for finding in replay.findings {
      let diagnosed = journal.entries.indices.filter { journal.entries[$0].isDiagnosed(by: finding, self) }
      named.formUnion(diagnosed)
      guard diagnosed.isEmpty, !journal.entries.contains(where: { $0.explains(finding, self) }) else { continue }
      // A process that is killed while it writes leaves a part of a record.
      if finding.rule == "log-tail-torn", life.isKilled { continue }
      let tasks = tasks(of: finding).joined(separator: " ")
      falseFindings.append(FalseFinding(rule: finding.rule, subject: tasks.isEmpty ? session(of: finding) ?? "the app" : tasks))
    }
    for (place, entry) in journal.entries.enumerated() {
      if named.contains(place) { hits.append(entry.cause) } else { misses.append(entry) }
    }
  }

  fileprivate func tasks(of finding: ReplayResult.Finding) -> [String] {
    ((finding.task.map { [$0] } ?? []) + finding.tasks).map { names[$0] ?? $0 }
  }

  fileprivate func session(of finding: ReplayResult.Finding) -> String? {
    replay.wakes.first { $0.handler == finding.wake }?.session ?? finding.session
  }

  // MARK: Tasks

  private mutating func compareTasks() {
    for task in life.tasks {
      guard let shown = replay.tasks.first(where: { names[$0.uid] == task }) else {
        others.append("\(task) is not in the replay")
        continue
      }
      let isExpected = life.allPieces.contains { $0.lost.contains(task) }
      guard !journal.lost.contains(task), let result = journal.told[task]?.last else {
        if !isExpected { others.append("the completion of \(task) was lost without a cause") }
        // The system may have ended the task as cancelled or failed, which the app could not learn.
        let isNamed = replay.findings.contains { finding in
          let named = tasks(of: finding)
          return named.isEmpty || named.contains(task)
        }
        if !isNamed || shown.outcome == "succeeded" {
          lostCalledClean.append("\(task) \(shown.outcome)")
        }
        continue
      }
      if let results = journal.told[task], results.count > 1, !life.isKilled {
        others.append("\(task) was completed \(results.count) times: \(results.joined(separator: ", "))")
      }
      let outcome = result == "cancelled" ? "cancelled" : Int(result).map { $0 < 400 ? "succeeded" : "failed" } ?? "failed"
      if shown.outcome != outcome, !isRecordedOtherwise(task) {
        others.append("\(task) is \(outcome) (\(result)), but the replay says \(shown.outcome)")
      }
    }
    if replay.tasks.count != life.tasks.count { others.append("\(life.tasks.count) tasks, \(replay.tasks.count) in the replay") }
  }

  private func isRecordedOtherwise(_ task: String) -> Bool {
    life.allPieces.contains {
      $0.tasks.contains(task) && $0.reactions.contains { $0.callback == "completed" && $0.recordsOutcome(of: task) }
    }
  }
}

extension InjectedPiece.Reaction {
  /// Whether the app records an outcome of its own for a task, which may differ from the transfer's.
  fileprivate func recordsOutcome(of name: String) -> Bool {
    task == name && steps.contains { $0.contains("outcome: success") || $0.contains("outcome: failure") }
  }
}

extension InjectionJournal.Entry {
  /// Whether a finding is a right diagnosis of this cause.
  fileprivate func isDiagnosed(by finding: ReplayResult.Finding, _ judgement: InjectionJudgement) -> Bool {
    cause.rules.contains(finding.rule) && concerns(finding, judgement)
  }

  /// Whether a finding is a consequence of this cause.
  fileprivate func explains(_ finding: ReplayResult.Finding, _ judgement: InjectionJudgement) -> Bool {
    finding.causedBy != nil && cause.consequences.contains(finding.rule) && concerns(finding, judgement)
  }

  private func concerns(_ finding: ReplayResult.Finding, _ judgement: InjectionJudgement) -> Bool {
    let found = judgement.tasks(of: finding)
    if !found.isEmpty {
      return tasks.contains(where: found.contains) || tasks.isEmpty && sessions.contains(finding.session ?? "")
    }
    guard let session = finding.session ?? judgement.session(of: finding) else { return true }
    return sessions.isEmpty || sessions.contains { session == $0 || session.hasPrefix("\($0).") }
  }
}

extension InjectionJudgement {
  var isRight: Bool { misses.isEmpty && falseFindings.isEmpty && lostCalledClean.isEmpty && others.isEmpty }
}
