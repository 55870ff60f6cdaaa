package import XferEvents
import XferLifecycle
import XferQuery
import XferReplay

/// The state of tasks before and after each of their events, for the step player of a report.
///
/// A report has the changes of the tasks with findings. All other events are in it without their changes.
package struct ReportChanges {
  private typealias Entities = [(kind: StateDocument.Kind, entities: [StateDocument.Entity])]

  private let tasks: Set<TaskUID>
  private var replay = SteppingReplay()
  /// The entities of each task after its last event.
  private var known: [TaskUID: Entities] = [:]
  private var entries: [(event: RecordedEvent, changes: [StateDocument.Change])] = []

  /// The maximum numbers of tasks and of events with changes.
  private static let (taskLimit, limit) = (40, 3000)
  /// The fields whose texts are never private.
  private static let publicFields: Set<String> = ["state", "outcome", "error", "type", "method", "scheme", "host", "protocol"]

  /// - Parameter tasks: the tasks with findings, in the order of their importance.
  package init(of tasks: [TaskUID]) { self.tasks = Set(tasks.prefix(Self.taskLimit)) }

  /// Whether no further event will be considered.
  package var isFull: Bool { tasks.isEmpty || entries.count >= Self.limit }

  /// Takes the next event or gap.
  package mutating func apply(_ member: LogMember) {
    guard let change = replay.apply(member), case .event(let event) = member, case .task(let place) = change.subject else {
      return
    }
    let world = replay.world
    let uid = world.tasks[place].identity.uid
    guard tasks.contains(uid), !isFull else { return }
    let after = world.entities(ofTask: place)
    let before = known.updateValue(after, forKey: uid)
    let changes = after.flatMap { kind, entities in
      StateDocument.changes(kind, before?.first { $0.kind == kind }?.entities ?? [], entities)
    }
    if !changes.isEmpty { entries.append((event, changes)) }
  }

  /// Writes a list with the place of each event and its changes.
  func write(to json: inout JSONText) {
    json.array(of: entries) { entry, json in
      let text = StateText(now: entry.event.moment)
      // A field may repeat a private value that the event's log contains in plain text.
      let isMasked = ValueMask.isNeeded(for: entry.event.source.writer)
      json.beginArray()
      json.string("\(entry.event.reference)")
      json.array(of: entry.changes) { change, json in
        json.beginArray()
        json.string(change.kind.singular)
        json.string(change.entity.name)
        json.string(change.manner.rawValue)
        json.array(of: change.fields) { field, json in
          json.beginArray()
          json.string(field.name)
          for value in [field.before, field.after] {
            if let value {
              json.string(isMasked && value.isText && !Self.publicFields.contains(field.name) ? "‹masked›" : text.text(value))
            } else {
              json.null()
            }
          }
          json.endArray()
        }
        json.endArray()
      }
      json.endArray()
    }
  }
}

extension StateDocument.Value {
  fileprivate var isText: Bool {
    switch self {
    case .text, .list: true
    default: false
    }
  }
}
