import XferEvents
import XferQuery
import XferReport
import XferSQLite

/// The table of events. The table may have millions of rows, so recurring values are prepared once.
final class EventTable {
  private let statement: SQLiteStatement
  private let sources: SourceTable
  private var layouts: [Layout?] = []
  private var subjects: [Symbol: Subject] = [:]
  private var subjectOfUID: [TaskUID: Subject] = [:]
  private var text = TextBuffer(capacity: 1 << 12)

  init(in connection: SQLiteConnection, sources: SourceTable) throws(SQLiteError) {
    self.sources = sources
    statement = try connection.statement(
      """
      INSERT INTO events(source, segment, lane, seq, wall_ns, mono_ns, boot_ns, level, event, session, task, number, host,
        thread, fields)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
  }

  /// Inserts an event. SQLite assigns ascending row numbers from 1, so it appends each row without a search.
  func insert(_ event: RecordedEvent) throws(SQLiteError) {
    let layout = layout(event.layout)
    let subject = subject(of: event)
    let host = event.host
    if let subject, subject.host == nil { subject.host = host }
    let place = RecordPlace(event.reference)
    statement.bind(try sources.row(of: event), at: 1)
    statement.bind(place.segment, at: 2)
    statement.bind(place.lane, at: 3)
    statement.bind(place.sequence, at: 4)
    statement.bind(event.wall?.nanoseconds, at: 5)
    statement.bind(event.monotonic, at: 6)
    statement.bind(event.boottime, at: 7)
    statement.bind(layout.level, at: 8)
    statement.bind(layout.name, at: 9)
    statement.bind(subject?.session ?? event.session, at: 10)
    statement.bind(subject?.uid, at: 11)
    statement.bind(subject?.number, at: 12)
    statement.bind(host ?? subject?.host, at: 13)
    statement.bind(event.thread.map(Int64.init), at: 14)
    bindFields(event, layout)
    try statement.run()
  }

  private func bindFields(_ event: RecordedEvent, _ layout: Layout) {
    text.removeAll()
    text.appendJSON { json in
      json.beginObject()
      for field in layout.fields {
        guard let value = event.value(at: field.place) else { continue }
        json.key(prepared: field.key)
        EventJSON.write(value, to: &json)
      }
      json.endObject()
    }
    statement.bind(text.bytes, at: 15)
  }

  // MARK: Recurring values

  private final class Layout {
    let layout: EventLayout
    let level: String
    let name: String
    /// The fields that have no column of their own, in reading order.
    let fields: [(place: Int, key: [UInt8])]

    init(_ layout: EventLayout) {
      self.layout = layout
      level = layout.level.name
      name = layout.name
      let columns: Set<FieldID> = [.task, .session, .host]
      // A field that has a column's name but another type is stored with the other fields.
      let others = layout.fields.map { field in field.id.map { !columns.contains($0) || $0.type != field.type } ?? true }
      fields = layout.readingOrder.filter { others[$0] }.map { ($0, JSONText.preparedKey(layout.fields[$0].name)) }
    }
  }

  private func layout(_ layout: EventLayout) -> Layout {
    let number = Int(layout.number)
    while layouts.count <= number { layouts.append(nil) }
    if let known = layouts[number], known.layout === layout { return known }
    let prepared = Layout(layout)
    layouts[number] = prepared
    return prepared
  }

  /// The key of a task within one source.
  private struct Symbol: Hashable {
    let source: Int
    let number: UInt32
  }

  private final class Subject {
    let uid: String
    let session: String
    let number: Int64
    /// The host in the task's first event that names a host; `nil` if none has been found.
    var host: String?

    init(_ task: TaskIdentity) {
      uid = "\(task.uid)"
      session = task.session
      number = Int64(task.number)
    }
  }

  private func subject(of event: RecordedEvent) -> Subject? {
    guard let number = event.taskSymbol else { return nil }
    let symbol = Symbol(source: event.source.index, number: number)
    if let known = subjects[symbol] { return known }
    // The record that defines the task may still be read later, so a missing task is not cached.
    guard let task = event.task else { return nil }
    let subject = subjectOfUID[task.uid] ?? Subject(task)
    subjectOfUID[task.uid] = subject
    subjects[symbol] = subject
    return subject
  }
}
