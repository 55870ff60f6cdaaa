package import XferEvents
import XferPredicate

/// Tasks as traces of an event log in XES (IEEE 1849), for process mining: one trace for each task, one event for each of its events.
package struct XESDocument: ExportDocument {
  private let store: any FragmentStore
  private let version: String
  private var messages = MessageTexts()
  private var groups: [TaskUID: Int] = [:]
  private var clock = WallTimeText()
  private var gaps = 0
  private var withoutTask = 0
  /// The traces.
  private var fragments: FragmentGroups
  package private(set) var count = 0
  package let noun = (one: "event", many: "events")

  /// - Parameter store: an empty store for the events of each task.
  package init(version: String, store: any FragmentStore) {
    (self.version, self.store, fragments) = (version, store, FragmentGroups(store))
  }

  package var losses: [String] {
    guard withoutTask > 0 else { return [] }
    let events = withoutTask == 1 ? "1 event of no task was" : "\(withoutTask) events of no task were"
    return ["\(events) left out, because every event of XES belongs to a trace, which is a task here"]
  }

  package mutating func begin(in text: inout TextBuffer) {}
  package mutating func append(_ gap: LogGap, to text: inout TextBuffer) { gaps += 1 }

  package mutating func append(_ event: RecordedEvent, isSelected: Bool, to text: inout TextBuffer) throws {
    guard isSelected else { return }
    guard let task = event.task else {
      withoutTask += 1
      return
    }
    var fragment = TextBuffer(capacity: 1 << 10)
    let group: Int
    if let known = groups[task.uid] {
      group = known
    } else {
      group = groups.count
      groups[task.uid] = group
      Self.appendHead(of: task, to: &fragment)
    }
    append(event, to: &fragment)
    count += 1
    try store.append(fragment.bytes, to: group, key: 0)
  }

  package mutating func end(incompleteBecause reasons: [String], in text: inout TextBuffer) throws -> Bool {
    if !fragments.haveBegun { appendHead(reasons, to: &text) }
    if try fragments.writeNext(of: groups.count, .init(end: "</trace>\n"), into: &text) { return true }
    text.append("</log>\n" as StaticString)
    return false
  }

  // MARK: Elements

  private func appendHead(_ reasons: [String], to text: inout TextBuffer) {
    text.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <log xes.version="1849.2016" xes.features="" xmlns="http://www.xes-standard.org/">
      <extension name="Concept" prefix="concept" uri="http://www.xes-standard.org/concept.xesext"/>
      <extension name="Time" prefix="time" uri="http://www.xes-standard.org/time.xesext"/>
      <extension name="Lifecycle" prefix="lifecycle" uri="http://www.xes-standard.org/lifecycle.xesext"/>
      <extension name="Organizational" prefix="org" uri="http://www.xes-standard.org/org.xesext"/>
      <global scope="trace">
      <string key="concept:name" value="unknown"/>
      </global>
      <global scope="event">
      <string key="concept:name" value="unknown"/>
      <date key="time:timestamp" value="1970-01-01T00:00:00.000Z"/>
      <string key="lifecycle:transition" value="complete"/>
      </global>
      <classifier name="Event Name" keys="concept:name"/>

      """ as StaticString)
    Self.append("string", "concept:name", "xferlog", to: &text)
    Self.append("string", "creator", "xferlog \(version)", to: &text)
    if gaps > 0 { Self.append("int", "gaps", "\(gaps)", to: &text) }
    if !reasons.isEmpty { Self.append("string", "incomplete", reasons.joined(separator: "; "), to: &text) }
  }

  private static func appendHead(of task: TaskIdentity, to text: inout TextBuffer) {
    text.append("<trace>\n" as StaticString)
    append("string", "concept:name", task.label, to: &text)
    append("id", "uid", "\(task.uid)", to: &text)
    append("string", "session", task.session, to: &text)
    append("int", "number", "\(task.number)", to: &text)
  }

  private mutating func append(_ event: RecordedEvent, to text: inout TextBuffer) {
    text.append("<event>\n" as StaticString)
    Self.append("string", "concept:name", event.layout.name, to: &text)
    Self.append("string", "lifecycle:transition", "complete", to: &text)
    text.append("<date key=\"time:timestamp\" value=\"" as StaticString)
    // Readers keep microseconds.
    let time = ExportClock.nanoseconds(event.moment)
    var stamp = TextBuffer(capacity: 64)
    clock.append(WallTime(nanoseconds: time), to: &stamp)
    text.append(UnsafeRawBufferPointer(rebasing: stamp.bytes.prefix(26)))
    text.append("Z\"/>\n" as StaticString)
    let writer = event.source.writer
    if let name = writer.executable.flatMap({ $0.isEmpty ? nil : $0 }) ?? writer.role?.name {
      Self.append("string", "org:resource", name, to: &text)
    }
    if let role = writer.role { Self.append("string", "org:role", role.name, to: &text) }
    Self.append("string", "level", event.level.name, to: &text)
    Self.append("string", "message", messages.text(of: event), to: &text)
    for (name, value) in event.values where name != "task" && name != "message" { Self.append(name, value, to: &text) }
    text.append("</event>\n" as StaticString)
  }

  private static func append(_ name: String, _ value: RecordedValue, to text: inout TextBuffer) {
    switch value {
    case .bytes(let number), .integer(let number): append("int", name, "\(number)", to: &text)
    // In nanoseconds, as in the JSON of events.
    case .duration(let duration): append("int", name, "\(duration.nanoseconds)", to: &text)
    case .flag(let flag): append("boolean", name, "\(flag)", to: &text)
    case .time(let time): append("date", name, "\(time)", to: &text)
    case .launch(let id): append("id", name, "\(id)", to: &text)
    case .boot(let id): append("id", name, "\(id)", to: &text)
    case .digest(let digest): append("string", name, digest.hexadecimal, to: &text)
    case .message(let message): append("string", name, message.text, to: &text)
    case .task, .tasks, .identifier, .choice, .text: append("string", name, value.valueText ?? "", to: &text)
    case .unreadable: break
    }
  }

  private static func append(_ type: StaticString, _ key: String, _ value: String, to text: inout TextBuffer) {
    text.append(UInt8(ascii: "<"))
    text.append(type)
    text.append(" key=\"" as StaticString)
    text.appendXML(key)
    text.append("\" value=\"" as StaticString)
    text.appendXML(value)
    text.append("\"/>\n" as StaticString)
  }
}
