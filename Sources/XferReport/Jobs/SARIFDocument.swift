import XferDiagnosis
import XferEvents

/// The findings of a job in the Static Analysis Results Interchange Format (SARIF 2.1.0), with one run.
package enum SARIFDocument {
  /// GitHub's limits: of at most 25,000 results the 5,000 most severe ones are shown, with 100 places each, in a file of at most 10 MB
  /// after compression.
  static let resultLimit = 5000
  static let placeLimit = 100
  package static let compressedLimit = 10_000_000

  /// Appends the document.
  ///
  /// - Parameter compressedSize: returns the size of bytes after compression with gzip.
  /// - Returns: what was left out.
  package static func append(
    _ report: JobReport, to text: inout TextBuffer, compressedSize: (UnsafeRawBufferPointer) -> Int
  ) -> JobCut? {
    var kept = min(report.items.count, resultLimit)
    var limit = "GitHub shows at most 5,000 results"
    while true {
      let cut = JobCut(report.items, kept: kept, limit: limit)
      let start = text.count
      text.appendJSON { write(report, kept: kept, cut, to: &$0) }
      text.append(UInt8(ascii: "\n"))
      let size = text.count - start
      // Compression cannot enlarge a document by more than a few bytes in a thousand.
      if kept == 0 || size < compressedLimit - compressedLimit / 100 { return cut }
      let compressed = compressedSize(UnsafeRawBufferPointer(rebasing: text.bytes[start...]))
      if compressed <= compressedLimit { return cut }
      text.cut(to: start)
      // Less than the share that fits, because results differ in length.
      kept = min(kept - 1, Int(Double(kept) * Double(compressedLimit) / Double(compressed) * 0.95))
      limit = "GitHub accepts at most 10 MB after compression"
    }
  }

  private static func write(_ report: JobReport, kept: Int, _ cut: JobCut?, to json: inout JSONText) {
    let items = report.items.prefix(kept)
    var rules: [String] = []
    var places: [String: Int] = [:]
    for item in items where places[item.finding.rule] == nil {
      places[item.finding.rule] = rules.count
      rules.append(item.finding.rule)
    }
    json.beginObject()
    json.member("$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json")
    json.member("version", "2.1.0")
    json.key("runs")
    json.beginArray()
    json.beginObject()
    json.key("tool")
    json.beginObject()
    json.key("driver")
    json.beginObject()
    json.member("name", "xferlog")
    json.member("version", report.settings.version)
    json.array("rules", rules) { rule, json in write(rule, report, to: &json) }
    json.endObject()
    json.endObject()
    json.key("automationDetails")
    json.beginObject()
    // The part before the last slash is the category, which GitHub uses to tell uploads apart.
    json.member("id", report.settings.category + "/")
    json.endObject()
    writeInvocation(report, cut, to: &json)
    json.array("results", items) { item, json in write(item, places[item.finding.rule] ?? 0, report, to: &json) }
    json.member("columnKind", "unicodeCodePoints")
    json.endObject()
    json.endArray()
    json.endObject()
  }

  private static func writeInvocation(_ report: JobReport, _ cut: JobCut?, to json: inout JSONText) {
    var notes = report.document.incompleteness.map { (level: "warning", text: "The log is incomplete: \($0).") }
    if let cut { notes.append(("warning", "The file has \(cut.text).")) }
    let isFailed = report.conclusion.code > 1
    if isFailed { notes.append(("error", report.conclusion.text)) }
    json.key("invocations")
    json.beginArray()
    json.beginObject()
    json.member("executionSuccessful", !isFailed)
    json.member("exitCode", report.conclusion.code)
    json.member("exitCodeDescription", report.conclusion.word)
    json.array("toolExecutionNotifications", notes) { note, json in
      json.beginObject()
      json.member("level", note.level)
      json.key("message")
      writeMessage(note.text, to: &json)
      json.endObject()
    }
    json.endObject()
    json.endArray()
  }

  private static func write(_ id: String, _ report: JobReport, to json: inout JSONText) {
    json.beginObject()
    json.member("id", id)
    if let rule = report.document.rules.description(id) {
      json.key("shortDescription")
      writeMessage(rule.summary, to: &json)
      json.key("fullDescription")
      writeMessage(rule.explanation, to: &json)
      json.key("help")
      writeMessage(rule.remedy, to: &json)
      json.key("defaultConfiguration")
      json.beginObject()
      json.member("level", level(rule.severity).rawValue)
      json.endObject()
    }
    json.key("properties")
    json.beginObject()
    json.array("tags", ["background-transfers"]) { $1.string($0) }
    json.endObject()
    json.endObject()
  }

  private static func level(_ severity: Severity) -> JobItem.Level {
    switch severity {
    case .critical, .error: .error
    case .warning: .warning
    case .notice: .note
    }
  }

  private static func write(_ item: JobItem, _ rule: Int, _ report: JobReport, to json: inout JSONText) {
    let finding = item.finding
    json.beginObject()
    json.member("ruleId", finding.rule)
    json.member("ruleIndex", rule)
    json.member("level", item.level.rawValue)
    json.key("message")
    writeMessage("\(finding.summary) \(finding.remedy)", to: &json)
    json.key("locations")
    json.beginArray()
    write(item.place, event: nil, to: &json)
    json.endArray()
    let related = finding.evidence.compactMap { fact in
      JobReport.place(of: fact.reference, report.document, report.settings.repository).map { (place: $0, event: fact.kind) }
    }
    if !related.isEmpty {
      // The first place is in `locations`.
      json.array("relatedLocations", related.prefix(placeLimit - 1)) { write($0.place, event: $0.event, to: &$1) }
    }
    json.key("partialFingerprints")
    json.beginObject()
    // GitHub identifies an alert by this hash. Without it, GitHub takes a hash of the line, which all findings at an anchor share.
    json.member("primaryLocationLineHash", item.key)
    json.member("xferlogFingerprint/v1", finding.fingerprint)
    json.endObject()
    if report.document.acceptance != nil {
      json.member("baselineState", finding.accepted?.kind == .baseline ? "unchanged" : "new")
    }
    if let accepted = finding.accepted, accepted.kind == .suppression {
      json.key("suppressions")
      json.beginArray()
      json.beginObject()
      json.member("kind", "external")
      json.member("status", "accepted")
      json.member("justification", accepted.reason ?? "")
      json.endObject()
      json.endArray()
    }
    writeProperties(item, report, to: &json)
    json.endObject()
  }

  private static func writeProperties(_ item: JobItem, _ report: JobReport, to json: inout JSONText) {
    let finding = item.finding
    json.key("properties")
    json.beginObject()
    json.member("severity", finding.severity.rawValue)
    json.member("certainty", finding.certainty.rawValue)
    if let session = finding.session { json.member("session", session) }
    if let task = finding.task { json.member("task", "\(task.session)/\(task.number)") }
    if let wall = finding.evidence[0].wall {
      json.key("time")
      json.time(wall)
    }
    json.array("evidence", finding.evidence.prefix(placeLimit)) { fact, json in
      json.string("\(fact.kind.name) \(report.document.sourceLines.place(fact.reference))")
    }
    json.array("missing", finding.missing) { $1.string($0.event.name) }
    json.array("consequences", Set(item.consequences.map(\.rule)).sorted()) { $1.string($0) }
    json.endObject()
  }

  /// Writes a location.
  ///
  /// - Parameter event: the event at the place, whose name is the location's message. It needs no escapes.
  private static func write(_ place: RepositoryPlace, event: EventKind?, to json: inout JSONText) {
    json.beginObject()
    json.key("physicalLocation")
    json.beginObject()
    json.key("artifactLocation")
    json.beginObject()
    json.member("uri", place.uri)
    json.endObject()
    json.key("region")
    json.beginObject()
    // GitHub shows no result without a line.
    json.member("startLine", max(1, place.line ?? 1))
    json.endObject()
    json.endObject()
    if let event { json.object("message") { $0.member("text", event.name) } }
    json.endObject()
  }

  /// Writes a message object. Brackets would begin a link, and braces a placeholder (SARIF 2.1.0, 3.11.5 and 3.11.6).
  private static func writeMessage(_ text: String, to json: inout JSONText) {
    var escaped = ""
    for scalar in TerminalText.escaped(text).unicodeScalars {
      switch scalar {
      case "[", "]", "\\": escaped += "\\\(scalar)"
      case "{": escaped += "{{"
      case "}": escaped += "}}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    json.beginObject()
    json.member("text", escaped)
    json.endObject()
  }
}
