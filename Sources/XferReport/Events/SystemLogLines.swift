package import XferEvents
import XferPredicate

/// Events in the columns of Apple's `log show`, for people and scripts that already know that format.
///
/// An event that is not a message of an `EventLogger` has the subsystem `xferlog` and its family as the category. A gap is a line
/// of the type Loss. The sender's library is unknown, so that column is empty.
package struct SystemLogLines: EventDocument {
  package enum Form: Sendable {
    /// The columns of `log show --style default`.
    case full
    /// The columns of `log show --style compact`.
    case compact
  }

  private let form: Form
  private let zone: ZoneRule
  private var messages = MessageTexts()
  private var counts: [LineType: Int] = [:]

  package init(_ form: Form, zone: ZoneRule) {
    self.form = form
    self.zone = zone
  }

  package mutating func begin(in text: inout TextBuffer) {
    switch form {
    case .full:
      text.append("Timestamp                       Thread     Type        Activity             PID    TTL  \n" as StaticString)
    case .compact: text.append("Timestamp               Ty Process[PID:TID]\n" as StaticString)
    }
  }

  /// Writes the totals at the end, as `log show` does. If the totals are missing, the output was cut off.
  package mutating func end(in text: inout TextBuffer) {
    guard form == .full else { return }
    func sum(_ name: String, _ type: LineType?, columns: Int) -> String {
      let count = String(type.flatMap { counts[$0] } ?? 0)
      return "\(name):" + String(repeating: " ", count: max(1, columns - count.count)) + count
    }
    text.append(repeating: UInt8(ascii: "-"), count: 116)
    let log = [
      sum("Default", .default, columns: 11), sum("Info", .info, columns: 17), sum("Debug", .debug, columns: 14),
      sum("Error", .error, columns: 11), sum("Fault", .fault, columns: 11),
    ]
    let activity = [
      sum("Create", .activity, columns: 12), sum("Transition", nil, columns: 11), sum("Actions", nil, columns: 12),
    ]
    text.append("\nLog      - \(log.joined(separator: ", "))\nActivity - \(activity.joined(separator: ", "))\n")
  }

  package mutating func append(_ event: RecordedEvent, to text: inout TextBuffer) {
    let writer = event.source.writer
    append(
      Line(
        time: event.wall, thread: event.thread, type: LineType(event), activity: event.activity?.rawValue, pid: writer.pid,
        process: writer.executable ?? writer.role?.name ?? "", sender: sender(of: event), message: message(of: event)),
      to: &text)
  }

  package mutating func append(_ gap: LogGap, to text: inout TextBuffer) {
    append(
      Line(
        time: gap.before?.wall ?? gap.after?.wall, type: .loss, process: "xferlog", sender: "[xferlog:gap]", message: gap.text),
      to: &text)
  }

  package mutating func append(_ inset: EventInset, to text: inout TextBuffer) {
    append(
      Line(
        time: inset.wall, type: LineType(inset.level), process: "xferlog", sender: "[xferlog:finding]",
        message: "\(inset.subject) \(inset.title): \(inset.text)"),
      to: &text)
  }

  // MARK: Contents of a line

  private func sender(of event: RecordedEvent) -> String {
    if event.kind == .activityBegun { return "" }
    guard let subsystem = event.subsystem else { return "[xferlog:\(event.layout.name.prefix { $0 != "." })]" }
    return subsystem.isEmpty ? "" : "[\(subsystem):\(event.category ?? "")]"
  }

  private mutating func message(of event: RecordedEvent) -> String {
    switch event.kind {
    case .signpostBegun: signpost(event, "begin")
    case .signpostEnded: signpost(event, "end")
    case .signpostEmitted: signpost(event, "event")
    default: SystemLogEntry(event, &messages).message
    }
  }

  private func signpost(_ event: RecordedEvent, _ type: String) -> String {
    let id = String(event.signpost?.rawValue ?? 0, radix: 16)
    let message = event.eventMessage.map { ": \($0.text)" } ?? ""
    return "[spid 0x\(id), process, \(type)] \(event.name ?? "")\(message)"
  }

  // MARK: Columns

  private struct Line {
    var time: WallTime?
    var thread: UInt32?
    var type: LineType
    var activity: UInt64?
    var pid: Int?
    var process: String
    /// The subsystem and the category in brackets.
    var sender: String
    var message: String
  }

  private mutating func append(_ line: Line, to text: inout TextBuffer) {
    counts[line.type, default: 0] += 1
    let thread = String(line.thread ?? 0, radix: 16)
    let sender = line.sender.isEmpty ? "" : TerminalText.escaped(line.sender) + " "
    let process = TerminalText.escaped(line.process)
    let message = TerminalText.escaped(line.message)
    append(line.time, to: &text)
    switch form {
    case .full:
      text.append("0x\(thread)".padded(to: 10) + " ")
      text.append(line.type.rawValue.padded(to: 11) + " ")
      text.append("0x\(String(line.activity ?? 0, radix: 16))".padded(to: 20) + " ")
      // Events have no time to live, so the column is 0.
      text.append("\(line.pid ?? 0)".padded(to: 6) + " 0    ")
      text.append("\(process): \(sender)\(message)\n")
    case .compact:
      text.append(line.type.letters.padded(to: 2) + " ")
      text.append("\(process)[\(line.pid ?? 0):\(thread)] \(sender)\(message)\n")
    }
  }

  private func append(_ time: WallTime?, to text: inout TextBuffer) {
    guard let time else {
      text.append(repeating: UInt8(ascii: " "), count: form == .full ? 32 : 24)
      return
    }
    let (second, fraction) = time.nanoseconds.dividedDown(by: 1_000_000_000)
    let offset = Int64(zone.offset(second))
    let civil = CivilTime(second: second + offset)
    civil.appendDate(to: &text)
    text.append(UInt8(ascii: " "))
    civil.appendTime(to: &text)
    text.append(UInt8(ascii: "."))
    if form == .full {
      text.append(UInt64(fraction / 1000), width: 6)
      text.append(offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
      text.append(UInt64(offset.magnitude / 3600), width: 2)
      text.append(UInt64(offset.magnitude / 60 % 60), width: 2)
    } else {
      text.append(UInt64(fraction / 1_000_000), width: 3)
    }
    text.append(UInt8(ascii: " "))
  }

  /// The word in the type column.
  private enum LineType: String {
    case debug = "Debug"
    case info = "Info"
    case `default` = "Default"
    case error = "Error"
    case fault = "Fault"
    case activity = "Activity"
    case signpost = "Signpost"
    case loss = "Loss"

    init(_ level: Level) {
      switch level {
      case .debug: self = .debug
      case .info: self = .info
      case .default: self = .default
      case .error: self = .error
      case .fault: self = .fault
      }
    }

    init(_ event: RecordedEvent) {
      switch event.kind {
      case .activityBegun: self = .activity
      case .signpostBegun, .signpostEnded, .signpostEmitted: self = .signpost
      default: self.init(event.level)
      }
    }

    var letters: String {
      switch self {
      case .debug: "Db"
      case .info: "I"
      case .default: "Df"
      case .error: "E"
      case .fault: "F"
      case .activity: "A"
      case .signpost: "S"
      case .loss: "L"
      }
    }
  }
}
