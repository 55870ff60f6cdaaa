import XferEvents

/// The number of occurrences in histories: kinds of events, steps of the vocabulary's table, and features.
struct HistoryTally {
  private(set) var kinds: [String: Int] = [:]
  /// The steps of the table by "from → to", within a family and subject.
  private(set) var steps: [String: Int] = [:]
  private(set) var features: [History.Feature: Int] = [:]
  /// The steps that the table does not allow, each with the seed of a history.
  private(set) var illegal: [String: UInt64] = [:]
  private var callbacks: Set<Callback> = []
  private var holds: Set<HoldReason> = []
  private var types: Set<TaskType> = []
  private var events = 0
  private var histories = 0

  init(_ histories: some Sequence<History>) { for history in histories { add(history) } }

  mutating func add(_ history: History) {
    histories += 1
    for feature in history.features { features[feature, default: 0] += 1 }
    var last: [String: [String: String]] = [:]
    for telling in history.tellings {
      events += 1
      let name = type(of: telling.event).kind.name
      kinds[name, default: 0] += 1
      switch telling.event {
      case let sent as DeliverySent: callbacks.insert(sent.callback)
      case let held as TaskHeld: if let hold = held.hold { holds.insert(hold) }
      case let created as TaskCreated: if let type = created.type { types.insert(type) }
      default: break
      }
      guard let definition = Self.definitions[name] else { continue }
      let subject = Self.subject(of: telling, definition.family)
      let previous = last[definition.family]?[subject] ?? "start"
      last[definition.family, default: [:]][subject] = name
      let step = "\(previous) → \(name)"
      if definition.follows.contains(previous) {
        steps[step, default: 0] += 1
      } else if definition.follows != ["any"] {
        illegal[step] = history.seed
      }
    }
  }

  var missingKinds: [String] { Vocabulary.events.map(\.name).filter { kinds[$0] == nil && !Self.onlyOfForeignLogs.contains($0) } }

  /// The events that no program of this package writes, except in a converted log.
  static let onlyOfForeignLogs = Set([
    "task.observed", "session.observed", "assertion.overdue", "process.assertionTimedOut", "process.launchFailed",
    "process.watchdogWithheld",
  ]).union(Vocabulary.events.map(\.name).filter { $0.hasPrefix("import.") })
  var missingSteps: [String] { Self.allSteps.filter { steps[$0] == nil } }
  var missingFeatures: [History.Feature] { History.Feature.allCases.filter { features[$0] == nil } }

  /// The callbacks, hold reasons and task types that do not occur.
  var missingCases: [String] {
    Callback.allCases.filter { !callbacks.contains($0) }.map(\.name)
      + HoldReason.allCases.filter { !holds.contains($0) }.map(\.name)
      + TaskType.allCases.filter { !types.contains($0) }.map(\.name)
  }

  var text: String {
    let counted = features.sorted { $0.key < $1.key }.map { "\($0.key.rawValue) \($0.value)" }.joined(separator: ", ")
    return """
      \(histories) histories, \(events) events, \(kinds.count) of \(Vocabulary.events.count) kinds, \
      \(steps.count) of \(Self.allSteps.count) steps; \(counted)
      """
  }

  private static let definitions = Dictionary(uniqueKeysWithValues: Vocabulary.events.map { ($0.name, $0) })
  private static let subjectFields = Dictionary(uniqueKeysWithValues: Vocabulary.families.map { ($0.name, $0.subject) })

  static let allSteps: [String] = Vocabulary.events.flatMap { event in
    event.follows.filter { $0 != "any" }.map { "\($0) → \(event.name)" }
  }

  /// Returns the subject of an event within its family; `nil` if that is the writer.
  static func subject(of telling: History.Telling) -> String? {
    let family = type(of: telling.event).kind.family
    guard let field = subjectFields[family], field != nil else { return nil }
    return family + subject(of: telling, family)
  }

  /// Returns the value of the family's subject field, or the writer.
  private static func subject(of telling: History.Telling, _ family: String) -> String {
    guard let field = subjectFields[family] ?? nil else { return "writer \(telling.pen.writer)" }
    let value = Mirror(reflecting: telling.event).children.first { $0.label == field }?.value
    // Each end of a link writes its own events, so the subject includes the writer.
    let end = family == "link" ? " of \(telling.pen.writer)" : ""
    return (value.map { "\($0)" } ?? "none") + end
  }
}
