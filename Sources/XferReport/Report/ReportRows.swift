package import XferEvents
import XferPredicate

/// The rows of a report: its events, gaps, attempts and tasks as JSON arrays, one per line.
///
/// A row that begins with a letter defines something that later rows refer to by its number, counted from 0 for each letter:
/// `v` a text, `s` the shape of events (their name, level and fields), `w` a writer's file, `k` a task. The letters `g`, `i`, `a`, `t` and
/// `l` begin the rows of gaps, reasons for incompleteness, attempts, tasks and lifecycles. The row of an event begins with a number:
/// shape, file, wall-clock time, monotonic time, lane, position, thread, and the values of the shape's fields. Times and positions are
/// differences to the previous row that has them; positions within one lane. `ReportedLog` in the tool reads the rows.
///
/// Memory is bounded: when a table of definitions is full, it is cleared, and later rows define their values again.
package struct ReportRows {
  private let mask: ValueMask
  private var isFirst = true
  /// The number of events that were written.
  package private(set) var events = 0
  /// The wall-clock time of the last event that has one, in nanoseconds since 1970.
  private(set) var wall: Int64 = 0
  private var monotonic: Int64 = 0
  private var texts = Definitions<RecordedText>()
  private var tasks = Definitions<TaskUID>()
  private var shapes = Definitions<ShapeKey>()
  private var files = Definitions<FileKey>()
  private var positions: [LaneKey: UInt64] = [:]
  /// The fields of each shape, and the layouts, whose identity tells shapes apart.
  private var shapeFields: [(layout: EventLayout, fields: [EventLayout.Field])] = []

  /// The numbers of the values that rows have defined.
  private struct Definitions<Value: Hashable> {
    private var numbers: [Value: Int] = [:]
    private var next = 0
    private static var limit: Int { 1 << 17 }

    /// - Returns: the number of a value, and whether it has to be defined first.
    mutating func number(_ value: Value) -> (number: Int, isNew: Bool) {
      if let number = numbers[value] { return (number, false) }
      if numbers.count >= Self.limit { numbers.removeAll(keepingCapacity: true) }
      numbers[value] = next
      next += 1
      return (next - 1, true)
    }
  }

  private struct ShapeKey: Hashable {
    let layout: ObjectIdentifier
    let presence: UInt64
  }

  private struct FileKey: Hashable {
    let log: UInt16
    let number: UInt32
    let writer: WriterContext
  }

  private struct LaneKey: Hashable {
    let file: Int
    let lane: UInt32
  }

  package init(mask: ValueMask) { self.mask = mask }

  // MARK: Rows

  mutating func row(in text: inout TextBuffer, _ write: (inout JSONText) -> Void) {
    if !isFirst { text.append(",\n" as StaticString) }
    isFirst = false
    text.appendJSON { json in
      json.beginArray()
      write(&json)
      json.endArray()
    }
  }

  package mutating func append(_ gap: LogGap, to text: inout TextBuffer) {
    row(in: &text) { json in
      json.string("g" as StaticString)
      EventObjects.lines.gap.write(gap, to: &json)
    }
  }

  package mutating func append(incompleteness reason: String, to text: inout TextBuffer) {
    row(in: &text) { json in
      json.string("i" as StaticString)
      json.string(reason)
    }
  }

  package mutating func append(_ event: RecordedEvent, to text: inout TextBuffer) {
    let source = event.source
    let file = file(source, in: &text)
    let isMasked = ValueMask.isNeeded(for: source.writer)
    var (presence, values): (UInt64, [RecordedValue]) = (0, [])
    let layout = event.layout
    for place in layout.readingOrder {
      guard let value = event.value(at: place) else { continue }
      presence |= 1 << UInt64(place)
      values.append(value)
    }
    let shape = shape(layout, presence, in: &text)
    let fields = shapeFields[shape].fields
    // Definitions are rows of their own, so they precede the event's row.
    var numbers = [Int](repeating: -1, count: values.count)
    for place in values.indices {
      let field = fields[place]
      switch values[place] {
      case .task(let task): numbers[place] = number(of: task, in: &text)
      case .text(let recorded):
        let privacy: Privacy = if case .text(let privacy) = field.type { privacy } else { .public }
        let isPrivate = isMasked && field.type != .symbol
        numbers[place] = number(of: isPrivate ? mask.masked(recorded, privacy, in: field.id) : recorded, in: &text)
      case .choice(let word): numbers[place] = number(of: .plain(word), in: &text)
      case .message(let message): if isMasked { values[place] = .message(mask.masked(message)) }
      default: break
      }
    }
    events += 1
    let times = (wall: event.wall?.nanoseconds, monotonic: event.monotonic)
    let before = (wall: wall, monotonic: monotonic)
    (wall, monotonic) = (times.wall ?? wall, times.monotonic ?? monotonic)
    let position = position(of: event, file)
    row(in: &text) { json in
      json.integer(shape)
      json.integer(file)
      json.difference(times.wall, before.wall)
      json.difference(times.monotonic, before.monotonic)
      if let lane = position.lane { json.integer(lane) } else { json.null() }
      json.integer(position.difference)
      if let thread = event.thread { json.integer(thread) } else { json.null() }
      for (value, number) in zip(values, numbers) {
        if number >= 0 { json.integer(number) } else { EventJSON.write(value, to: &json) }
      }
    }
  }

  /// Returns the lane of an event, `nil` for a line of a foreign log, and the distance from the previous position in it.
  private mutating func position(of event: RecordedEvent, _ file: Int) -> (lane: UInt32?, difference: Int64) {
    let (lane, position): (UInt32?, UInt64) =
      switch event.reference {
      case .record(_, let lane, let sequence, _): (lane, sequence)
      case .line(_, let line): (nil, line)
      }
    let key = LaneKey(file: file, lane: lane ?? .max)
    let previous = positions.updateValue(position, forKey: key) ?? 0
    return (lane, Int64(bitPattern: position &- previous))
  }

  // MARK: Definitions

  private mutating func number(of value: RecordedText, in text: inout TextBuffer) -> Int {
    let (number, isNew) = texts.number(value)
    if isNew {
      row(in: &text) { json in
        json.string("v" as StaticString)
        EventJSON.write(.text(value), to: &json)
      }
    }
    return number
  }

  mutating func number(of task: TaskIdentity, in text: inout TextBuffer) -> Int {
    let (number, isNew) = tasks.number(task.uid)
    if isNew {
      row(in: &text) { json in
        json.string("k" as StaticString)
        EventJSON.write(.task(task), to: &json)
      }
    }
    return number
  }

  private mutating func file(_ source: RecordSource, in text: inout TextBuffer) -> Int {
    let (number, isNew) = files.number(FileKey(log: source.log, number: source.number, writer: source.writer))
    guard isNew else { return number }
    let writer = source.writer
    row(in: &text) { json in
      json.string("w" as StaticString)
      json.beginObject()
      if source.log != 0 { json.member("log", source.log) }
      json.member("number", source.number)
      json.key("launch")
      if let launch = writer.launch { json.uuid(launch.high, launch.low) } else { json.null() }
      json.member("pid", writer.pid)
      json.member("role", writer.role?.name)
      json.member("executable", writer.executable)
      json.key("boot")
      if let boot = writer.boot { json.uuid(boot.high, boot.low) } else { json.null() }
      json.member("captureMode", writer.captureMode?.name)
      json.member("lowestLevel", writer.lowestLevel?.name)
      // The writer of a foreign log is described as in `show -o ndjson`.
      if writer.coverage != nil {
        json.key("foreign")
        EventObjects.lines.writer.write(source, to: &json)
      }
      json.endObject()
    }
    return number
  }

  private mutating func shape(_ layout: EventLayout, _ presence: UInt64, in text: inout TextBuffer) -> Int {
    let (number, isNew) = shapes.number(ShapeKey(layout: ObjectIdentifier(layout), presence: presence))
    guard isNew else { return number }
    let present = layout.readingOrder.filter { presence & 1 << UInt64($0) != 0 }.map { layout.fields[$0] }
    shapeFields.append((layout, present))
    let names = Set(present.map(\.name))
    // The message with the places of the present fields, without the words for missing ones.
    let message = MessageTemplate(layout.message).text { names.contains($0) ? "{\($0)}" : nil }
    row(in: &text) { json in
      json.string("s" as StaticString)
      json.string(layout.name)
      json.string(layout.level.name)
      json.string(message)
      json.array(of: present) { $1.string($0.name) }
      json.string(String(present.map(\.type.reportLetter)))
    }
    return number
  }
}

extension JSONText {
  /// Appends the difference of a time to an earlier one, or `null` for an unknown time.
  fileprivate mutating func difference(_ value: Int64?, _ earlier: Int64) {
    if let value { integer(value.subtractingClamped(earlier)) } else { null() }
  }
}

extension FieldType {
  /// The letter for the type in a report, by which readers show a value and tell a number of a definition from a quantity.
  fileprivate var reportLetter: Character {
    switch self {
    case .task: "k"
    case .tasks: "K"
    case .launch, .boot: "l"
    case .delivery, .handler, .correlation: "i"
    case .digest: "x"
    case .bytes: "b"
    case .count, .number: "n"
    case .duration: "d"
    case .wallTime: "w"
    case .flag: "f"
    case .choice: "c"
    case .symbol, .text: "v"
    case .message: "m"
    }
  }
}
