import Foundation
import LogTestSupport
import Testing
import XferReport

/// Texts from logs, file names and rule files in every output, read by a parser of its format.
///
/// No text may control a terminal, end its cell, value, element or line, or become a formula, a link, a mention or a command. Each removed
/// escape makes at least one command of these tables fail.
@Suite struct HostileOutputTests {
  private let directory = TemporaryDirectory()
  private static let hostile = Result { try HostileLog() }

  /// A command and what reads its output.
  private struct Output: CustomStringConvertible {
    var arguments: [String]
    var form: String
    /// Whether the output has every text of the log.
    var isWhole = false
    /// Whether a CI service reads the output, so that no line may be a command.
    var isOfJob = false
    var statuses: [Int32] = [0, 1]
    /// The arguments without hostile names.
    var description: String { arguments.map { $0.contains("INJECTED") ? "…" : $0 }.joined(separator: " ") }
  }

  private func check(_ outputs: [Output]) throws {
    var paths: [String] = []
    for (place, output) in outputs.enumerated() {
      var environment = [
        "XFERLOG_CONFIG": "-", "XDG_CACHE_HOME": directory.path("cache"), "XDG_STATE_HOME": directory.path("state"),
      ]
      if output.arguments.contains("--step") { environment.merge(["COLUMNS": "120", "LINES": "60"]) { $1 } }
      let run = try ToolRun(ToolRun.tool, output.arguments, environment: environment, in: directory.path)
      #expect(output.statuses.contains(run.status), "\(output): \(run.remarks)")
      let (path, remarks) = (directory.path("out-\(place)"), directory.path("err-\(place)"))
      try Data(run.standardOutput).write(to: URL(fileURLWithPath: path))
      try Data(run.standardError.utf8).write(to: URL(fileURLWithPath: remarks))
      paths += [output.form, path, "text", remarks]
    }
    let read = try ToolRun(ExportTools.python, [ExportTools.script("read-output")] + paths)
    try #require(read.lines.count == 2 * outputs.count, "\(read.standardError)")
    for (output, place) in zip(outputs, stride(from: 0, to: read.lines.count, by: 2)) {
      let (seen, remarks) = (try VisitedReport.object(read.lines[place]), try VisitedReport.object(read.lines[place + 1]))
      #expect(seen["problems"] as? [String] == [], "\(output)")
      #expect(remarks["problems"] as? [String] == [], "remarks of \(output)")
      #expect(remarks["commands"] as? [String] == [], "remarks of \(output)")
      if output.isOfJob { #expect(seen["commands"] as? [String] == [], "\(output)") }
      guard output.isWhole else { continue }
      let strings = Set(seen["strings"] as? [String] ?? [])
      let missing = HostileLog.texts.compactMap(Self.shown(output.form)).filter { wanted in
        let wanted = output.isOfJob ? TerminalText.withoutCommands("." + wanted).dropFirst() : wanted[...]
        return !strings.contains(String(wanted)) && !strings.contains { $0.contains(wanted) }
      }
      #expect(missing == [], "\(output)")
    }
  }

  /// Returns how a form shows a text.
  private static func shown(_ form: String) -> (String) -> String? {
    switch form {
    case "json", "ndjson", "logfmt": { $0 }
    case "xml": { TerminalText.escaped($0).replacing("\u{fffe}", with: #"\ufffe"#).replacing("\u{ffff}", with: #"\uffff"#) }
    default: { TerminalText.escaped($0) }
    }
  }

  @Test func `No text of an event has an effect in any output of events`() throws {
    let hostile = try Self.hostile.get()
    let all = ["show", "--all", "--debug", hostile.log]
    var outputs = ["short", "wide", "verbose", "log", "log-compact"].map {
      Output(arguments: all + ["--width", "none", "-o", $0], form: "text", isWhole: true)
    }
    outputs += [("cat", "text"), ("json", "json"), ("ndjson", "ndjson"), ("csv", "csv"), ("logfmt", "logfmt")].map {
      Output(arguments: all + ["-o", $0.0], form: $0.1, isWhole: true)
    }
    outputs.append(
      Output(
        arguments: all + ["--template", "{time} {session} {host} {message} {message:raw}"], form: "text", isWhole: true))
    for width in ["30", "60", "100"] {
      outputs.append(Output(arguments: all + ["--width", width, "--findings"], form: "remarks"))
    }
    outputs += ["short", "verbose", "wide"].map {
      Output(arguments: all + ["-o", $0, "--findings", "--rules", hostile.rules, "--width", "none"], form: "text", isWhole: true)
    }
    outputs += [("short", "text"), ("verbose", "text"), ("json", "json"), ("csv", "csv"), ("logfmt", "logfmt")].map {
      Output(arguments: ["show", "--all", hostile.newer, "-o", $0.0], form: $0.1, statuses: [0])
    }
    outputs += [("short", "text"), ("verbose", "text"), ("log", "text"), ("json", "json")].map {
      Output(arguments: ["show", "--all", "--debug", "-o", $0.0, hostile.foreign], form: $0.1, statuses: [0])
    }
    outputs += [
      ("short", "text"), ("verbose", "text"), ("cat", "text"), ("log", "text"), ("csv", "csv"), ("logfmt", "logfmt"),
      ("json", "json"),
    ].map { Output(arguments: ["show", hostile.damaged, "-o", $0.0], form: $0.1) }
    outputs += ["short", "verbose"].map { Output(arguments: ["show", hostile.segment, "-o", $0], form: "text") }
    outputs.append(Output(arguments: ["tail", "--tasks", hostile.log], form: "text", isWhole: true))
    outputs.append(Output(arguments: ["tail", "-n", "all", hostile.log, "--findings"], form: "text"))
    try check(outputs)
  }

  @Test func `No text has an effect in an export`() throws {
    let hostile = try Self.hostile.get()
    var outputs = [
      ("ndjson", "ndjson"), ("apple-ndjson", "ndjson"), ("csv", "csv"), ("otlp-logs", "ndjson"), ("xes", "xml"),
      ("lnav", "ndjson"),
    ].map { Output(arguments: ["export", "--debug", "--format", $0.0, hostile.log], form: $0.1, isWhole: true) }
    outputs += [("otlp-spans", "ndjson"), ("har", "json"), ("chrome", "json"), ("qlog", "json")].map {
      Output(arguments: ["export", "--debug", "--format", $0.0, hostile.log], form: $0.1)
    }
    outputs += [("xes", "xml"), ("csv", "csv"), ("ndjson", "ndjson"), ("otlp-logs", "ndjson")].map {
      Output(arguments: ["export", "--format", $0.0, hostile.newer], form: $0.1, statuses: [0])
    }
    try check(outputs)
  }

  @Test func `No text has an effect in a verdict, a figure, a table or a remark`() throws {
    let hostile = try Self.hostile.get()
    let (log, rules) = (hostile.log, ["--rules", hostile.rules])
    func text(_ arguments: [String], job: Bool = false, whole: Bool = false) -> Output {
      Output(arguments: arguments, form: "text", isWhole: whole, isOfJob: job, statuses: [0, 1, 3, 4])
    }
    var outputs = [
      text(["replay", log, "--width", "none"] + rules, job: true, whole: true),
      text(["replay", log, "--width", "50"] + rules, job: true),
      text(["replay", hostile.foreign], job: true), text(["replay", hostile.prints], job: true),
      text(["replay", hostile.newer], job: true),
      text(["replay", "--group-by", "rule,session", log] + rules, job: true), text(["replay", "--at", "#900", log]),
      text(["replay", "--at", "#60", log]), text(["replay", "--at", "#900", "--task", HostileLog.uid(3), log]),
      text(["stats", log] + rules), text(["stats", "--storage", log]), text(["verify", log]), text(["verify", hostile.damaged]),
      text(["replay", hostile.damaged], job: true), text(["verify", hostile.newer]),
      text(["diff", hostile.other, log], job: true), text(["diff", "--width", "60", hostile.other, log], job: true),
      text(["query", "| tasks", "--width", "none", log], whole: true), text(["query", "| stats count by session, host", log]),
      text(["query", "| findings", log] + rules),
      text(["query", "| tasks", "--template", "{task.session} {task.host}", log], whole: true),
      text(["query", "| tasks", "--explain", log]),
      text(["rules", "list"] + rules), text(["rules", "explain", "hostile-rule", "noted-error"] + rules),
      text(["rules", "test", hostile.rules]), text(["config", "--show-origin"] + rules),
      text(["import", "--unmatched", hostile.foreign]),
      text(["collect", "--check", log]), text(["baseline", "update", "--baseline", "b.yaml", log] + rules),
      text(["baseline", "check", "--baseline", "b.yaml", log] + rules), text(["index", log]),
      text(["report", "-o", "r\(HostileLog.name).html", log]), text(["import", hostile.foreign, "-o", "i\(HostileLog.name)"]),
      Output(arguments: ["query", "| tasks", "-o", "csv", log], form: "csv", isWhole: true),
      Output(arguments: ["query", "| tasks", "-o", "logfmt", log], form: "logfmt", isWhole: true),
      Output(arguments: ["query", "| tasks", "-o", "json", log], form: "json", isWhole: true),
      Output(arguments: ["sql", "-o", "csv", log, "SELECT * FROM tasks"], form: "csv"),
      Output(arguments: ["sql", log, "SELECT * FROM tasks"], form: "text"),
      text(["sql", log, "SELECT 1 AS '\(HostileLog.mixture.filter { $0 != "\0" && $0 != "'" })'"]),
      text(["replay", "--step", "--keys", String(repeating: "n", count: 80) + "ffff", log] + rules),
      text(["replay", "--step", "--at", "#900", "--keys", "nnnnnnnnnnnn", log]),
      text(["replay", "--step", "--keys", "nnnn", hostile.damaged]),
      // The message of the last key names the task.
      text(["replay", "--step", "--task", HostileLog.uid(3), "--keys", "n" + String(repeating: "N", count: 15), log]),
      // Of the segment's 600 events, two are unreadable, and the screen shows the gaps.
      text(["replay", "--step", "--keys", String(repeating: "n", count: 700), hostile.segment]),
      Output(arguments: ["replay", "-o", "json", log] + rules, form: "json", isWhole: true),
      Output(arguments: ["stats", "-o", "json", log], form: "json"),
      Output(arguments: ["diff", "-o", "json", hostile.other, log], form: "json"),
      Output(arguments: ["diff", "-o", "markdown", hostile.other, log], form: "markdown"),
      Output(arguments: ["rules", "explain", "-o", "json", "hostile-rule"] + rules, form: "json"),
      Output(arguments: ["rules", "list", "-o", "json"] + rules, form: "json"),
      Output(arguments: ["metrics", log], form: "metrics"),
      Output(arguments: ["replay", "--at", "#900", "-o", "json", log], form: "json"),
    ]
    for place in stride(from: 0, to: HostileLog.texts.count, by: 7) {
      outputs.append(text(["why", HostileLog.uid(place), log] + (place % 2 == 0 ? rules : []), job: true))
    }
    // Mistakes in arguments, which the messages quote.
    for arguments in [
      ["show", HostileLog.name], ["show", "--level", HostileLog.mixture.filter { $0 != "\0" }, log],
      ["why", HostileLog.name, log], ["why", "*", log], ["show", "--level", "\u{1b}[2J", log],
      ["query", HostileLog.name, log], ["rules", "explain", HostileLog.name], ["sql", log, "SELECT '\(HostileLog.name)"],
      ["replay", "--at", HostileLog.name, log], ["replay", "--anchor", "", log],
      ["baseline", "check", "--baseline", HostileLog.name, log],
      ["replay", "--suppressions", hostile.rules, log], ["show", "--template", "{\(HostileLog.name)}", log], [HostileLog.name],
      ["replay", "--rules", hostile.suppressions, log], ["show", "x\n::error::INJECTED"],
      ["show", "##vso[task.complete]INJECTED"],
    ] { outputs.append(Output(arguments: arguments, form: "text", statuses: [2, 3])) }
    try check(outputs)
  }

  /// Returns the strings of the members with a name, at any depth.
  private static func strings(_ name: String, in value: Any) -> [String] {
    switch value {
    case let object as [String: Any]:
      return ([object[name] as? String].compactMap(\.self)) + object.values.flatMap { strings(name, in: $0) }
    case let list as [Any]: return list.flatMap { strings(name, in: $0) }
    default: return []
    }
  }

  @Test func `A comparison in Markdown shows every text as it is`() throws {
    let hostile = try Self.hostile.get()
    func compare(_ form: String) throws -> ToolRun {
      try ToolRun.xferlog("diff", "-o", form, "--rules", hostile.rules, hostile.other, hostile.log)
    }
    let document = try JSONSerialization.jsonObject(with: Data(compare("json").standardOutput))
    let path = directory.path("diff.md")
    try Data(compare("markdown").standardOutput).write(to: URL(fileURLWithPath: path))
    let read = try ToolRun(ExportTools.python, [ExportTools.script("read-output"), "markdown", path])
    let seen = try VisitedReport.object(try #require(read.lines.first, "\(read.standardError)"))
    #expect(seen["problems"] as? [String] == [])
    let cells = seen["cells"] as? [String] ?? []
    for name in ["summary", "reason"] {
      let texts = Set(Self.strings(name, in: document)).filter { !$0.contains("aligned") }.map(TerminalText.escaped)
      #expect(texts.count > 5, "\(name)")
      let missing = texts.filter { text in !cells.contains { $0.contains(text) } }
      #expect(missing == [], "\(name)")
    }
  }

  @Test func `No text reaches a terminal as a control sequence`() throws {
    let session = try TerminalSession(["tail", "--tasks", "-f", Self.hostile.get().log], columns: 120, rows: 60)
    #expect(session.read { TerminalModel($0.seen).text.contains { $0.contains(" tasks, ") } })
    session.signal(SIGINT)
    #expect(session.wait() == 130)
    // The tool's own sequences move the cursor, and set colours and modes.
    let rest = session.text.replacing(/\u{1b}\[[0-9;?]*[A-Za-z]/, with: "")
    let raw = Set(
      rest.unicodeScalars.filter { TerminalText.mustEscape($0) && $0 != "\n" && $0 != "\r" }.map { String($0.value, radix: 16) })
    #expect(raw == [])
    #expect(rest.contains(#"\x1b"#))
  }

  /// Verdicts with a text in every member.
  private static func verdicts() throws -> String {
    var rows: [[String: Any]] = []
    // The newest version has a problem that no other one has.
    for (place, text) in (HostileLog.texts + ["9999.\(HostileLog.mixture)"]).enumerated() {
      let program: [String: Any] = [
        "schema": "xferlog.verdicts/1", "log": "\(place)\(text)", "version": text, "os": text, "program": text,
      ]
      let finding: [String: Any] = [
        "kind": "finding", "rule": text, "fingerprint": text, "severity": "error", "certainty": "certain", "counted": true,
        "summary": text,
        "variant": text, "host": text, "time": text, "session": text, "number": 1,
      ]
      rows.append(finding.merging(program) { $1 })
      rows.append(["kind": "log", "verdict": "findings", "tasks": 1].merging(program) { $1 })
    }
    rows.append(["schema": "xferlog.verdicts/1", "kind": "end", "rows": rows.count])
    return try rows.map { String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self) + "\n" }.joined()
  }

  @Test func `No text has an effect in the summary of a fleet`() throws {
    let verdicts = try directory.write(Array(Self.verdicts().utf8), to: "verdicts.ndjson")
    let report = ["fleet", "report", verdicts]
    try check([
      Output(arguments: report, form: "text"), Output(arguments: report + ["-o", "json"], form: "json", isWhole: true),
      Output(arguments: report + ["-o", "html"], form: "page", isWhole: true),
      Output(arguments: report + ["-o", "metrics"], form: "metrics"),
      Output(arguments: report + ["--release", HostileLog.name], form: "text", statuses: [2]),
      Output(arguments: ["fleet", "report", HostileLog.name], form: "text", statuses: [3]),
    ])
  }
}
