package import XferEvents
import XferPredicate

/// Events with the keys of Apple's `log show --style ndjson`, for scripts that already know that format.
///
/// An event that is not a message of an `EventLogger` has the subsystem `xferlog` and its family as the category. A gap is an entry of
/// the type `lossEvent`. Images and their addresses are unknown, so those keys are empty or missing.
package struct SystemLogJSON: EventDocument {
  private let zone: ZoneRule
  private var messages = MessageTexts()
  private var count = 0

  package init(zone: ZoneRule) { self.zone = zone }

  package mutating func begin(in text: inout TextBuffer) {}

  /// Writes the number of entries, as `log show` does. If it is missing, the output was cut off.
  package mutating func end(in text: inout TextBuffer) {
    let count = count
    text.appendJSON { json in
      json.beginObject()
      json.member("count", count)
      json.member("finished", 1)
      json.endObject()
    }
    text.append(UInt8(ascii: "\n"))
  }

  package mutating func append(_ event: RecordedEvent, to text: inout TextBuffer) {
    let writer = event.source.writer
    let entry = SystemLogEntry(event, &messages)
    line(entry.type, at: event.wall, to: &text) { json in
      json.member("messageType", event.level.messageType)
      json.member("eventMessage", entry.message)
      if let format = event.eventMessage?.format { json.member("formatString", format) }
      json.member("subsystem", entry.subsystem)
      json.member("category", entry.category)
      json.member("processID", writer.pid ?? 0)
      json.member("processImagePath", writer.executable ?? writer.role?.name ?? "")
      json.member("senderImagePath", "")
      json.member("threadID", event.thread ?? 0)
      json.member("activityIdentifier", event.activity?.rawValue ?? 0)
      json.member("parentActivityIdentifier", event.parentActivity?.rawValue ?? 0)
      if let signpost = entry.signpost {
        json.member("signpostID", event.signpost?.rawValue ?? 0)
        json.member("signpostName", event.name ?? "")
        json.member("signpostScope", "process")
        json.key("signpostType")
        json.string(signpost)
      }
      if let boot = writer.boot { json.member("bootUUID", "\(boot)".uppercased()) }
      json.member("machTimestamp", max(0, event.monotonic ?? 0))
    }
  }

  package mutating func append(_ gap: LogGap, to text: inout TextBuffer) {
    line("lossEvent", at: gap.before?.wall ?? gap.after?.wall, to: &text) { json in
      json.member("messageType", "Default")
      json.member("eventMessage", gap.text)
      json.member("subsystem", "xferlog")
      json.member("category", "gap")
      json.member("processID", 0)
      json.member("processImagePath", "xferlog")
      json.member("threadID", 0)
    }
  }

  package mutating func append(_ inset: EventInset, to text: inout TextBuffer) {
    line("logEvent", at: inset.wall, to: &text) { json in
      json.member("messageType", inset.level.messageType)
      json.member("eventMessage", "\(inset.subject) \(inset.title): \(inset.text)")
      json.member("subsystem", "xferlog")
      json.member("category", "finding")
      json.member("processID", 0)
      json.member("processImagePath", "xferlog")
      json.member("threadID", 0)
    }
  }

  private mutating func line(
    _ type: StaticString, at time: WallTime?, to text: inout TextBuffer, _ members: (inout JSONText) -> Void
  ) {
    count += 1
    let zone = zone
    text.appendJSON { json in
      json.beginObject()
      json.key("eventType")
      json.string(type)
      if let time {
        let (second, fraction) = time.nanoseconds.dividedDown(by: 1_000_000_000)
        let offset = Int64(zone.offset(second))
        let civil = CivilTime(second: second + offset)
        json.key("timestamp")
        json.beginString()
        civil.appendDate(to: &json.text)
        json.text.append(UInt8(ascii: " "))
        civil.appendTime(to: &json.text)
        json.text.append(UInt8(ascii: "."))
        json.text.append(UInt64(fraction / 1000), width: 6)
        json.text.append(offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
        json.text.append(UInt64(offset.magnitude / 3600), width: 2)
        json.text.append(UInt64(offset.magnitude / 60 % 60), width: 2)
        json.endString()
      }
      members(&json)
      json.endObject()
    }
    text.append(UInt8(ascii: "\n"))
  }
}

/// The parts of an event that formats of Apple's unified log share.
struct SystemLogEntry {
  /// The value of `eventType`.
  let type: StaticString
  let subsystem: String
  let category: String
  let message: String
  /// The value of `signpostType`; `nil` for an event that is not a signpost.
  private(set) var signpost: StaticString?

  init(_ event: RecordedEvent, _ messages: inout MessageTexts) {
    subsystem = event.subsystem ?? "xferlog"
    category = event.subsystem == nil ? String(event.layout.name.prefix { $0 != "." }) : event.category ?? ""
    switch event.kind {
    case .messageDebug, .messageInfo, .messageDefault, .messageError, .messageFault:
      (type, message) = ("logEvent", event.eventMessage?.text ?? "")
    case .signpostBegun, .signpostEnded, .signpostEmitted:
      (type, message) = ("signpostEvent", event.eventMessage?.text ?? "")
      signpost = event.kind == .signpostBegun ? "begin" : event.kind == .signpostEnded ? "end" : "event"
    case .activityBegun: (type, message) = ("activityCreateEvent", event.name ?? "")
    default:
      let subject = event.task.map(\.label) ?? event.session
      type = "logEvent"
      message = [event.layout.name, subject ?? "", messages.text(of: event)].filter { !$0.isEmpty }.joined(separator: " ")
    }
  }
}

extension Level {
  /// The value of `messageType`.
  fileprivate var messageType: String {
    switch self {
    case .debug: "Debug"
    case .info: "Info"
    case .default: "Default"
    case .error: "Error"
    case .fault: "Fault"
    }
  }
}
