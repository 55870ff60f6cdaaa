package import XferEvents
import XferLifecycle
import XferReplay

/// Facts about one task that its lifecycle does not keep: all holds with their lengths, and the writers of events.
package struct TaskStory {
  package let uid: TaskUID
  /// The last event of the log with a wall-clock time.
  package private(set) var end: Fact?
  package private(set) var holds: [Hold] = []
  package private(set) var policies: [(fact: Fact, policy: PolicyName, isOn: Bool)] = []
  /// The events at which the network became available or unavailable.
  package private(set) var paths: [(fact: Fact, isUp: Bool)] = []
  /// The writer of each kept event, as an index into `labels`.
  private var writers: [EventReference: Int] = [:]
  private var labels: [String] = []
  private var labelOf: [String: Int] = [:]
  /// The roles of the writers of events about the task.
  package private(set) var rolesOfTask: Set<WriterRole> = []
  /// The roles of all writers.
  package private(set) var roles: Set<WriterRole> = []

  /// An interval in which the task was held for one reason.
  package struct Hold: Sendable {
    package let reason: HoldReason
    package let began: Fact
    package internal(set) var ended: Fact?
  }

  package init(uid: TaskUID) { self.uid = uid }

  /// The families of events that can explain what happens to a task.
  private static let relatedFamilies: Set<String> = [
    "process", "daemon", "link", "session", "wake", "network", "power", "policy", "protection", "disk",
  ]

  package mutating func take(_ event: RecordedEvent) {
    guard let kind = event.kind, let fact = event.fact else { return }
    if fact.monotonic != nil || fact.wall != nil { end = fact }
    if let role = event.source.writer.role { roles.insert(role) }
    if event.task?.uid == uid {
      if let role = event.source.writer.role { rolesOfTask.insert(role) }
      noteWriter(of: event)
      note(event, fact)
    } else if Self.relatedFamilies.contains(kind.family) {
      noteWriter(of: event)
      switch kind {
      case .networkPathChanged: if let isUp = event.up, isUp != paths.last?.isUp { paths.append((fact, isUp)) }
      case .policyChanged:
        if let policy = event.policy, let isOn = event.enabled { policies.append((fact, policy, isOn)) }
      default: break
      }
    }
  }

  private mutating func noteWriter(of event: RecordedEvent) {
    let writer = event.source.writer
    let program = writer.executable ?? "process"
    let name = writer.pid.map { "\(program):\($0)" } ?? program
    let label = writer.role.map { "\($0.name) \(name)" } ?? name
    if labelOf[label] == nil {
      labelOf[label] = labels.count
      labels.append(label)
    }
    writers[event.reference] = labelOf[label]
  }

  private mutating func note(_ event: RecordedEvent, _ fact: Fact) {
    switch fact.kind {
    case .taskHeld:
      endHold(fact)
      if let reason = event.hold { holds.append(Hold(reason: reason, began: fact)) }
    case .taskHoldEnded, .attemptStarted, .taskCompleted, .taskTransferred: endHold(fact)
    default: break
    }
  }

  private mutating func endHold(_ fact: Fact) {
    guard let last = holds.indices.last, holds[last].ended == nil else { return }
    holds[last].ended = fact
  }

  /// Returns the writer of an event: role, program and process id. `nil` for an event that was not kept.
  package func writer(of fact: Fact) -> String? { writers[fact.reference].map { labels[$0] } }
}
