import Foundation
import XferEvents

/// An event as `xferlog show -o ndjson` prints it. The oracle knows events only in this form.
struct OracleEvent {
  let object: [String: Any]

  var fields: [String: Any] { object["fields"] as? [String: Any] ?? [:] }
  var task: [String: Any]? { object["task"] as? [String: Any] }
  var place: String {
    let source = object["source"] as? [String: Any] ?? [:]
    return "\(source["segment"] ?? "")/\(source["lane"] ?? "")/\(source["seq"] ?? "")"
  }

  init(line: Substring) throws {
    object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
  }
}

extension OracleEvent {
  /// Returns a number of JSON exactly. Foundation reads large ones as decimal numbers.
  static func integer(_ value: Any?) -> Int64? { (value as? NSNumber).flatMap { Int64($0.stringValue) } }
}

/// A value that the oracle compares.
enum OracleValue {
  case missing, unknown
  case number(Int64)
  case text(String)
  case texts([String])
  /// A value that was stored as a hash, in the form that people read.
  case masked(String)
}

/// A field by which the oracle selects events.
enum OracleField: Hashable {
  case level, event, time, mono, thread, processID, role, launch, task, uid, number, session
  case field(FieldID)

  static let properties: [OracleField] = [
    .level, .event, .time, .mono, .thread, .processID, .role, .launch, .task, .uid, .number, .session,
  ]

  enum Kind { case number, bytes, duration, time, flag, choice, level, event, text, task }

  var kind: Kind {
    switch self {
    case .level: return .level
    case .event: return .event
    case .time: return .time
    case .mono: return .duration
    case .thread, .processID, .number: return .number
    case .role: return .choice
    case .launch, .uid, .session: return .text
    case .task: return .task
    case .field(let id):
      switch id.type {
      case .bytes: return .bytes
      case .count, .number: return .number
      case .duration: return .duration
      case .wallTime: return .time
      case .flag: return .flag
      case .choice: return .choice
      case .task: return .task
      default: return .text
      }
    }
  }

  /// The names by which queries know the field.
  var names: [String] {
    switch self {
    case .level: ["level", "messageType", "LEVEL"]
    case .event: ["event"]
    case .time: ["time", "timestamp"]
    case .mono: ["mono"]
    case .thread: ["thread", "threadID"]
    case .processID: ["processID", "pid", "processIdentifier"]
    case .role: ["role", "process.role"]
    case .launch: ["launch"]
    case .task: ["task"]
    case .uid: ["uid", "task.uid"]
    case .number: ["number", "task.number"]
    case .session: ["session"]
    case .field(let id): ["fields.\(id.definition.name)"]
    }
  }

  func value(of event: OracleEvent) -> OracleValue {
    func text(_ value: Any?) -> OracleValue { (value as? String).map(OracleValue.text) ?? .missing }
    func number(_ value: Any?) -> OracleValue { OracleEvent.integer(value).map(OracleValue.number) ?? .missing }
    switch self {
    case .level:
      return .number(
        Int64(["debug", "info", "default", "error", "fault"].firstIndex(of: event.object["level"] as? String ?? "")!))
    case .event: return text(event.object["event"])
    case .time: return (event.object["time"] as? String).map { .number(OracleTime.nanoseconds($0)) } ?? .missing
    case .mono: return (event.object["mono"] as? String).flatMap { Int64($0) }.map(OracleValue.number) ?? .missing
    case .thread: return number(event.object["thread"])
    case .processID: return number(event.object["pid"])
    case .role: return text(event.object["role"])
    case .launch: return text(event.object["launch"])
    case .task: return Self.task(event.task)
    case .uid: return text(event.task?["uid"])
    case .number: return number(event.task?["number"])
    case .session: return event.task == nil ? text(event.fields["session"]) : text(event.task?["session"])
    case .field(let id): return Self.value(event.fields[id.definition.name], id.type)
    }
  }

  private static func task(_ task: [String: Any]?) -> OracleValue {
    guard let task else { return .missing }
    return .texts(["\(task["session"]!)/\(task["number"]!)", "\(task["uid"]!)", "\(task["number"]!)"])
  }

  private static func value(_ value: Any?, _ type: FieldType) -> OracleValue {
    guard let value else { return .missing }
    switch type {
    case .bytes, .count, .number, .duration: return .number(OracleEvent.integer(value)!)
    case .flag: return .number((value as? Bool)! ? 1 : 0)
    case .wallTime: return .number(OracleTime.nanoseconds((value as? String)!))
    case .task: return task(value as? [String: Any])
    case .tasks:
      let tasks = value as? [[String: Any]] ?? []
      return .texts(tasks.flatMap { ["\($0["session"]!)/\($0["number"]!)", "\($0["uid"]!)"] })
    case .digest:
      let digits = String((value as? String)!.drop { $0 == "0" })
      return .text("#\(digits.isEmpty ? "0" : digits)")
    case .text:
      guard let object = value as? [String: Any] else { return .text((value as? String)!) }
      if let hash = object["hash"] as? String {
        return .masked("<mask.hash: \(String(repeating: "0", count: 16 - hash.count))\(hash)>")
      }
      return .unknown
    case .message: return .unknown
    default: return .text((value as? String)!)
    }
  }
}

/// Converts times of RFC 3339 with the C library.
enum OracleTime {
  static func nanoseconds(_ text: String) -> Int64 {
    let parts = text.split { "-T:.Z".contains($0) }
    var time = tm()
    time.tm_year = Int32(parts[0])! - 1900
    time.tm_mon = Int32(parts[1])! - 1
    time.tm_mday = Int32(parts[2])!
    time.tm_hour = Int32(parts[3])!
    time.tm_min = Int32(parts[4])!
    time.tm_sec = Int32(parts[5])!
    let (product, _) = Int64(timegm(&time)).multipliedReportingOverflow(by: 1_000_000_000)
    return product &+ Int64(parts[6])!
  }

  static func text(_ nanoseconds: Int64) -> String {
    var (second, fraction) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    if fraction < 0 { (second, fraction) = (second - 1, fraction + 1_000_000_000) }
    var (time, parts) = (time_t(second), tm())
    gmtime_r(&time, &parts)
    return String(
      format: "%04d-%02d-%02dT%02d:%02d:%02d.%09dZ", Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday),
      Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec), Int(fraction))
  }
}
