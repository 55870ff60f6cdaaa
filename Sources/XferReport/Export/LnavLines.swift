package import XferEvents
import XferPredicate

/// Events as JSON lines for lnav, which `LnavFormat` describes. Every line has a time, a level and a message, which lnav requires.
package struct LnavLines: EventDocument {
  private var messages = MessageTexts()
  private var clock = WallTimeText()
  /// The time of the last event, for gaps and findings without one.
  private var last = WallTime(nanoseconds: 0)

  package init() {}

  package mutating func begin(in text: inout TextBuffer) {}
  package mutating func end(in text: inout TextBuffer) {}

  package mutating func append(_ event: RecordedEvent, to text: inout TextBuffer) {
    last = WallTime(nanoseconds: ExportClock.nanoseconds(event.moment))
    let (task, writer) = (event.task, event.source.writer)
    let message = messages.text(of: event)
    let fields = event.values.filter { $0.name != "task" }
    line(event.level.name, event.layout.name, EventTexts.subject(of: event.view), message, to: &text) { json in
      if let task {
        json.member("task", "\(task.uid)")
        json.member("number", task.number)
      }
      if let session = task?.session ?? event.session { json.member("session", session) }
      if let host = event.host { json.member("host", host) }
      if let status = event.status { json.member("status", status) }
      if let role = writer.role { json.member("role", role.name) }
      if let executable = writer.executable { json.member("executable", executable) }
      if let pid = writer.pid { json.member("pid", pid) }
      if let thread = event.thread { json.member("thread", thread) }
      json.member("place", "\(event.reference)")
      json.object("fields") { json in
        for (name, value) in fields {
          json.key(name)
          EventJSON.write(value, to: &json)
        }
      }
    }
  }

  package mutating func append(_ gap: LogGap, to text: inout TextBuffer) {
    if let wall = gap.before?.wall ?? gap.after?.wall { last = wall }
    line(Level.error.name, "gap", "log", gap.text, to: &text) { _ in }
  }

  package mutating func append(_ inset: EventInset, to text: inout TextBuffer) {
    if let wall = inset.wall { last = wall }
    line(inset.level.name, "finding", inset.subject, "\(inset.title): \(inset.text)", to: &text) { _ in }
  }

  private mutating func line(
    _ level: String, _ event: String, _ subject: String, _ message: String, to text: inout TextBuffer,
    _ others: (inout JSONText) -> Void
  ) {
    let (time, clock) = (last, clock)
    var stamps = clock
    text.appendJSON { json in
      json.beginObject()
      json.member("schema", LnavFormat.schema)
      json.key("time")
      json.beginString()
      stamps.append(time, to: &json.text)
      json.endString()
      json.member("level", level)
      json.member("event", event)
      json.member("subject", subject)
      json.member("message", message)
      others(&json)
      json.endObject()
    }
    self.clock = stamps
    text.append(UInt8(ascii: "\n"))
  }
}

/// The definition with which lnav reads `LnavLines`, as a file of its format directory.
package enum LnavFormat {
  package static let schema = "xferlog.lnav/1"

  package static let definition = #"""
    {
      "$schema": "https://lnav.org/schemas/format-v1.schema.json",
      "xferlog_log": {
        "title": "xferlog",
        "description": "Events of background transfers, from `xferlog export --format lnav`.",
        "json": true,
        "hide-extra": true,
        "file-pattern": "\\.(ndjson|jsonl|lnav|log)$",
        "timestamp-field": "time",
        "level-field": "level",
        "level": {
          "debug": "debug",
          "info": "info",
          "notice": "default",
          "error": "error",
          "critical": "fault"
        },
        "body-field": "message",
        "opid-field": "task",
        "line-format": [
          { "field": "__timestamp__" },
          " ",
          { "field": "__level__", "min-width": 8 },
          " ",
          { "field": "subject", "min-width": 12 },
          " ",
          { "field": "event", "min-width": 21 },
          " ",
          { "field": "message" }
        ],
        "value": {
          "schema": { "kind": "string", "hidden": true },
          "level": { "kind": "string" },
          "event": { "kind": "string", "identifier": true },
          "subject": { "kind": "string", "identifier": true },
          "message": { "kind": "string" },
          "task": { "kind": "string", "identifier": true },
          "session": { "kind": "string", "identifier": true },
          "number": { "kind": "integer", "foreign-key": true },
          "host": { "kind": "string", "identifier": true },
          "status": { "kind": "integer", "foreign-key": true },
          "role": { "kind": "string", "identifier": true },
          "executable": { "kind": "string", "identifier": true },
          "pid": { "kind": "integer", "foreign-key": true },
          "thread": { "kind": "integer", "foreign-key": true },
          "place": { "kind": "string" },
          "fields": { "kind": "json" }
        }
      }
    }

    """#
}
