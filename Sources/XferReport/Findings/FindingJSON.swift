import XferDiagnosis
import XferEvents

extension Finding {
  /// A finding with the index of its root cause in the list of all findings. `nil` means that the finding is a root, or that the
  /// list is not complete yet.
  ///
  /// `lines` has the lines of foreign logs. `captures` would decide what the finding leaves open.
  typealias InList = (
    finding: Finding, causedBy: Int?, lines: SourceLines, captures: [DecidingCapture]
  )

  /// The JSON object of a finding, both in replays and between events.
  static let object = DocumentObject<InList>(
    "finding", "A rule's conclusion, with the events that prove it and a remedy."
  ) { fields in
    fields.text("rule", "Identifier of the rule. Identifiers are never renamed.") { $0.finding.rule }
    fields.optionalText("variant", "Variant of the problem, for rules that distinguish several.") { $0.finding.variant }
    fields.choice("severity", Severity.allCases.map(\.rawValue), "Severity of the problem.") { $0.finding.severity.rawValue }
    fields.choice("certainty", Certainty.allCases.map(\.rawValue), "How certain the conclusion is.") {
      $0.finding.certainty.rawValue
    }
    fields.optionalInteger(
      "causedBy", "Index of the finding that explains this one in the list of findings, counted from 0; `null` for a root."
    ) { $0.causedBy }
    fields.optionalText("session", "Identifier of the session that the finding is about.") { $0.finding.session }
    fields.optionalText("task", as: .uuid, "Uid of the task that the finding is about.") { $0.finding.task.map { "\($0.uid)" } }
    fields.optionalText("wake", as: .identifier, "Handler identifier of the wake that the finding is about.") {
      $0.finding.wake.map { "\($0.rawValue)" }
    }
    fields.optionalText("launch", as: .uuid, "Process life that the finding is about.") { $0.finding.launch.map { "\($0)" } }
    SharedObjects.addTimes(to: &fields) { $0.finding.evidence[0] }
    fields.text("summary", "What went wrong, in one sentence.") { $0.finding.summary }
    fields.text("remedy", "How to fix the problem.") { $0.finding.remedy }
    fields.text("fingerprint", "Identifier of the problem, the same in every run.") { $0.finding.fingerprint }
    fields.optionalObject(
      "accepted", SharedObjects.acceptedEntry,
      "Entry of a baseline or of suppressions that accepts the finding, so that it does not count; `null` if none does."
    ) { $0.finding.accepted }
    fields.texts("lowered", "Reasons why the certainty is not higher.") { $0.finding.lowered }
    fields.list("decide", DecidingCapture.object, "The captures that would raise the certainty or refute the finding.") {
      $0.captures
    }
    fields.list("evidence", SharedObjects.evidence, "Events that prove the finding, in the order in which they happened.") {
      let lines = $0.lines
      return $0.finding.evidence.map { (fact: $0, lines: lines) }
    }
    fields.list("missing", missingObject, "Events that were expected but are missing.") { $0.finding.missing }
    fields.texts("unless", "Circumstances under which the finding would be wrong.") { $0.finding.unless }
    fields.texts("tasks", as: .uuid, "Uids of the affected tasks, for a finding about a process.") {
      $0.finding.tasks.map { "\($0.uid)" }
    }
  }

  private static let missingObject = DocumentObject<Draft.Missing>("missing", "An event that was expected but is missing.") {
    fields in
    fields.text("event", "Name of the event.") { $0.event.name }
    fields.optionalText("dueBy", as: .time, "Wall-clock time by which the event was due.") { $0.dueBy?.wall.map { "\($0)" } }
    fields.optionalText("dueByMono", as: .nanoseconds, "Monotonic time by which the event was due.") {
      $0.dueBy?.monotonic.map { "\($0)" }
    }
  }

  /// Writes the finding as an object.
  ///
  /// - Parameter causedBy: the index of the root cause in the list of all findings; `nil` for a root, or while the list is
  ///   incomplete.
  func writeJSON(causedBy: Int?, to json: inout JSONText) {
    let captures = DecidingCapture.deciding(lowerings.compactMap(\.lack), DecidingCapture.Context())
    Self.object.write((self, causedBy, .none, captures), to: &json)
  }
}
