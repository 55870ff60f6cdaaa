import Foundation
import LogTestSupport
import XferScript

/// A comparison of a replay with the actual events of a lifecycle, which are known independently of the log.
struct LifecycleJudgement {
  /// Expected findings that are missing.
  private(set) var misses: [String] = []
  /// Findings without a cause in the lifecycle.
  private(set) var falseFindings: [String] = []
  /// Tasks whose completion was lost without a finding, or that the replay reports as ended.
  private(set) var lostCalledFine: [String] = []
  /// Other errors, for example wrong outcomes, wrong bytes or repeated callbacks.
  private(set) var others: [String] = []
  /// True findings that are not caused by the defect.
  private(set) var asides: [String] = []
  /// All root findings of the replay.
  private(set) var found: [String] = []

  var problems: [String] {
    misses.map { "missed: \($0)" } + falseFindings.map { "false finding: \($0)" }
      + lostCalledFine.map { "lost completion not reported: \($0)" } + others
  }

  private let lifecycle: Lifecycle
  private let truth: LifecycleTruth
  private let replay: ReplayResult

  private var story: AppStory { truth.story }

  init(_ lifecycle: Lifecycle, _ truth: LifecycleTruth, _ replay: ReplayResult) {
    (self.lifecycle, self.truth, self.replay) = (lifecycle, truth, replay)
    compareFindings()
    for task in lifecycle.tasks {
      compareOutcome(task, isNeverTold: truth.neverTold.contains(task.name))
      compareBytes(task)
    }
    if replay.tasks.count != lifecycle.tasks.count { others.append("the replay has \(replay.tasks.count) tasks") }
    if !replay.complete, !asides.contains("log-tail-torn ?") { others.append("the replay says that the log is not complete") }
  }

  // MARK: Findings

  /// The expected findings, each a rule ID and the affected session or tasks.
  private var expected: [String] {
    let isDaemonKilled = lifecycle.trouble == .daemonIsKilled
    return ofCause + (isDaemonKilled ? ["daemon-crash ?"] : [])
  }

  private var ofCause: [String] {
    guard let cause = lifecycle.cause else { return [] }
    switch cause {
    case .handlerNeverCalled, .handlerTooEarly, .sessionNotRecreated, .wrongIdentifier:
      return ["\(cause.rule) \(lifecycle.flawed)"]
    case .wakeNeverHappens: return truth.sessionsOfEnded.map { "\(cause.rule) \($0)" }
    case .daemonLosesTasks:
      return ["\(cause.rule) \(lifecycle.flawedTasks.map(\.name).sorted().joined(separator: " "))"]
    case .fileNotMoved, .destinationRefuses, .sourceDeleted, .errorTakenForSuccess, .forceQuit, .timeIsOver:
      return lifecycle.flawedTasks.map { "\(cause.rule) \($0.name)" }
    }
  }

  private mutating func compareFindings() {
    found = replay.findings.filter { $0.causedBy == nil }.map(text)
    var rest = expected
    for finding in found {
      if let place = rest.firstIndex(of: finding) {
        rest.remove(at: place)
      } else if asideTruths.contains(finding) {
        asides.append(finding)
      } else {
        falseFindings.append(finding)
      }
    }
    misses = rest
  }

  /// Further findings that may be reported because they are true.
  private var asideTruths: Set<String> {
    var truths: Set<String> = []
    for task in lifecycle.tasks {
      let requests = truth.requests.filter { $0.target == task.place }
      for (earlier, later) in zip(requests, requests.dropFirst()) {
        // A repeated request without a range transfers the same bytes again.
        if later.headers["Range"] == nil { truths.insert("progress-regressed \(task.name)") }
        if later.headers["Range"] != nil, later.status != 206 { truths.insert("resume-restarted \(task.name)") }
        // A daemon that ends during a response may not have stored the result.
        if earlier.ending == .complete, earlier.status ?? 500 < 400 { truths.insert("retry-after-success \(task.name)") }
      }
    }
    // After an early handler call, the app is woken again and repeats the defect.
    if lifecycle.cause == .handlerTooEarly { truths.formUnion(ofCause) }
    // A killed process may leave a torn record.
    if truth.wasKilled { truths.insert("log-tail-torn ?") }
    return truths
  }

  private func text(_ finding: ReplayResult.Finding) -> String {
    let names = Dictionary(story.made.map { ($1, $0) }) { first, _ in first }
    let tasks = finding.tasks.map { names[$0] ?? $0 }.sorted()
    let wake = replay.wakes.first { $0.handler == finding.wake }?.session
    let subject = finding.task.map { names[$0] ?? $0 } ?? (tasks.isEmpty ? wake ?? finding.session : tasks.joined(separator: " "))
    return "\(finding.rule) \(subject ?? "?")"
  }

  // MARK: Tasks

  private mutating func compareOutcome(_ task: LifecycleTask, isNeverTold: Bool) {
    guard let uid = story.made[task.name], let shown = replay.tasks.first(where: { $0.uid == uid }) else {
      return others.append("\(task.name) is not in the replay")
    }
    let told = story.told(task.name)
    guard let code = told.last else {
      if !isNeverTold { others.append("the completion of \(task.name) is lost") }
      if ["succeeded", "failed", "cancelled"].contains(shown.outcome) { lostCalledFine.append("\(task.name) \(shown.outcome)") }
      if found.isEmpty { lostCalledFine.append("\(task.name), without a finding") }
      return
    }
    if isNeverTold { others.append("\(task.name) was unexpectedly completed") }
    // A process killed during a callback gets the callback again after its relaunch.
    if told.count > (truth.wasKilled ? 2 : 1) || Set(told).count > 1 {
      others.append("\(task.name) was completed \(told.count) times: \(told)")
    }
    let truth = code == "cancelled" ? "cancelled" : Int(code).map { $0 < 400 ? "succeeded" : "failed" } ?? "failed"
    if shown.outcome != truth { others.append("\(task.name) is \(truth) (\(code)), but the replay says \(shown.outcome)") }
    if !isHarmed(task), !task.codes.contains(code) { others.append("\(task.name) ended with \(code)") }
  }

  /// Returns whether the defect changes the outcome of a task's transfer.
  private func isHarmed(_ task: LifecycleTask) -> Bool {
    switch lifecycle.cause {
    case .forceQuit, .daemonLosesTasks, .sourceDeleted, .timeIsOver: lifecycle.flawedTasks.contains { $0.name == task.name }
    default: false
    }
  }

  private mutating func compareBytes(_ task: LifecycleTask) {
    let code = story.told(task.name).last ?? "never told"
    let isGood = Int(code).map { $0 < 400 } ?? false
    if task.isUpload {
      let isSent = truth.requests.contains { $0.requestBodyCRC32 == CRC32(task.bytes).value }
      if isGood, !isSent { others.append("\(task.name) ended with \(code), but the server did not receive its bytes") }
    } else if lifecycle.cause != .fileNotMoved && lifecycle.cause != .destinationRefuses || lifecycle.flawed != task.name {
      let file = truth.files[task.name]
      if isGood, file != task.bytes { others.append("the file \(task.name) is \(file == nil ? "missing" : "wrong")") }
      let isTaken = lifecycle.cause == .errorTakenForSuccess && lifecycle.flawed == task.name
      if !isGood, !isTaken, file != nil { others.append("\(task.name) ended with \(code), but its file exists") }
    }
  }
}
