import Foundation
import LogTestSupport
import Testing
import XferEvents
import XferReport

/// The output of `show -o ndjson`, validated with the JSON Schema of `xferlog schema --json-schema`.
@Suite struct SchemaTests {
  private func schema() throws -> JSONSchema {
    let run = try ToolRun.xferlog("schema", "--json-schema")
    #expect(run.status == 0)
    return try JSONSchema(text: run.text)
  }

  @Test func `Every event of a log is valid`() throws {
    let directory = TemporaryDirectory()
    let schema = try schema()
    for mode in [CaptureMode.full, .hashed, .redacted] {
      let log = try RecordedLog.sample(in: directory, name: "\(mode.name).xlog", mode: mode)
      for line in try ToolRun.xferlog("show", log, "-o", "ndjson").lines { #expect(try schema.problem(with: line) == nil) }
    }
    let damaged = try ToolRun.xferlog("show", DamagedLog.flipped(in: directory), "-o", "ndjson").lines
    #expect(damaged.contains { $0.contains(#""gap":"#) })
    for line in damaged { #expect(try schema.problem(with: line) == nil) }
  }

  /// Fields have the extreme values of their types, so that none is valid by chance.
  @Test(arguments: EventKind.allCases)
  func `Every event with all its fields is valid, and every field is declared`(_ kind: EventKind) throws {
    let schema = try schema()
    let declared = try schema.fieldNames(of: kind.name)
    for filling in Filling.allCases {
      let event = try #require(filling.event(kind))
      var text = TextBuffer()
      var document = EventJSON(.lines)
      document.append(event, to: &text)
      let line = text.string
      #expect(try schema.problem(with: line) == nil, "\(line)")
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let names = Set((object["fields"] as? [String: Any])?.keys.map { $0 } ?? [])
      #expect(names == declared)
      #expect(names.union(object["task"] == nil ? [] : ["task"]) == Set(event.layout.fields.map(\.name)))
    }
  }

  static let wrong = [
    #"{}"#, #"{"schema":"xferlog.event/2","level":"info","event":"a.b","source":{"segment":1,"lane":1,"seq":1},"fields":{}}"#,
    #"{"schema":"xferlog.event/1","level":"loud","event":"a.b","source":{"segment":1,"lane":1,"seq":1},"fields":{}}"#,
    #"{"schema":"xferlog.event/1","level":"info","event":"a.b","source":{"segment":1,"lane":1},"fields":{}}"#,
    #"{"schema":"xferlog.event/1","level":"info","event":"task.held","source":{"file":1,"line":1},"fields":{"slots":"6"}}"#,
    #"{"schema":"xferlog.event/1","level":"info","event":"task.held","source":{"file":1,"line":1},"fields":{"hold":"sleepy"}}"#,
    #"{"schema":"xferlog.event/1","level":"info","event":"task.held","source":{"file":1,"line":1},"mono":5,"fields":{}}"#,
    #"{"schema":"xferlog.event/1","gap":{"cause":"bored","segment":1,"name":"x"}}"#,
  ]

  @Test(arguments: wrong)
  func `A line that xferlog never writes is invalid`(_ line: String) throws { #expect(try schema().problem(with: line) != nil) }

  @Test func `Additions of a newer vocabulary are valid`() throws {
    let schema = try schema()
    for line in [
      #"{"schema":"xferlog.event/1","level":"info","event":"new.thing","source":{"file":1,"line":1},"fields":{"any":[1]}}"#,
      #"{"schema":"xferlog.event/1","level":"info","event":"task.held","source":{"file":1,"line":1},"fields":{"hold":"unknown(99)","extra":1}}"#,
    ] { #expect(try schema.problem(with: line) == nil) }
  }

  @Test func `The document names every event, field and choice`() throws {
    let text = try ToolRun.xferlog("schema").text
    for event in Vocabulary.events {
      #expect(
        text.contains("### \(event.name)\n\nNumber \(event.number), level \(event.level.name), \(event.importance.rawValue)."))
    }
    for choice in Vocabulary.choices {
      let section = try #require(text.firstRange(of: "### \(choice.name)\n"))
      for value in choice.cases { #expect(text[section.upperBound...].contains("| `\(value.name)` | \(value.summary) |")) }
    }
    for event in Vocabulary.events where !event.fields.isEmpty {
      let start = try #require(text.firstRange(of: "### \(event.name)\n")).upperBound
      let section = text[start...].prefix { _ in true }.split(separator: "\n### ", maxSplits: 1)[0]
      for field in event.fields { #expect(section.contains("| `\(field)` |")) }
    }
  }
}

/// Encoded records with a value for each field of an event.
private enum Filling: CaseIterable {
  case zeros, ones, lost

  func event(_ kind: EventKind) -> RecordedEvent? {
    guard let layout = EventLayout.known[Int(kind.rawValue)] else { return nil }
    let presence: UInt64 = layout.fields.count == 64 ? .max : (1 << UInt64(layout.fields.count)) - 1
    var bytes = (0..<layout.presenceSize).map { UInt8(truncatingIfNeeded: presence >> UInt64(8 * $0)) }
    for field in layout.fields { bytes += value(field.type) }
    let memory = Memory(bytes)
    let source = RecordSource(
      number: 1, name: "made.seg", writer: WriterContext(launch: LaunchID(high: 1, low: 2), pid: 3, role: .app), index: 0,
      bytes: memory)
    if self != .lost {
      source.define(string: "text\u{1b}", as: 1)
      source.define(task: TaskIdentity(uid: TaskUID(high: 1, low: 2), session: "s", number: 3), as: 1)
    }
    return RecordedEvent(
      page: RecordPage(source: source), table: layout.table, lane: 1, sequence: 2, thread: 3,
      clocks: .init(Moment(monotonic: .max, boottime: 1, wall: WallTime(nanoseconds: -1))), payload: memory.bytes)
  }

  private func value(_ type: FieldType) -> [UInt8] {
    let symbol: [UInt8] = [1, 0, 0, 0]
    switch type {
    case .task, .symbol: return symbol
    case .tasks: return [2, 0, 0, 0] + symbol + symbol
    case .text:
      switch self {
      case .zeros: return [TextForm.short.rawValue, 2, 0, 0x61, 0x0a]
      case .ones: return [TextForm.hashed.rawValue] + [UInt8](repeating: 0xff, count: 8)
      case .lost: return [TextForm.cut.rawValue, 9, 0, 0, 0, 1, 0, 0, 0, 0x61]
      }
    case .message:
      switch self {
      case .zeros: return symbol + [2, 0, 0, 0, 0x01, 0]
      // A hashed named number, and a NaN.
      case .ones:
        let named: [UInt8] = [0x29, 1, 0x6e] + [UInt8](repeating: 0xff, count: 8)
        let double: [UInt8] = [0x03] + [UInt8](repeating: 0xff, count: 8)
        return symbol + [UInt8(named.count + double.count), 0, 0, 0] + named + double
      case .lost: return symbol + [0, 0, 0, 0]
      }
    case .flag: return [self == .zeros ? 0 : 1]
    default: return [UInt8](repeating: self == .zeros ? 0 : 0xff, count: type.storedSize ?? 0)
    }
  }

  private final class Memory {
    let bytes: UnsafeRawBufferPointer

    init(_ bytes: [UInt8]) {
      let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
      copy.copyBytes(from: bytes)
      self.bytes = UnsafeRawBufferPointer(copy)
    }

    deinit { bytes.deallocate() }
  }
}
