import XferDiagnosis
import XferEvents
import XferLifecycle

extension DecidingCapture {
  static let object = DocumentObject<DecidingCapture>("capture", "A capture that would decide a question.") { fields in
    fields.text("capture", "What to capture.") { $0.text }
    fields.optionalText("command", "Command for a shell; `null` if there is none.") { $0.command }
  }

  /// The lines of the capture below a finding or a count. A command may contain names from the log.
  var lines: [String] {
    ["    decide    \(text)"] + (command.map { ["              $ \($0)"] } ?? [])
  }
}

extension DecidingCapture.Context {
  /// Creates the context of questions about processes.
  init(_ processes: [ProcessLifecycle]) {
    coverage = processes.lazy.compactMap(\.coverage).first
    var names: [String] = []
    for process in processes where process.role != .daemon && process.role != .system {
      guard let name = process.executable?.fileName, !names.contains(name) else { continue }
      // A quotation mark would end the string of the predicate.
      if !name.contains(where: { $0 == "\"" || $0 == "'" || $0 == "\\" }) { names.append(name) }
    }
    programs = Array(names.prefix(3))
  }
}

extension ReplayDocument {
  /// The captures that would decide what a finding leaves open.
  func captures(for finding: Finding) -> [DecidingCapture] {
    let lacks = finding.lowerings.compactMap(\.lack)
    if lacks.isEmpty { return [] }
    let times = finding.evidence.compactMap(\.wall) + finding.missing.compactMap { $0.dueBy?.wall }
    var context = finding.launch.flatMap { livesByLaunch[$0] }.map { DecidingCapture.Context($0) } ?? captureContext
    (context.from, context.to) = (times.min(), times.max())
    return DecidingCapture.deciding(lacks, context)
  }

  /// The maximum number of rules that are named whose questions are open.
  private static let namedRules = 4

  /// Returns lines that say which captures would decide what a foreign log leaves open: up to three captures, those that decide most
  /// questions first. If no rule has a question, they are about the tasks that have not ended.
  func openQuestions(_ tasks: TaskTally) -> [String] {
    guard captureContext.coverage != nil else { return [] }
    var counts: [DecidingCapture: Int] = [:]
    for question in undecided { for capture in question.captures { counts[capture, default: 0] += question.count } }
    if counts.isEmpty {
      guard let open = tasks.outcomes[.open], open > 0, diagnosis.findings.isEmpty else { return [] }
      let captures = DecidingCapture.deciding([.continuation], captureContext)
      return ["undecided: how \(open.counted("open task")) \(open == 1 ? "ends" : "end")"] + captures.flatMap(\.lines)
    }
    let total = undecided.reduce(0) { $0 + $1.count }
    let ranked = counts.sorted { ($1.value, $0.key.text) < ($0.value, $1.key.text) }
    let rules = Set(undecided.map(\.rule)).sorted()
    let others = rules.count > Self.namedRules ? " and \((rules.count - Self.namedRules).counted("other rule"))" : ""
    let names = rules.prefix(Self.namedRules).joined(separator: ", ") + others
    return ["undecided: \(total.counted("question")) of \(names)"] + ranked.prefix(3).flatMap(\.key.lines)
  }
}
