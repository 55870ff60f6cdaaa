import XferDiagnosis
import XferEvents

/// The JSON objects of events, and of the gaps and findings between them.
struct EventObjects: Sendable {
  let event: DocumentDescription
  let gap: DocumentObject<LogGap>
  let inset: DocumentObject<EventInset>
  /// The object about a writer of a foreign log. Only lines have it.
  let writer: DocumentObject<RecordSource>
  /// The object with a reason why a foreign log is incomplete. Only lines have it.
  let incompleteness = DocumentObject<String>("incompleteRow", "A reason why a foreign log is incomplete, after its events.") {
    fields in
    fields.schema("xferlog.event/1")
    fields.text("incomplete", "The reason, as a clause.") { $0 }
  }

  /// The members of the document `xferlog.events/1`.
  static let members = EventObjects(isLine: false)
  /// The lines of `-o ndjson`, each a document `xferlog.event/1`.
  static let lines = EventObjects(isLine: true)

  private let isLine: Bool

  private init(isLine: Bool) {
    self.isLine = isLine
    event = EventMember.description(isLine: isLine)
    gap = DocumentObject("gapRow", "A place where records are missing.") { fields in
      if isLine { fields.schema("xferlog.event/1") }
      Self.add(to: &fields)
    }
    inset = DocumentObject("findingRow", "A finding, after the event at which its rule made the decision.") { fields in
      if isLine { fields.schema("xferlog.event/1") }
      Self.add(to: &fields)
    }
    writer = Self.writerRow
  }

  /// The descriptions of events, gaps, findings and writers.
  var descriptions: [DocumentDescription] {
    [event, gap.description, inset.description] + (isLine ? [writer.description, incompleteness.description] : [])
  }

  /// The distinct descriptions of events, gaps and findings, and of all objects nested in them.
  var allDescriptions: [DocumentDescription] {
    var known: Set<String> = []
    return descriptions.flatMap { [$0] + $0.objects }.filter { known.insert($0.name).inserted }
  }

  // MARK: Writers

  private static let writerRow = DocumentObject<RecordSource>(
    "writerRow", "A writer of a foreign log, before its first event. It lets `xferlog replay` read the lines again."
  ) { fields in
    fields.schema("xferlog.event/1")
    fields.object("writer", writerObject, "The writer.") { $0 }
  }

  private static let writerObject = DocumentObject<RecordSource>("writer", "A process that wrote events.") { fields in
    fields.integer("file", "Number of the file that the events come from.") { $0.number }
    fields.text("name", "Name of the file.") { $0.name }
    fields.optionalText("launch", as: .uuid, presence: .omitted, "Process life.") { $0.writer.launch.map { "\($0)" } }
    fields.optionalText("boot", as: .uuid, presence: .omitted, "Clock that the events' monotonic times are readings of.") {
      $0.writer.boot.map { "\($0)" }
    }
    fields.optionalText("installation", as: .uuid, presence: .omitted, "Installation within which names are joined.") {
      $0.writer.installation?.text
    }
    fields.optionalInteger("pid", presence: .omitted, "Process id.") { $0.writer.pid }
    fields.vocabulary("role", "WriterRole", presence: .omitted, "Role of the process.") { $0.writer.role?.name }
    fields.optionalText("executable", presence: .omitted, "Name of the program.") { $0.writer.executable }
    fields.optionalChoice("captureMode", CaptureMode.allCases.map(\.name), presence: .omitted, "Form of private values.") {
      $0.writer.captureMode?.name
    }
    fields.optionalChoice("lowestLevel", Level.allCases.map(\.name), presence: .omitted, "Lowest level that was written.") {
      $0.writer.lowestLevel?.name
    }
    fields.optionalText("version", presence: .omitted, "Version of the program.") { $0.writer.version }
    fields.optionalText("osVersion", presence: .omitted, "Name and version of the operating system.") { $0.writer.osVersion }
    fields.optionalObject("coverage", coverage, presence: .omitted, "The possible events of the log.") { $0.writer.coverage }
  }

  private static let coverage = DocumentObject<ImportCoverage>("coverage", "The possible events of a kind of log.") { fields in
    fields.text("log", "Kind of log, as a noun phrase.") { $0.log }
    fields.text("events", "Names of the events, joined by commas, and the marks of the field `coveredEvents`.") { $0.words }
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
    fields.object("gap", missing, "The missing records.") { $0 }
  }

  private static let missing = DocumentObject<LogGap>("gap", "The records that are missing in one place.") { fields in
    fields.choice("cause", LogGap.Cause.names, "Why the records are missing.") { $0.cause.name }
    fields.optionalText("problem", presence: .omitted, "Description of the damage, for damaged bytes.") {
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

  private static let range = DocumentObject<Range<UInt64>>("gapRange", "A half-open range.") { fields in
    fields.integer("from", "First position in the range.") { $0.lowerBound }
    fields.integer("to", "Position after the last one in the range.") { $0.upperBound }
  }

  // MARK: Findings

  private static func add(to fields: inout DocumentFields<EventInset>) {
    fields.optionalText("time", as: .time, presence: .omitted, "Wall-clock time of the event at which the rule decided.") {
      $0.wall.map { "\($0)" }
    }
    fields.choice("level", Level.allCases.map(\.name), "Level at which the finding is shown.") { $0.level.name }
    fields.add("finding", .object(Finding.object.description), "The finding.") { $0.write(&$1) }
  }
}

extension LogGap.Cause {
  static let names = [
    LogGap.Cause.missingSequence, .damaged(problem: ""), .torn, .dropped, .missingHead, .missingSegments(nil), .truncated,
  ].map(\.name)
}
