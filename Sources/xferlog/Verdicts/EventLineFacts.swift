import XferEvents
import XferImport

/// The facts of one exported event line by which it is ordered and compared with other lines. They have a fixed size, so that they can be
/// written to a file with the line.
struct EventLineFacts {
  /// The kind of a line. Its raw value is the order of lines without a place of their own.
  enum Kind: UInt8 { case writer, event, gap, incompleteness, finding }

  var kind = Kind.event
  /// Whether the line comes from the state of an earlier batch.
  var isCarried = false
  /// The process life that wrote the line; zeros if the line names none.
  var launch: (high: UInt64, low: UInt64) = (0, 0)
  /// The boot of the process life, which only few lines tell; zeros if unknown.
  var boot: (high: UInt64, low: UInt64) = (0, 0)
  /// The lane of the process life, or the number of the foreign file as a negative number; `nil` if the line has no place.
  var lane: Int64?
  /// The position within the lane or file.
  var sequence: UInt64 = 0
  /// The number of the segment.
  var segment: UInt64 = 0
  /// The monotonic time in nanoseconds.
  var monotonic: Int64?
  /// The wall-clock time in nanoseconds since 1970.
  var wall: Int64?

  /// The position in a log of this package, which only one event can have; `nil` for foreign events, because a foreign record may give
  /// several events.
  var place: Place? {
    guard kind == .event, let lane, lane >= 0 else { return nil }
    return Place(writer: writer(lane), sequence: sequence)
  }

  /// The lane or foreign file; `nil` if the line has no place.
  var writer: Writer? { lane.map(writer) }

  private func writer(_ lane: Int64) -> Writer { Writer(high: launch.high, low: launch.low, lane: lane) }

  /// A lane of a process life, or a foreign file.
  struct Writer: Hashable, Comparable {
    let high: UInt64
    let low: UInt64
    let lane: Int64

    static func < (left: Writer, right: Writer) -> Bool {
      (left.high, left.low, left.lane) < (right.high, right.low, right.lane)
    }
  }

  struct Place: Hashable {
    let writer: Writer
    let sequence: UInt64
  }
}

/// A line of standard input: the group to which it belongs, and its facts.
struct ArrivedLine {
  let group: GroupName
  var facts: EventLineFacts

  /// Why a line is refused.
  struct Problem: Error { let text: String }

  /// - Parameters:
  ///   - bytes: a line of `xferlog export --format ndjson`, which may have the members `app`, `device` and `session`.
  ///   - tree: the tree that parses the line.
  init(_ bytes: [UInt8], _ tree: JSONTree) throws(Problem) {
    let line = bytes.withUnsafeBytes { bytes in
      Result { () throws(Problem) -> ArrivedLine in
        guard let row = tree.read(bytes), row.isObject else { throw Self.problem(bytes) }
        return try ArrivedLine(row)
      }
    }
    self = try line.get()
  }

  /// Returns what is wrong with a line that is not one JSON object.
  private static func problem(_ bytes: UnsafeRawBufferPointer) -> Problem {
    let json = JSONReader(bytes)
    guard json.kind == .object else { return Problem(text: "it is not a JSON object") }
    _ = json.value()
    if let flaw = json.flaw { return Problem(text: "\(flaw.problem) (column \(flaw.column))") }
    return Problem(text: "another value follows the JSON object")
  }

  private init(_ row: JSONNode) throws(Problem) {
    guard let schema = row["schema"], schema.equals("xferlog.event/1") else {
      throw Problem(
        text: row["schema"]?.text.map { "its schema is \($0.debugDescription), not \"xferlog.event/1\"" }
          ?? "it has no member \"schema\" with the value \"xferlog.event/1\"")
    }
    guard let facts = EventLineFacts(row) else { throw Problem(text: "it is neither an event nor a gap") }
    func name(_ key: StaticString) -> String { row[key]?.value.scalarText ?? "" }
    group = GroupName(app: name("app"), device: name("device"), session: name("session"))
    self.facts = facts
  }
}

extension EventLineFacts {
  /// - Returns: `nil` if the line is neither an event nor another line of an export.
  fileprivate init?(_ row: JSONNode) {
    let gap = row["gap"]
    if gap != nil {
      kind = .gap
    } else if row["incomplete"] != nil {
      kind = .incompleteness
    } else if row["writer"] != nil {
      kind = .writer
    } else if row["finding"] != nil {
      kind = .finding
    } else if row["event"] == nil {
      return nil
    }
    wall = row["time"]?.time?.nanoseconds
    monotonic = row["mono"]?.integer
    if let launch = row["launch"]?.launch { self.launch = (launch.high, launch.low) }
    if let source = row["source"] { take(source) }
    if let gap { take(gap: gap) }
    if let writer = row["writer"] {
      if let launch = writer["launch"]?.launch { self.launch = (launch.high, launch.low) }
      take(boot: writer["boot"])
    }
    // Only the start of a process tells its boot.
    if kind == .event, row["event"]?.equals("process.started") ?? false, let fields = row["fields"],
      let started = fields["launch"]?.launch, (started.high, started.low) == launch
    {
      take(boot: fields["boot"])
    }
  }

  private static func number(_ json: JSONNode?) -> UInt64? { json?.integer.flatMap { UInt64(exactly: $0) } }

  private mutating func take(_ source: JSONNode) {
    if let lane = Self.number(source["lane"]), let sequence = Self.number(source["seq"]) {
      self.lane = Int64(clamping: lane)
      self.sequence = sequence
      segment = Self.number(source["segment"]) ?? 0
    } else if let file = Self.number(source["file"]), let line = Self.number(source["line"]) {
      lane = -1 - Int64(clamping: file)
      sequence = line
    }
  }

  private mutating func take(gap: JSONNode) {
    guard let lane = Self.number(gap["lane"]), let first = Self.number(gap["sequences"]?["from"]) else { return }
    self.lane = Int64(clamping: lane)
    sequence = first
  }

  private mutating func take(boot: JSONNode?) {
    if let boot = boot?.boot { self.boot = (boot.high, boot.low) }
  }
}
