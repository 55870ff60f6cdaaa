import XferDiagnosis
import XferEvents

/// Objects that several documents contain.
enum SharedObjects {
  /// Appends a field for the place of an event: a record of a log, or a line of a foreign file.
  static func addSource<Value>(
    _ name: String, presence: DocumentPresence = .always, _ summary: String, to fields: inout DocumentFields<Value>,
    _ reference: @escaping @Sendable (Value) -> EventReference?
  ) {
    fields.add(name, source, presence: presence, summary) { owner, json in
      if let reference = reference(owner) { write(reference, to: &json) } else { json.null() }
    }
  }

  /// The shape of an event's place: a record of a log, or a line of a foreign file.
  static let source = DocumentShape.either([
    .object(
      DocumentDescription(
        name: "recordSource", summary: "The place of an event in a log.",
        fields: [SourceMember.log, .segment, .lane, .seq].map(\.description))),
    .object(
      DocumentDescription(
        name: "lineSource", summary: "The place of an event in a foreign file.",
        fields: [SourceMember.file, .line].map(\.description))),
  ])

  /// A member of an event's place. Every event has a place, so `write` avoids the cost of the closures of a `DocumentObject`.
  private enum SourceMember {
    case log, segment, lane, seq, file, line

    @inline(__always)
    var name: StaticString {
      switch self {
      case .log: "log"
      case .segment: "segment"
      case .lane: "lane"
      case .seq: "seq"
      case .file: "file"
      case .line: "line"
      }
    }

    var description: DocumentDescription.Field {
      let summary =
        switch self {
        case .log: "Index of the log among the inputs, counted from 0. Left out for the first one."
        case .segment: "Number of the segment."
        case .lane: "Number of the lane (one thread of the writer)."
        case .seq: "Position of the record within its lane, counted from 0."
        case .file: "Number of the file."
        case .line: "Line of the file, counted from 1."
        }
      return .init(name: "\(name)", shape: .integer, unit: nil, summary: summary, presence: self == .log ? .omitted : .always)
    }
  }

  /// Writes the place of an event as a JSON object: segment, lane and position, or file and line.
  static func write(_ reference: EventReference, to json: inout JSONText) {
    json.beginObject()
    switch reference {
    case .record(let segment, let lane, let sequence, let log):
      if log != 0 { json.member(SourceMember.log.name, log) }
      json.member(SourceMember.segment.name, segment)
      json.member(SourceMember.lane.name, lane)
      json.member(SourceMember.seq.name, sequence)
    case .line(let file, let line):
      json.member(SourceMember.file.name, file)
      json.member(SourceMember.line.name, line)
    }
    json.endObject()
  }

  /// An event that happened, with its time and its place.
  static let fact = DocumentObject<Fact>("fact", "An event that happened.") { fields in
    fields.text("event", "Name of the event.") { $0.kind.name }
    addTimes(to: &fields) { $0 }
    addSource("source", "Place of the event.", to: &fields) { $0.reference }
  }

  static let evidence = DocumentObject<(fact: Fact, lines: SourceLines)>("evidence", "An event that proves a finding.") {
    fields in
    addSource("source", "Place of the event.", to: &fields) { $0.fact.reference }
    fields.text("event", "Name of the event.") { $0.fact.kind.name }
    addTimes(to: &fields) { $0.fact }
    fields.optionalText("name", presence: .omitted, "Name of the foreign log that the event comes from.") {
      $0.lines.file($0.fact.reference)
    }
    fields.optionalText("text", presence: .omitted, "Line of a foreign log that the event comes from, as it is there.") {
      $0.lines.text($0.fact.reference)
    }
  }

  static func addTimes<Value>(to fields: inout DocumentFields<Value>, _ fact: @escaping @Sendable (Value) -> Fact) {
    fields.time("time", "Wall-clock time of the event.") { fact($0) }
    fields.optionalText("mono", as: .nanoseconds, "Monotonic time of the event, comparable only within one boot.") {
      fact($0).monotonic.map { "\($0)" }
    }
  }

  static let task = DocumentObject<TaskIdentity>("taskName", "The identity of a task.") { fields in
    fields.text("uid", as: .uuid, "Identifier that the task keeps for its whole life.") { "\($0.uid)" }
    fields.text("session", "Identifier of the session.") { $0.session }
    fields.integer("number", "Number of the task within its session.") { $0.number }
  }

  static let acceptedEntry = DocumentObject<AcceptedEntry>("acceptedEntry", "An entry of a baseline or of suppressions.") {
    fields in
    fields.choice("by", AcceptedEntry.Kind.allCases.map(\.rawValue), "Kind of the file that has the entry.") { $0.kind.rawValue }
    fields.text("fingerprint", "Fingerprint in the entry, which may have an older version than that of the finding.") {
      $0.fingerprint
    }
    fields.text("place", "File and line of the entry.") { $0.place }
    fields.optionalText("reason", "Why the problem is accepted.") { $0.reason }
    fields.optionalText("owner", "Who is responsible for the problem.") { $0.owner }
    fields.optionalText(
      "expires", "Last day on which the entry is in force, as written; `null` for an entry that does not expire."
    ) {
      $0.expires
    }
  }

  static let input = DocumentObject<ReplayDocument.Input>("input", "One input and the figures of its records.") { fields in
    fields.text("path", "Path of the input as given on the command line; `-` for standard input.") { $0.path }
    fields.text("format", "Format of the input: `xferlog`, the name of an importer, or `unknown`.") { $0.format }
    fields.integer("events", "Number of events that were read.") { $0.events }
    fields.integer("unmodelled", "Number of events that no lifecycle consumes.") { $0.unmodelled }
    fields.integer("damaged", "Number of places where bytes are damaged, torn or truncated.") { $0.damaged }
    fields.integer("missing", "Number of records that are known to be lost, including those that were never written.") {
      $0.missing
    }
    fields.flag("complete", "Whether the input holds everything that was recorded.") { $0.complete }
    fields.optionalInteger("lines", presence: .omitted, "Number of lines of a foreign input.") { $0.figures?.lines }
    fields.optionalInteger("records", presence: .omitted, "Number of records of a foreign input, after their lines were joined.")
    { $0.figures?.records }
    fields.optionalInteger("recognised", presence: .omitted, "Number of records of a foreign input whose meaning is known.") {
      $0.figures?.recognised
    }
    fields.optionalText("error", "Why the input, or the first unreadable part of it, could not be read.") { $0.error }
  }
}
