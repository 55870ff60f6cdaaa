import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferLogStore

/// The output forms that `show`, `tail` and `query` share.
@Suite(.timeLimit(.minutes(5))) struct OutputFormTests {
  static let forms = ["short", "wide", "verbose", "cat", "json", "ndjson", "logfmt", "csv", "log", "log-compact"]

  @Test(arguments: forms + ["{time:raw} {event} {task.name} {message}"])
  func `show, tail and query print the same events in the same form`(form: String) throws {
    let directory = TemporaryDirectory()
    let log = try ShownLog.write(in: directory)
    let options = form.hasPrefix("{") ? ["--template", form] : ["-o", form]
    let shown = try ToolRun.xferlog(["show", "--all", log] + options)
    #expect(shown.status == 0 && !shown.text.isEmpty)
    #expect(try ToolRun.xferlog(["tail", "-n", "all", "--no-findings", log] + options).text == shown.text)
    #expect(try ToolRun.xferlog(["query", "*", log] + options).text == shown.text)
  }

  @Test func `The old name of the short form still works in queries`() throws {
    let directory = TemporaryDirectory()
    let log = try ShownLog.write(in: directory)
    #expect(
      try ToolRun.xferlog("query", "status=200", log, "-o", "text").text == ToolRun.xferlog("query", "status=200", log).text)
  }

  // MARK: cat

  @Test func `cat prints the messages alone`() throws {
    let directory = TemporaryDirectory()
    let log = try ShownLog.write(in: directory)
    let run = try ToolRun.xferlog("show", log, "-o", "cat", "--event", "task.resumed", "--event", "attempt.ended")
    #expect(
      run.lines == [
        "resumed", "resumed", "resumed", "transport receiveFailed: 5.7 MiB received",
        "finished: 33.1 MiB received",
      ])
  }

  // MARK: logfmt

  /// Reads a line of logfmt as its readers do.
  private static func pairs(_ line: String) throws -> [String: String] {
    var pairs: [String: String] = [:]
    var rest = line[...]
    while !rest.isEmpty {
      let match = try #require(rest.prefixMatch(of: /([^\s="]+)=("(?:[^"\\]|\\.)*"|[^\s="]*)(?: |$)/), "\(rest)")
      rest = rest[match.range.upperBound...]
      var value = String(match.2)
      if value.hasPrefix("\"") {
        value = try #require(
          try JSONSerialization.jsonObject(with: Data(value.utf8), options: .fragmentsAllowed) as? String)
      }
      #expect(pairs.updateValue(value, forKey: String(match.1)) == nil, "\(match.1) twice in \(line)")
    }
    return pairs
  }

  @Test func `logfmt has the values of the JSON lines, exactly`() throws {
    let directory = TemporaryDirectory()
    let log = try ShownLog.write(in: directory)
    let lines = try ToolRun.xferlog("show", "--all", log, "-o", "logfmt").lines
    let objects = try ToolRun.xferlog("show", "--all", log, "-o", "ndjson").lines.map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(lines.count == objects.count && lines.count > 20)
    for (line, object) in zip(lines, objects) {
      let pairs = try Self.pairs(line)
      for key in ["time", "level", "event", "role"] { #expect(pairs[key] == object[key] as? String, "\(key): \(line)") }
      #expect(pairs["pid"] == (object["pid"] as? Int).map(String.init))
      #expect(pairs["uid"] == (object["task"] as? [String: Any])?["uid"] as? String)
      for (name, value) in object["fields"] as? [String: Any] ?? [:] {
        let found = pairs["fields." + name] ?? pairs[name]
        switch value {
        case let text as String: #expect(found == text, "\(name): \(line)")
        // Foundation on Linux does not tell flags and numbers apart.
        case let number as NSNumber: #expect([number.stringValue, "\(number.boolValue)"].contains(found), "\(name): \(line)")
        default: break
        }
      }
    }
  }

  /// Texts that try to add a pair, a line or a formula, or to control the terminal.
  static let hostile = [
    "a b=c", "a=b", "\" level=fault x=\"", "one\ntwo", "\u{1b}[2J\u{7}", "=HYPERLINK(\"http://x\")", "\\", "", "\u{202e}cod",
    "日本",
  ]

  @Test(arguments: hostile)
  func `No text of a log adds a pair or a line, or controls the terminal`(text: String) throws {
    let directory = TemporaryDirectory()
    let log = try RecordedLog(in: directory)
    log.emit(at: 1, AppNoted(intent: "hostile", message: text))
    log.close()
    for form in ["logfmt", "wide", "cat", "{message}|{message:raw}"] {
      let options = form.hasPrefix("{") ? ["--template", form] : ["-o", form]
      let run = try ToolRun.xferlog(["show", log.path, "--event", "app.noted"] + options)
      #expect(run.text.utf8.count { $0 == 10 } == 1, "\(form): \(run.text)")
      #expect(run.text.unicodeScalars.allSatisfy { $0 == "\n" || ![.control, .format].contains($0.properties.generalCategory) })
    }
    let line = try #require(try ToolRun.xferlog("show", log.path, "--event", "app.noted", "-o", "logfmt").lines.first)
    let pairs = try Self.pairs(line)
    #expect(pairs["level"] == "default" || pairs["level"] == "info")
    #expect(text.isEmpty || pairs["msg"]?.contains(text) == true, "\(line)")
    let csv = try ToolRun.xferlog("show", log.path, "--event", "app.noted", "-o", "csv").lines.last ?? ""
    #expect(!csv.contains(",=") && !csv.contains(",\"="), "\(csv)")
  }

  @Test func `Rows of a query have the forms of events`() throws {
    let directory = TemporaryDirectory()
    let log = try ShownLog.write(in: directory)
    func rows(_ options: String...) throws -> ToolRun { try ToolRun.xferlog(["query", "| tasks | sort number", log] + options) }
    let pairs = try rows("-o", "logfmt").lines.map(Self.pairs)
    #expect(pairs.map { $0["number"] } == ["1", "7", "8"])
    #expect(pairs.map { $0["received"] } == ["6000000", "34812723", nil])
    #expect(
      try rows("--template", "{session}/{number}: {received} {received:raw}").lines == [
        "docs/1: 5.7 MiB 6000000", "img/7: 33.1 MiB 34812723", "img/8: - -",
      ])
    let wrong = try rows("--template", "{recieved}")
    #expect(wrong.status == 2 && wrong.standardError.contains("unknown field `recieved`"))
    #expect(wrong.standardError.contains("Did you mean received"))
    #expect(try rows("-o", "log").status == 2)
    #expect(try rows("-o", "wide").lines[0].contains("uid"))
    #expect(try !rows().lines[0].contains("uid"))
  }

  // MARK: wide

  @Test func `wide shows the writer and the fields that the message does not mention, and never breaks a line`() throws {
    let directory = TemporaryDirectory()
    let log = try ShownLog.write(in: directory)
    let arguments = ["show", log, "-o", "wide", "--event", "task.created", "-t", "img/7"]
    let plain = try ToolRun.xferlog(arguments).text
    #expect(plain.utf8.count { $0 == 10 } == 1)
    for part in [
      "2026-11-20 14:02:07.110Z", "engine:4001", "img/7", "task.created", "a file.bin", "discretionary=yes", "origin=foreground",
    ] {
      #expect(plain.contains(part), "\(part): \(plain)")
    }
    let session = try TerminalSession(arguments + ["--utc"], columns: 40, environment: ["TERM": "dumb"])
    #expect(session.wait() == 0)
    #expect(session.text == plain)
  }

  // MARK: Templates

  @Test func `A template names the fields of the query language`() throws {
    let directory = TemporaryDirectory()
    let log = try ShownLog.write(in: directory)
    func show(_ template: String, _ options: String...) throws -> ToolRun {
      try ToolRun.xferlog(["show", log, "--event", "task.transferred", "--template", template] + options)
    }
    #expect(
      try show("{time} {task.name} {message}").text
        == "2026-11-20 14:02:38.701Z img/7 transferred: 33.1 MiB received, 0 B sent, status 200\n")
    #expect(try show("{LEVEL}\\t{Received}\\t{received:raw}{{}}\\n{etag}").text == "default\t33.1 MiB\t34812723{}\n-\n")
    #expect(try show("{task.outcome} {task.took} {finding.rule}").text == "open - lost-completion\n")
    #expect(try show("{time:raw}").text == "2026-11-20T14:02:38.701000000Z\n")
    #expect(try show("{time}", "--time", "relative").text == "    +0.000\n")
    #expect(try show("{msg}", "-o", "template").status == 0)
  }

  /// Templates, and parts of the messages about them.
  static let wrongTemplates: [(template: String, parts: [String])] = [
    ("{tsk.name}", ["unknown field `tsk.name`", "^^^^^^^^", "Did you mean task.name"]),
    ("{zzzzzz}", ["unknown field `zzzzzz`", "--list-fields"]),
    ("{time", ["`{` without `}`"]), ("time}", ["`}` without `{`"]), ("{}", ["no field in the braces"]),
    ("", ["the template is empty"]),
    ("{time:iso}", ["`iso` is not a form", "raw"]),
  ]

  @Test(arguments: wrongTemplates, ["show", "tail", "query"])
  func `A wrong template is an error that says what to write`(_ wrong: (template: String, parts: [String]), command: String)
    throws
  {
    let directory = TemporaryDirectory()
    let log = try ShownLog.write(in: directory)
    let query = command == "query" ? ["*"] : []
    let run = try ToolRun.xferlog([command] + query + [log, "--template", wrong.template])
    #expect(run.status == 2 && run.text.isEmpty)
    for part in wrong.parts { #expect(run.standardError.contains(part), "\(part): \(run.standardError)") }
  }

  @Test func `A template needs its form, and a followed log has no outcome yet`() throws {
    let directory = TemporaryDirectory()
    let log = try ShownLog.write(in: directory)
    #expect(try ToolRun.xferlog("show", log, "-o", "template").standardError.contains("-o template needs a template"))
    #expect(try ToolRun.xferlog("show", log, "-o", "json", "--template", "{time}").standardError.contains("cannot be combined"))
    let followed = try ToolRun.xferlog("tail", "-f", "--timeout", "1ms", log, "--template", "{task.outcome}")
    #expect(followed.status == 2 && followed.standardError.contains("known only at the end of the log"))
    #expect(try ToolRun.xferlog("tail", "-f", "--timeout", "1ms", log, "--template", "{task.name}").status == 5)
  }
}
