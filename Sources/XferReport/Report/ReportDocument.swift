import XferDiagnosis
package import XferEvents
import XferPredicate
import XferQuery
import XferReplay

/// The verdict of a report with everything that belongs to the whole log: findings, process lives, sessions, wakes and open questions.
package struct ReportDocument {
  private let replay: ReplayDocument
  private let findings: ReportFindings
  private let context: Context
  /// The changes of state of the tasks with findings.
  package var changes: ReportChanges?
  /// The differences from another run; `nil` if the report compares no runs.
  package var comparison: ComparisonDocument?

  /// The facts about a report that the diagnosis does not contain.
  package struct Context {
    /// The names of the logs.
    package var title: String
    /// The word for the exit code.
    package var exitWord: String
    package var created: WallTime
    /// The version of the program.
    package var version: String
    /// The number of events in the report.
    package var contained: Int

    package init(title: String, exitWord: String, created: WallTime, version: String, contained: Int) {
      (self.title, self.exitWord, self.created, self.version, self.contained) = (title, exitWord, created, version, contained)
    }
  }

  package init(_ replay: ReplayDocument, _ context: Context) {
    (self.replay, self.context) = (replay, context)
    findings = ReportFindings(replay.diagnosis.findings)
  }

  // MARK: In words

  package var title: String { context.title }

  /// The verdict as a sentence.
  package var sentence: String {
    let all = replay.diagnosis.findings
    let counted = all.filter { $0.counts(withPossible: replay.countsPossible) }
    switch replay.verdict {
    case .nothingAnalysed: return "Nothing was analysed: the log has no events."
    case .clean:
      let events = "\(Self.number(replay.diagnosis.counts.events)) events"
      let others = all.isEmpty ? "" : ", but there is something to look at: \(Self.counted(all.count))"
      return "No fault was found in \(events)\(others)."
    case .incomplete: return "No fault was found, but the log is incomplete: \(replay.incompleteness[0])."
    case .findings:
      let worst = findings.places.lazy.map { all[$0] }.first { $0.counts(withPossible: replay.countsPossible) }
      let severities = Severity.allCases.reversed().compactMap { severity -> String? in
        let count = counted.count { $0.severity == severity }
        return count == 0 ? nil : "\(Self.number(count)) \(severity.rawValue)"
      }
      let summary = ReportSentence.withoutURLs(worst?.summary ?? "")
      return counted.count == 1
        ? summary : "\(Self.counted(counted.count)) (\(severities.joined(separator: ", "))). First: \(summary)"
    }
  }

  /// A sentence about the events that the report lacks; `nil` if it has all of them.
  package var omission: String? {
    let all = replay.diagnosis.counts.events
    guard context.contained < all else { return nil }
    return """
      The log has \(Self.number(all)) events, too many for this file. It contains \(Self.number(context.contained)) of them: those of \
      the tasks with findings, and a sample of the others. The verdict is about all events.
      """
  }

  private static func counted(_ count: Int) -> String { "\(number(count)) finding\(count == 1 ? "" : "s")" }

  /// Returns a number with commas between thousands.
  private static func number(_ number: Int) -> String {
    var groups: [String] = []
    var rest = Substring(String(number))
    while rest.count > 3 {
      groups.insert(String(rest.suffix(3)), at: 0)
      rest = rest.dropLast(3)
    }
    return ([String(rest)] + groups).joined(separator: ",")
  }

  /// The findings as lines of text, for readers without scripts.
  var lines: [String] {
    let all = replay.diagnosis.findings
    var lines = findings.groups.prefix(50).compactMap { group -> String? in
      guard let first = group.members.first.map({ all[findings.places[$0]] }) else { return nil }
      let times = group.count > 1 ? " (\(group.count) times)" : ""
      return
        "\(first.severity.rawValue) \(first.rule) (\(first.certainty.rawValue))\(times): \(ReportSentence.withoutURLs(first.summary)) \(first.remedy)"
    }
    lines += replay.incompleteness.map { "Incomplete: \($0)" }
    if let omission { lines.append(omission) }
    return lines
  }

  /// The verdict and the exit code, for readers without scripts.
  var verdictLine: String {
    "Verdict: \(replay.verdict.rawValue). Exit code \(replay.exitCode) (\(context.exitWord)). Read: "
      + replay.inputs.map { "\($0.path), \($0.events) events" }.joined(separator: "; ") + "."
  }

  // MARK: As JSON

  /// Writes the members of the report's data after its rows.
  package func write(to text: inout TextBuffer) {
    text.appendJSON { json in
      json.beginObject()
      json.member("sentence", sentence)
      json.member("title", title)
      json.member("exitWord", context.exitWord)
      json.member("created", "\(context.created)")
      json.member("version", context.version)
      json.member("contained", context.contained)
      json.member("omission", omission)
      json.array("taskFields", TaskFields.all) { field, json in
        json.beginObject()
        json.member("name", field.name)
        json.member("type", field.type.name)
        json.array("synonyms", field.synonyms) { $1.string($0) }
        if let words = field.type.words {
          json.array("words", words) { $1.string($0) }
        } else {
          json.member("words", nil as String?)
        }
        json.endObject()
      }
      json.array("eventNames", EventKind.allCases) { $1.string($0.name) }
      ReplayDocument.verdictObject.writeMembers(of: replay, to: &json)
      json.array("inputs", replay.inputs) { SharedObjects.input.write($0, to: &$1) }
      json.array("processes", replay.processes) { ReplayDocument.processObject.write($0, to: &$1) }
      json.array("sessions", replay.sessions) { ReplayDocument.sessionObject.write($0, to: &$1) }
      json.array("wakes", replay.wakes) { ReplayDocument.wakeObject.write($0, to: &$1) }
      json.array("undecided", replay.undecided) { ReplayDocument.undecidedObject.write($0, to: &$1) }
      writeFindings(to: &json)
      json.key("changes")
      if let changes { changes.write(to: &json) } else { json.array(of: []) { (_: Int, _) in } }
      json.key("comparison")
      if let comparison { comparison.writeJSON(to: &json) } else { json.null() }
      json.array("rules", rules) { rule, json in
        json.beginObject()
        json.member("id", rule.id)
        json.member("summary", rule.summary)
        json.member("explanation", rule.explanation)
        json.array("sources", rule.sources) { $1.string($0) }
        json.endObject()
      }
      json.endObject()
    }
  }

  private func writeFindings(to json: inout JSONText) {
    let all = replay.diagnosis.findings
    let numbers = Dictionary(uniqueKeysWithValues: findings.places.enumerated().map { ($1, $0) })
    json.member("findingCount", all.count)
    json.array("findings", findings.places) { place, json in
      let finding = all[place].with(summary: ReportSentence.withoutURLs(all[place].summary))
      // The text of a foreign log's line may be private, so it is left out.
      let lines = replay.sourceLines.withoutText
      let entry: Finding.InList = (finding, finding.causedBy.flatMap { numbers[$0] }, lines, replay.captures(for: finding))
      Finding.object.write(entry, to: &json)
    }
    json.array("groups", findings.groups) { group, json in
      json.beginObject()
      json.member("fingerprint", group.fingerprint)
      json.member("count", group.count)
      json.array("members", group.members) { $1.integer($0) }
      json.member("severity", group.severity.rawValue)
      json.member("certainty", group.certainty.rawValue)
      json.member("root", group.hasRoot)
      json.member("first", group.first.map { "\($0)" })
      json.member("last", group.last.map { "\($0)" })
      json.endObject()
    }
  }

  /// The rules of the findings.
  private var rules: [RuleDescription] {
    let named = Set(findings.places.map { replay.diagnosis.findings[$0].rule })
    return replay.rules.descriptions.filter { named.contains($0.id) }
  }

  /// The tasks whose events a shortened report keeps, those of the most severe findings first.
  package var tasksWithFindings: [TaskUID] { findings.tasks(of: replay.diagnosis.findings) }

  /// The events that prove the contained findings.
  package var evidence: Set<EventReference> {
    var evidence: Set<EventReference> = []
    for place in findings.places { for fact in replay.diagnosis.findings[place].evidence { evidence.insert(fact.reference) } }
    return evidence
  }
}
