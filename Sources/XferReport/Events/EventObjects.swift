import XferDiagnosis
import XferEvents

/// The objects that stand for an event, a gap and a finding, as members of a document or as lines that name their schema.
struct EventObjects: Sendable {
  let event: DocumentObject<EventRow>
  let gap: DocumentObject<LogGap>
  let inset: DocumentObject<EventInset>

  /// Members of the document `xferlog.events/1`.
  static let members = EventObjects(isLine: false)
  /// Lines of `-o ndjson`, each a document `xferlog.event/1`.
  static let lines = EventObjects(isLine: true)

  private init(isLine: Bool) {
    event = DocumentObject("event", "An event.") { fields in
      if isLine { fields.schema("xferlog.event/1") }
      Self.add(to: &fields)
    }
    gap = DocumentObject("gapRow", "A place where something is missing.") { fields in
      if isLine { fields.schema("xferlog.event/1") }
      Self.add(to: &fields)
    }
    inset = DocumentObject("findingRow", "A finding, at the moment at which the log settles it.") { fields in
      if isLine { fields.schema("xferlog.event/1") }
      Self.add(to: &fields)
    }
  }

  /// The descriptions of the three objects.
  var descriptions: [DocumentDescription] { [event.description, gap.description, inset.description] }

  /// The descriptions of the three objects and of all objects within them, each once.
  var allDescriptions: [DocumentDescription] {
    var known: Set<String> = []
    return descriptions.flatMap { [$0] + $0.objects }.filter { known.insert($0.name).inserted }
  }

  // MARK: Events

  private static func add(to fields: inout DocumentFields<EventRow>) {
    fields.add("time", .text(.time), presence: .omitted, "Wall-clock time of the event.") { row, key, json in
      guard let wall = row.event.wall else { return }
      json.key(prepared: key)
      row.clock.write(wall, to: &json)
    }
    fields.add(
      "mono", .text(.nanoseconds), presence: .omitted,
      "Time by the clock that stops while the machine sleeps, to compare within one boot."
    ) { row, key, json in
      guard let monotonic = row.event.monotonic else { return }
      json.key(prepared: key)
      json.integerString(monotonic)
    }
    fields.add("level", .choice(Level.allCases.map(\.name)), "Level of the event.") { row, _, json in
      json.prepared(row.layout.level)
    }
    fields.add("event", .text(.string), "Name of the event: the family, a full stop and what happened.") { row, _, json in
      json.prepared(row.layout.name)
    }
    fields.add("launch", .text(.uuid), presence: .omitted, "Process life that wrote the event.") { row, _, json in
      json.prepared(row.writer.launch)
    }
    fields.add("pid", .integer, presence: .omitted, "Process id of the writer.") { row, _, json in json.prepared(row.writer.pid) }
    fields.add("role", .vocabulary("WriterRole"), presence: .omitted, "Role of the writer.") { row, _, json in
      json.prepared(row.writer.role)
    }
    fields.add("thread", .integer, presence: .omitted, "The kernel's number of the thread.") { row, key, json in
      guard let thread = row.event.thread else { return }
      json.key(prepared: key)
      json.integer(thread)
    }
    SharedObjects.addSource("source", "Place of the event.", to: &fields) { $0.event.reference }
    fields.add("task", .eventValue(.task), presence: .omitted, "Task that the event is about.") { row, key, json in
      guard let place = row.layout.taskPlace, let task = row.event.value(at: place) else { return }
      json.key(prepared: key)
      EventJSON.write(task, to: &json)
    }
    fields.add("fields", .eventFields, "Fields of the event; see the vocabulary.") { row, key, json in
      json.key(prepared: key)
      json.beginObject()
      for field in row.layout.fields {
        guard let value = row.event.value(at: field.place) else { continue }
        json.key(prepared: field.key)
        EventJSON.write(value, to: &json)
      }
      json.endObject()
    }
  }

  // MARK: Gaps

  private static func add(to fields: inout DocumentFields<LogGap>) {
    fields.optionalText("time", as: .time, presence: .omitted, "Wall-clock time of the first event after the gap.") {
      $0.before?.wall.map { "\($0)" }
    }
    fields.optionalText("mono", as: .nanoseconds, presence: .omitted, "Monotonic time of the first event after the gap.") {
      $0.before?.monotonic.map { "\($0)" }
    }
    fields.optionalText("launch", as: .uuid, presence: .omitted, "Process life whose records are missing.") {
      $0.launch.map { "\($0)" }
    }
    fields.object("gap", missing, "What is missing.") { $0 }
  }

  private static let missing = DocumentObject<LogGap>("gap", "What is missing in one place.") { fields in
    fields.choice("cause", LogGap.Cause.names, "Why it is missing.") { $0.cause.name }
    fields.optionalText("problem", presence: .omitted, "What is wrong with damaged bytes.") {
      if case .damaged(let problem) = $0.cause { problem } else { nil }
    }
    fields.integer("segment", "Number of the segment or file.") { $0.segment }
    fields.text("name", "Name of the file.") { $0.name }
    fields.optionalInteger("lane", presence: .omitted, "Number of the lane; absent when the damage hides it.") { $0.lane }
    fields.optionalObject("sequences", range, presence: .omitted, "Positions of the missing records.") { $0.sequences }
    fields.optionalObject("bytes", range, presence: .omitted, "Damaged bytes of the file.") { $0.bytes }
    fields.optionalText("afterMono", as: .nanoseconds, presence: .omitted, "Monotonic time of the last event before the gap.") {
      $0.after?.monotonic.map { "\($0)" }
    }
  }

  private static let range = DocumentObject<Range<UInt64>>("gapRange", "A range without its end.") { fields in
    fields.integer("from", "The first.") { $0.lowerBound }
    fields.integer("to", "The one behind the last.") { $0.upperBound }
  }

  // MARK: Findings

  private static func add(to fields: inout DocumentFields<EventInset>) {
    fields.optionalText("time", as: .time, presence: .omitted, "Wall-clock time of the event that settled the finding.") {
      $0.wall.map { "\($0)" }
    }
    fields.choice("level", Level.allCases.map(\.name), "Level at which the finding is shown.") { $0.level.name }
    fields.add("finding", .object(Finding.object.description), "The finding.") { inset, key, json in
      json.key(prepared: key)
      inset.write(&json)
    }
  }
}

extension LogGap.Cause {
  static let names = [LogGap.Cause.missingSequence, .damaged(problem: ""), .torn, .dropped, .missingHead, .truncated].map(\.name)
}
