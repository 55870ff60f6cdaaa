package import XferEvents
import XferReport

/// The tasks of a log, among which the user's text has to match exactly one.
package struct TaskCandidates {
  private var tasks: [Candidate] = []
  private var placeOf: [TaskUID: Int] = [:]
  package private(set) var events = 0

  private struct Candidate {
    let identity: TaskIdentity
    var intents: [String] = []
    let first: WallTime?

    var label: String { "\(identity.session)/\(identity.number)" }
  }

  package init() {}

  /// The maximum number of candidates that an error lists.
  private static let listed = 8

  package mutating func take(_ event: RecordedEvent) {
    events += 1
    guard let task = event.task else { return }
    let place: Int
    if let known = placeOf[task.uid] {
      place = known
    } else {
      place = tasks.count
      tasks.append(Candidate(identity: task, first: event.wall))
      placeOf[task.uid] = place
    }
    switch event.kind {
    case .taskCreated, .appIntentDeclared, .appIntentBound, .appOutcomeRecorded:
      if let key = event.intent?.key, !tasks[place].intents.contains(key) { tasks[place].intents.append(key) }
    default: break
    }
  }

  /// Returns the only task that a text matches; `nil` when the log is empty and may be.
  package func only(_ text: String) throws -> TaskUID? {
    if events == 0 { return nil }
    let selector = TaskSelector(text)
    var found = tasks.filter { $0.label == text || "\($0.identity.uid)" == text }
    if found.isEmpty { found = tasks.filter { selector.matches($0.identity) } }
    if found.isEmpty { found = tasks.filter { $0.intents.contains(text) } }
    if found.count == 1 { return found[0].identity.uid }
    if found.isEmpty { throw CommandExit(.nothingAnalysed, absence(text)) }
    let lines = found.prefix(Self.listed).map { candidate in
      let about = [candidate.intents.first.map { "for \($0)" }, candidate.first.map { "from \($0)" }].compactMap(\.self)
      return "  \(candidate.identity.uid)  \(candidate.label)  \(about.joined(separator: ", "))"
    }
    let more = found.count > Self.listed ? ["  and \(found.count - Self.listed) more"] : []
    throw CommandExit(
      .wrongUsage,
      (["'\(text)' is \(found.count) tasks; name one by SESSION/NUMBER or by its uid:"] + lines + more).joined(separator: "\n"))
  }

  private func absence(_ text: String) -> String {
    if tasks.isEmpty { return "the log tells of no task" }
    var names: Set<String> = []
    for task in tasks where names.count < 10_000 { names.formUnion([task.label] + task.intents) }
    let near = NearNames.of(text, among: names.sorted())
    let advice =
      near.isEmpty ? "`xferlog show` lists what happened to them." : "Did you mean \(near.joined(separator: " or "))?"
    return "'\(text)' is none of the log's \(tasks.count) task\(tasks.count == 1 ? "" : "s"). \(advice)"
  }
}
