import Testing
import XferEvents

/// Events of a newer vocabulary are kept and shown.
struct NewerVocabularyTests {
  /// Returns a record from a presence word and the bytes of its fields.
  private func record(_ layout: EventLayout, presence: UInt32, _ fields: [UInt8]) -> RecordedEvent? {
    let bytes = Bytes(withUnsafeBytes(of: presence.littleEndian) { Array($0) } + fields)
    let source = RecordSource(
      number: 1, name: "newer", writer: WriterContext(), index: 0, bytes: bytes, layouts: [])
    source.define(layout: layout)
    source.define(string: "a host", as: 1)
    return RecordedEvent(
      page: RecordPage(source: source), table: layout.table, lane: 1, sequence: 0, thread: 3, clocks: .init(Moment(monotonic: 1)),
      payload: UnsafeRawBufferPointer(bytes.memory))
  }

  private final class Bytes {
    let memory: UnsafeMutableRawBufferPointer
    init(_ bytes: [UInt8]) {
      memory = .allocate(byteCount: bytes.count, alignment: 8)
      memory.copyBytes(from: bytes)
    }
    deinit { memory.deallocate() }
  }

  @Test func `An unknown event keeps its name, its level and its values`() throws {
    let layout = EventLayout(
      number: 900, name: "weather.changed", level: .error, message: "now {sky}",
      fields: [("sky", .text(.public)), ("host", .symbol), ("warmth", .count), ("wet", .flag)])
    // Fields are stored by size: warmth, host, wet, sky.
    let fields: [UInt8] = [0xFE] + [UInt8](repeating: 0xFF, count: 7) + [1, 0, 0, 0] + [1] + [0, 4, 0] + Array("blue".utf8)
    let event = try #require(record(layout, presence: 0b1111, fields))
    #expect(event.kind == nil)
    #expect(event.layout.name == "weather.changed")
    #expect(event.level == .error)
    #expect(event.values.map(\.name) == ["sky", "host", "warmth", "wet"])
    #expect(
      event.values.map(\.value) == [.text(.plain("blue")), .text(.plain("a host")), .integer(-2), .flag(true)])
    // A field that both vocabularies have is also found by its typed accessor.
    #expect(event.host == "a host")
    #expect(event.value(named: "sky") == .text(.plain("blue")))
  }

  @Test func `An event with a known number but another name is not taken for the known event`() throws {
    let layout = EventLayout(
      number: EventKind.taskResumed.rawValue, name: "task.teleported", level: .default, message: "", fields: [("up", .flag)])
    let event = try #require(record(layout, presence: 1, [1]))
    #expect(event.kind == nil)
    #expect(event.layout.name == "task.teleported")
    #expect(event.up == true)
  }

  @Test func `A field with another type is shown with that type and has no typed accessor`() throws {
    let layout = EventLayout(
      number: EventKind.processExited.rawValue, name: "process.exited", level: .default, message: "",
      fields: [("code", .text(.public)), ("launch", .launch)])
    let fields = [UInt8](repeating: 1, count: 16) + [0, 3, 0] + Array("bad".utf8)
    let event = try #require(record(layout, presence: 0b11, fields))
    #expect(event.kind == .processExited)
    #expect(event.code == nil)
    #expect(event.value(named: "code") == .text(.plain("bad")))
    #expect(event.launch?.description == "01010101-0101-0101-0101-010101010101")
  }

  @Test func `An unknown choice is shown as a number`() throws {
    let layout = EventLayout(
      number: EventKind.processStateChanged.rawValue, name: "process.stateChanged", level: .default, message: "",
      fields: [("state", .choice("AppState")), ("by", .choice("NewChoice"))])
    let event = try #require(record(layout, presence: 0b11, [200, 3]))
    #expect(event.state == nil)
    #expect(event.value(named: "state") == .choice("unknown(200)"))
    #expect(event.value(named: "by") == .choice("unknown(3)"))
  }

  @Test func `A symbol or task without a definition is unreadable, and its typed accessor returns nil`() throws {
    let layout = EventLayout(
      number: 901, name: "weather.lost", level: .default, message: "", fields: [("task", .task), ("host", .symbol)])
    let event = try #require(record(layout, presence: 0b11, [9, 0, 0, 0, 77, 0, 0, 0]))
    #expect(event.values.map(\.value) == [.unreadable, .unreadable])
    #expect(event.task == nil)
    #expect(event.host == nil)
  }

  @Test func `A record that is shorter than its fields is refused, and lengths of fields are checked`() throws {
    let layout = EventLayout(
      number: 902, name: "weather.short", level: .default, message: "",
      fields: [("size", .bytes), ("message", .text(.private)), ("tasks", .tasks), ("etag", .text(.public))])
    #expect(record(layout, presence: 1, [1, 2, 3, 4, 5, 6, 7]) == nil)
    #expect(record(layout, presence: 1, [1, 2, 3, 4, 5, 6, 7, 8]) != nil)
    // Lengths beyond the end of the record, in every form.
    let broken: [[UInt8]] = [
      [], [0], [0, 200], [0, 200, 0, 65], [1, 1, 2, 3], [3, 9, 0, 0, 0, 255, 255, 255, 255], [4, 255, 255, 255, 255, 65], [9, 1],
    ]
    for fields in broken {
      let event = try #require(record(layout, presence: 0b1010, fields))
      #expect(event.message == nil, "\(fields)")
      #expect(event.etag == nil, "\(fields)")
      #expect(event.values.map(\.value) == [.unreadable, .unreadable], "\(fields)")
    }
    let list = try #require(record(layout, presence: 0b0100, [255, 255, 255, 255, 1, 0, 0, 0]))
    #expect(list.tasks == nil)
    // Presence bits for fields that the layout does not have.
    let many = try #require(record(layout, presence: 0xFFFF_FFF0, []))
    #expect(many.values.isEmpty)
  }
}
