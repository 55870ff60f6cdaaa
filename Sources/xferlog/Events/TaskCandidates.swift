package import XferEvents
package import XferReading
import XferReport

/// The tasks of a log, one of which the user selects with a text.
package struct TaskCandidates {
  private var tasks: [Candidate] = []
  private var placeOf: [TaskUID: Int] = [:]
  package private(set) var events = 0

  private struct Candidate {
    let identity: TaskIdentity
    var intents: [String] = []
    var address = TaskAddress()
    let first: WallTime?

    /// The task as one line of a list in a message.
    var line: String {
      let about = [intents.first.map { "for \($0)" }, first.map { "from \($0)" }].compactMap(\.self)
      return "  \(identity.uid)  \(identity.label)  \(about.joined(separator: ", "))"
    }
  }

  /// The task that a text selects.
  package struct Choice {
    package let uid: TaskUID
    /// A message about the other tasks that match; `nil` if no other task matches.
    package let remark: UserMessage?
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
      tasks[place].address.take(event)
    case .fileClaimed: tasks[place].address.take(event)
    default: break
    }
  }

  /// Returns the task that a text matches; `nil` if the log is empty. Throws if no task or tasks of different names match.
  ///
  /// Several tasks may have the same name, because numbers restart with each process and a file may be downloaded again. The
  /// newest one is returned.
  package func only(_ text: String) throws -> Choice? {
    if events == 0 { return nil }
    let selector = TaskSelector(text)
    var found = tasks.filter { $0.identity.label == text || "\($0.identity.uid)" == text }
    if found.isEmpty { found = tasks.filter { selector.matches($0.identity) } }
    let isDescribed = found.isEmpty
    if isDescribed { found = tasks.filter { $0.intents.contains(text) } }
    if found.isEmpty { found = tasks.filter { $0.address.matches(text) } }
    if found.count == 1 { return Choice(uid: found[0].identity.uid, remark: nil) }
    if found.isEmpty { throw CommandExit(.nothingAnalysed, UserMessage(absence(text))) }
    guard isDescribed || Set(found.map(\.identity.label)).count == 1 else {
      let lines = ["'\(text)' matches \(found.count) tasks; choose one by SESSION/NUMBER or uid:"] + Self.list(found)
      throw CommandExit(.wrongUsage, UserMessage(lines: lines))
    }
    let newest =
      found.indices.max { (found[$0].first?.nanoseconds ?? .min, $0) < (found[$1].first?.nanoseconds ?? .min, $1) } ?? 0
    let chosen = found.remove(at: newest)
    let lines = ["'\(text)' matches \(found.count + 1) tasks; this is the newest. The others:"] + Self.list(found)
    return Choice(uid: chosen.identity.uid, remark: UserMessage(lines: lines))
  }

  private static func list(_ tasks: [Candidate]) -> [String] {
    tasks.prefix(listed).map(\.line) + (tasks.count > listed ? ["  and \(tasks.count - listed) more"] : [])
  }

  /// Returns the tasks whose intent, URL or file a text names.
  package func described(by text: String) -> [TaskUID] {
    let pattern = GlobPattern(text)
    let found = tasks.filter { $0.intents.contains(where: pattern.matches) }
    return (found.isEmpty ? tasks.filter { $0.address.matches(text) } : found).map(\.identity.uid)
  }

  private func absence(_ text: String) -> String {
    if tasks.isEmpty { return "the log has no tasks" }
    var names: Set<String> = []
    for task in tasks where names.count < 10_000 { names.formUnion([task.identity.label] + task.intents) }
    let near = NearNames.of(text, among: names.sorted())
    let advice =
      near.isEmpty ? "`xferlog show` lists their events." : "Did you mean \(near.joined(separator: " or "))?"
    return "'\(text)' matches none of the log's \(tasks.count.counted("task")). \(advice)"
  }
}
