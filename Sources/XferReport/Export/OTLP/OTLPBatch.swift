import XferEvents
import XferPredicate

/// A request of OTLP's JSON encoding while it is filled: records, grouped by the process that they are about.
struct OTLPBatch {
  enum Signal { case logs, spans }

  private final class Group {
    let writer: WriterContext
    var records = TextBuffer(capacity: 1 << 14)
    init(_ writer: WriterContext) { self.writer = writer }
  }

  private let signal: Signal
  private let version: String
  private var groups: [Group] = []
  private(set) var count = 0
  private var size = 0

  /// The batch sizes that collectors accept by default.
  private static let mostRecords = 2000
  private static let mostBytes = 1 << 20

  static let schema = "https://opentelemetry.io/schemas/1.44.0"

  init(_ signal: Signal, version: String) { (self.signal, self.version) = (signal, version) }

  var isEmpty: Bool { count == 0 }
  var isFull: Bool { count >= Self.mostRecords || size >= Self.mostBytes }

  mutating func append(of writer: WriterContext, _ write: (inout JSONText) -> Void) {
    let group: Group
    // Few processes write at a time, and the last one usually writes again.
    if let known = groups.last(where: { $0.writer == writer }) {
      group = known
    } else {
      group = Group(writer)
      groups.append(group)
    }
    let start = group.records.count
    if start > 0 { group.records.append(UInt8(ascii: ",")) }
    group.records.appendJSON(write)
    size += group.records.count - start
    count += 1
  }

  /// Writes the request on one line, and empties the batch.
  mutating func flush(to text: inout TextBuffer) {
    guard !isEmpty else { return }
    let (resources, scopes, records): (StaticString, StaticString, StaticString) =
      switch signal {
      case .logs: ("resourceLogs", "scopeLogs", "logRecords")
      case .spans: ("resourceSpans", "scopeSpans", "spans")
      }
    let (groups, version) = (groups, version)
    text.appendJSON { json in
      json.beginObject()
      json.array(resources, groups) { group, json in
        json.beginObject()
        json.object("resource") { json in
          json.key("attributes")
          json.beginArray()
          for (key, value) in Self.attributes(of: group.writer, version: version) { OTLPAttribute.write(key, value, to: &json) }
          json.endArray()
        }
        json.key(scopes)
        json.beginArray()
        json.beginObject()
        json.object("scope") { json in
          json.member("name", "xferlog")
          json.member("version", version)
        }
        json.key(records)
        json.beginArray()
        json.text.append(group.records.bytes)
        json.endArray()
        json.member("schemaUrl", Self.schema)
        json.endObject()
        json.endArray()
        json.member("schemaUrl", Self.schema)
        json.endObject()
      }
      json.endObject()
    }
    text.append(UInt8(ascii: "\n"))
    (self.groups, count, size) = ([], 0, 0)
  }

  /// The resource: the process that wrote the events.
  private static func attributes(of writer: WriterContext, version: String) -> [(String, OTLPAttribute)] {
    var attributes: [(String, OTLPAttribute)] = []
    attributes.append(("service.name", .string(writer.executable.flatMap { $0.isEmpty ? nil : $0 } ?? "unknown_service")))
    if let version = writer.version { attributes.append(("service.version", .string(version))) }
    if let launch = writer.launch { attributes.append(("service.instance.id", .string("\(launch)"))) }
    if let pid = writer.pid { attributes.append(("process.pid", .integer(Int64(pid)))) }
    if let name = writer.executable, !name.isEmpty { attributes.append(("process.executable.name", .string(name))) }
    if let role = writer.role { attributes.append(("xferlog.role", .string(role.name))) }
    if let boot = writer.boot { attributes.append(("xferlog.boot", .string("\(boot)"))) }
    return attributes
  }
}

/// A value of an attribute.
enum OTLPAttribute {
  case string(String)
  case integer(Int64)
  case flag(Bool)
  case double(Double)

  static func write(_ key: String, _ value: OTLPAttribute, to json: inout JSONText) {
    json.beginObject()
    json.member("key", key)
    json.object("value") { json in
      switch value {
      case .string(let text): json.member("stringValue", text)
      // A number of 64 bits is a string in protobuf's JSON.
      case .integer(let number):
        json.key("intValue")
        json.integerString(number)
      case .flag(let flag): json.member("boolValue", flag)
      case .double(let number):
        json.key("doubleValue")
        json.number(number)
      }
    }
    json.endObject()
  }

  /// Returns the value of an event's field. Durations are in nanoseconds, as in the JSON of events.
  init?(_ value: RecordedValue) {
    switch value {
    case .task(let task): self = .string("\(task.uid)")
    case .tasks(let tasks): self = .string(tasks.map { "\($0.uid)" }.joined(separator: ","))
    case .launch(let id): self = .string("\(id)")
    case .boot(let id): self = .string("\(id)")
    // Identifiers are opaque, and may exceed the range of a signed number.
    case .identifier(let id): self = .string(String(id))
    case .digest(let digest): self = .string(digest.hexadecimal)
    case .bytes(let number), .integer(let number): self = .integer(number)
    case .duration(let duration): self = .integer(duration.nanoseconds)
    case .time(let time): self = .string("\(time)")
    case .flag(let flag): self = .flag(flag)
    case .choice(let name): self = .string(name)
    case .text(let text): self = .string("\(text)")
    case .message(let message): self = .string(message.text)
    case .unreadable: return nil
    }
  }
}
