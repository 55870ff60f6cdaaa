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

  /// - Parameter bytes: a line of `xferlog export --format ndjson`, which may have the members `app`, `device` and `session`.
  init(_ bytes: [UInt8]) throws(Problem) {
    let json = JSONReader(bytes)
    guard json.kind == .object, json.beginObject() else { throw Problem(text: "it is not a JSON object") }
    var row = Row()
    while let key = json.nextKey() { row.take(key, json) }
    if let flaw = json.flaw { throw Problem(text: "\(flaw.problem) (column \(flaw.column))") }
    guard json.isFinished else { throw Problem(text: "another value follows the JSON object") }
    guard row.schema == "xferlog.event/1" else {
      throw Problem(
        text: row.schema.map { "its schema is \($0.debugDescription), not \"xferlog.event/1\"" }
          ?? "it has no member \"schema\" with the value \"xferlog.event/1\"")
    }
    guard let facts = row.facts(of: bytes) else { throw Problem(text: "it is neither an event nor a gap") }
    self.facts = facts
    group = GroupName(app: row.app ?? "", device: row.device ?? "", session: row.session ?? "")
  }

  /// The members of a line as they are read.
  private struct Row {
    var schema: String?
    var app: String?
    var device: String?
    var session: String?
    private var kind: EventLineFacts.Kind?
    private var values = EventLineFacts()
    private var event: String?
    private var fields: JSONValue?

    mutating func take(_ key: String, _ json: JSONReader) {
      switch key {
      case "schema": schema = schema ?? json.value()?.text
      case "app": app = app ?? json.value()?.scalarText
      case "device": device = device ?? json.value()?.scalarText
      case "session": session = session ?? json.value()?.scalarText
      case "time": values.wall = json.value()?.text.flatMap { TimeText.wall($0) }?.nanoseconds
      case "mono": values.monotonic = json.value()?.integer
      case "launch": if let launch = Self.pair(json.value()) { values.launch = launch }
      case "source": json.value().map { takeSource($0) }
      case "event":
        kind = kind ?? .event
        event = json.value()?.text
      case "gap":
        kind = .gap
        json.value().map { takeGap($0) }
      case "writer":
        kind = .writer
        let writer = json.value()
        if let launch = Self.pair(writer?["launch"]) { values.launch = launch }
        if let boot = Self.boot(writer?["boot"]) { values.boot = boot }
      case "incomplete":
        kind = .incompleteness
        json.skip()
      case "finding":
        kind = .finding
        json.skip()
      case "fields":
        // Only the start of a process tells its boot.
        if event == nil || event == "process.started" { fields = json.value() } else { json.skip() }
      default: json.skip()
      }
    }

    private static func pair(_ json: JSONValue?) -> (high: UInt64, low: UInt64)? {
      json?.text.flatMap { LaunchID($0) }.map { ($0.high, $0.low) }
    }

    private static func boot(_ json: JSONValue?) -> (high: UInt64, low: UInt64)? {
      json?.text.flatMap { BootID($0) }.map { ($0.high, $0.low) }
    }

    private static func number(_ json: JSONValue?) -> UInt64? { json?.integer.flatMap { UInt64(exactly: $0) } }

    private mutating func takeSource(_ source: JSONValue) {
      if let lane = Self.number(source["lane"]), let sequence = Self.number(source["seq"]) {
        values.lane = Int64(clamping: lane)
        values.sequence = sequence
        values.segment = Self.number(source["segment"]) ?? 0
      } else if let file = Self.number(source["file"]), let line = Self.number(source["line"]) {
        values.lane = -1 - Int64(clamping: file)
        values.sequence = line
      }
    }

    private mutating func takeGap(_ gap: JSONValue) {
      guard let lane = Self.number(gap["lane"]), let first = Self.number(gap["sequences"]?["from"]) else { return }
      values.lane = Int64(clamping: lane)
      values.sequence = first
    }

    func facts(of bytes: [UInt8]) -> EventLineFacts? {
      guard let kind else { return nil }
      var facts = values
      facts.kind = kind
      if event == "process.started", let fields, let launch = Self.pair(fields["launch"]), launch == facts.launch,
        let boot = Self.boot(fields["boot"])
      {
        facts.boot = boot
      }
      return facts
    }
  }
}
