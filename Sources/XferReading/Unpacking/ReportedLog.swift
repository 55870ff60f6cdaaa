import XferEvents
import XferImport
import XferReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The events in the data of a report, in the lines that `xferlog show -o ndjson` prints. `ReportRows` describes the rows.
struct ReportedLog {
  private typealias Value = XferImport.JSONValue

  /// The name, the level, and the names and types of the fields of some events.
  private struct Shape {
    let event: Value
    let level: Value
    let fields: [(name: String, letter: Character)]
  }

  private struct File {
    let number: Int64
    let launch: Value
    let pid: Value
    let role: Value
    var positions: [Int64: Int64] = [:]
  }

  private var texts: [Value] = []
  private var tasks: [Value] = []
  private var shapes: [Shape] = []
  private var files: [File] = []
  private var (wall, monotonic): (Int64, Int64) = (0, 0)
  /// The number of rows that are damaged.
  private(set) var damaged = 0

  /// Appends the lines of a row.
  ///
  /// - Parameter bytes: a line of the data.
  /// - Returns: whether more rows may follow.
  mutating func append(_ bytes: UnsafeRawBufferPointer, to text: inout TextBuffer) -> Bool {
    var bytes = bytes
    if bytes.first == UInt8(ascii: "]") { return false }
    guard bytes.first == UInt8(ascii: "[") else { return true }
    if bytes.last == UInt8(ascii: ",") { bytes = UnsafeRawBufferPointer(rebasing: bytes.dropLast()) }
    guard let row = Value(bytes), let first = row.elements.first, take(first, row.elements, &text) else {
      damaged += 1
      return true
    }
    return true
  }

  private mutating func take(_ first: Value, _ row: [Value], _ text: inout TextBuffer) -> Bool {
    guard case .string(let letter) = first else { return takeEvent(row, &text) }
    switch letter {
    case "v" where row.count == 2: texts.append(row[1])
    case "k" where row.count == 2: tasks.append(row[1])
    case "s" where row.count == 6:
      guard case .string(let letters) = row[5], letters.count == row[4].elements.count else { return false }
      shapes.append(
        Shape(
          event: row[1], level: row[2], fields: zip(row[4].elements.map { $0.scalarText ?? "" }, letters).map { ($0, $1) }))
    case "w" where row.count == 2:
      guard let number = row[1]["number"]?.integer else { return false }
      files.append(
        File(
          number: number, launch: row[1]["launch"] ?? .null, pid: row[1]["pid"] ?? .null, role: row[1]["role"] ?? .null))
      if let foreign = row[1]["foreign"] {
        Self.appendLine(&text) { Self.write(foreign, to: &$0) }
      } else {
        Self.appendLine(&text) { json in
          json.beginObject()
          json.member("schema", "xferlog.event/1")
          json.object("writer") { json in
            for name in ["launch", "boot", "pid", "role", "executable", "captureMode", "lowestLevel"] as [StaticString] {
              Self.member(name, row[1]["\(name)"] ?? .null, &json)
            }
          }
          json.endObject()
        }
      }
    case "g" where row.count == 2: Self.appendLine(&text) { Self.write(row[1], to: &$0) }
    case "i" where row.count == 2:
      Self.appendLine(&text) { json in
        json.beginObject()
        json.member("schema", "xferlog.event/1")
        json.member("incomplete", row[1].scalarText ?? "")
        json.endObject()
      }
    // The verdict follows from the events again.
    case "a", "t", "l": break
    default: return false
    }
    return true
  }

  private mutating func takeEvent(_ row: [Value], _ text: inout TextBuffer) -> Bool {
    guard row.count >= 7, let number = row[0].int, shapes.indices.contains(number), let place = row[1].int,
      files.indices.contains(place), let step = row[5].integer, row.count == 7 + shapes[number].fields.count
    else { return false }
    let shape = shapes[number]
    let time = row[2].integer.map { wall.addingClamped($0) }
    let mono = row[3].integer.map { monotonic.addingClamped($0) }
    let lane = row[4].integer
    let position = (files[place].positions[lane ?? -1] ?? 0) &+ step
    guard let values = values(row.dropFirst(7), shape) else { return false }
    (wall, monotonic) = (time ?? wall, mono ?? monotonic)
    files[place].positions[lane ?? -1] = position
    let file = files[place]
    Self.appendLine(&text) { json in
      json.beginObject()
      json.member("schema", "xferlog.event/1")
      if let time { json.member("time", "\(WallTime(nanoseconds: time))") }
      if let mono {
        json.key("mono")
        json.integerString(mono)
      }
      Self.member("level", shape.level, &json)
      Self.member("event", shape.event, &json)
      Self.member("launch", file.launch, &json)
      Self.member("pid", file.pid, &json)
      Self.member("role", file.role, &json)
      Self.member("thread", row[6], &json)
      json.object("source") { json in
        json.member(lane == nil ? "file" : "segment", file.number)
        if let lane { json.member("lane", lane) }
        json.member(lane == nil ? "line" : "seq", UInt64(bitPattern: position))
      }
      for (field, value) in zip(shape.fields, values) where field.name == "task" { Self.member("task", value, &json) }
      json.object("fields") { json in
        for (field, value) in zip(shape.fields, values) where field.name != "task" {
          json.key(field.name)
          Self.write(value, to: &json)
        }
      }
      json.endObject()
    }
    return true
  }

  /// Returns the values of an event with texts and tasks in the place of their numbers; `nil` if one is missing.
  private func values(_ row: ArraySlice<Value>, _ shape: Shape) -> [Value]? {
    var values: [Value] = []
    for (value, field) in zip(row, shape.fields) {
      switch field.letter {
      case "v", "c":
        // A string whose definition is lost has no number.
        guard case .integer(let number) = value else {
          values.append(value)
          continue
        }
        guard texts.indices.contains(Int(clamping: number)) else { return nil }
        values.append(texts[Int(clamping: number)])
      case "k":
        guard case .integer(let number) = value else {
          values.append(value)
          continue
        }
        guard tasks.indices.contains(Int(clamping: number)) else { return nil }
        values.append(tasks[Int(clamping: number)])
      default: values.append(value)
      }
    }
    return values
  }

  // MARK: JSON

  private static func appendLine(_ text: inout TextBuffer, _ write: (inout JSONText) -> Void) {
    text.appendJSON(write)
    text.append(UInt8(ascii: "\n"))
  }

  private static func member(_ name: StaticString, _ value: Value, _ json: inout JSONText) {
    if case .null = value { return }
    json.key(name)
    write(value, to: &json)
  }

  private static func write(_ value: Value, to json: inout JSONText) {
    switch value {
    case .null: json.null()
    case .bool(let flag): json.boolean(flag)
    case .integer(let number): json.integer(number)
    case .real(let number): json.number(number)
    case .string(let text): json.string(text)
    case .array(let elements): json.array(of: elements) { write($0, to: &$1) }
    case .object(let members):
      json.beginObject()
      for member in members {
        json.key(member.key)
        write(member.value, to: &json)
      }
      json.endObject()
    }
  }
}
