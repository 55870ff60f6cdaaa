package import XferDiagnosis
package import XferEvents
package import XferLifecycle
package import XferPredicate
package import XferReplay

/// The subjects of a log, as a replay of the whole log leaves them: the values of their fields in queries.
package final class SubjectLedger: SubjectValues {
  private let fields: [QuerySubject: [SubjectField]]
  private var places: [SubjectField: Int] = [:]
  private var tasks: [TaskUID: [FieldReading]] = [:]
  private var sessions: [String: [(launch: LaunchID?, readings: [FieldReading])]] = [:]
  private var processes: [LaunchID: [FieldReading]] = [:]
  private var findings: [Finding] = []
  private var findingReadings: [[FieldReading]] = []
  private var findingsOfTask: [TaskUID: [Int]] = [:]
  private var findingsOfSession: [String: [Int]] = [:]
  private var findingsOfPlace: [EventReference: [Int]] = [:]

  /// - Parameter wanted: the fields that the query names. Others are not kept.
  package init(_ wanted: [SubjectField]) {
    fields = Dictionary(grouping: wanted, by: \.subject)
    for list in fields.values { for (place, field) in list.enumerated() { places[field] = place } }
  }

  // MARK: From the replay

  /// Notes a task that has ended, or that is open at the end of the log. Called once for each task.
  package func note(_ task: TaskLifecycle, in world: World) {
    guard let wanted = fields[.task] else { return }
    tasks[task.identity.uid] = wanted.map { task.reading($0.name, in: world) }
  }

  /// Notes all other subjects. Called once, at the end of the log.
  package func finish(_ diagnosis: JointDiagnosis) {
    if let wanted = fields[.session] {
      for world in diagnosis.parts.map(\.world) {
        for session in world.sessions {
          let readings = wanted.map { session.reading($0.name) }
          sessions[session.identifier, default: []].append((world.processes[session.process].launch, readings))
        }
      }
    }
    if let wanted = fields[.process] {
      for process in diagnosis.processes {
        if let launch = process.launch { processes[launch] = wanted.map { process.reading($0.name) } }
      }
    }
    findings = diagnosis.findings
    for (place, finding) in findings.enumerated() {
      findingReadings.append((fields[.finding] ?? []).map { finding.reading($0.name) })
      for task in finding.task.map({ [$0] }) ?? finding.tasks { findingsOfTask[task.uid, default: []].append(place) }
      if finding.task == nil, finding.tasks.isEmpty, let session = finding.session {
        findingsOfSession[session, default: []].append(place)
      }
      for fact in finding.evidence { findingsOfPlace[fact.reference, default: []].append(place) }
    }
  }

  // MARK: For events

  package func reading(_ field: SubjectField, for event: EventView) -> FieldReading {
    guard let place = places[field] else { return .missing }
    switch field.subject {
    case .task: return event.task.flatMap { tasks[$0.uid]?[place] } ?? .missing
    case .session:
      guard let name = event.task?.session ?? event.session, let known = sessions[name] else { return .missing }
      let launch = event.source.writer.launch
      return (known.last { $0.launch == launch } ?? known[known.count - 1]).readings[place]
    case .process: return event.source.writer.launch.flatMap { processes[$0]?[place] } ?? .missing
    case .finding:
      let readings = findings(about: event).map { findingReadings[$0][place] }
      let texts = readings.compactMap { if case .text(let text) = $0 { text } else { nil } }
      if !texts.isEmpty { return .texts(texts) }
      let numbers = readings.compactMap { if case .number(let number) = $0 { number } else { nil } }
      return numbers.isEmpty ? .missing : .numbers(numbers)
    }
  }

  /// Returns the indexes of the findings about an event: those about its task, those that cite it, and, if it has no task, those about
  /// its session.
  func findings(about event: EventView) -> [Int] {
    var found: [Int] = []
    if let task = event.task {
      found += findingsOfTask[task.uid] ?? []
    } else if let session = event.session {
      found += findingsOfSession[session] ?? []
    }
    for place in findingsOfPlace[event.reference] ?? [] where !found.contains(place) { found.append(place) }
    return found.sorted()
  }

  /// Returns a finding's row with the columns of `FindingColumns`.
  func row(ofFinding place: Int) -> [ResultValue] {
    let finding = findings[place]
    return [
      .text(finding.rule), finding.variant.map(ResultValue.text) ?? .null, ResultValue(finding.reading("severity")),
      ResultValue(finding.reading("certainty")), ResultValue(finding.reading("counted")),
      (finding.session ?? finding.task?.session).map(ResultValue.text) ?? .null,
      finding.task.map { .text("\($0.uid)") } ?? .null, finding.task.map { .number(Int64($0.number)) } ?? .null,
      ResultValue(finding.moment.wall), .text(finding.summary), .text(finding.remedy), .text(finding.fingerprint),
    ]
  }
}
