import XferEvents

/// One record of a journal.
struct JournalRecord {
  private(set) var fields: [String: String] = [:]
  var line: UInt64 = 0

  subscript(_ name: String) -> String? { fields[name].flatMap { $0.isEmpty ? nil : $0 } }
  func integer(_ name: String) -> Int64? { self[name].flatMap { Int64($0) } }

  /// A field that occurs more than once keeps its first value.
  mutating func set(_ name: String, _ value: String) { if fields[name] == nil { fields[name] = value } }
  var isEmpty: Bool { fields.isEmpty }

  /// The message without the colours of a terminal.
  var message: String { Self.withoutColours(self["MESSAGE"] ?? "") }

  private static func withoutColours(_ text: String) -> String {
    guard text.utf8.contains(0x1B) else { return text }
    var rest = Substring(text)
    var result = ""
    // ESC [ numbers m
    while let start = rest.firstRange(of: "\u{1B}[") {
      result += rest[..<start.lowerBound]
      let end = rest[start.upperBound...].firstIndex { !("0"..."9").contains($0) && $0 != ";" }
      guard let end, rest[end] == "m" else {
        result += rest[start]
        rest = rest[start.upperBound...]
        continue
      }
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  var identifier: String? { self["SYSLOG_IDENTIFIER"] ?? self["_COMM"] }
  var pid: Int? { (integer("_PID") ?? integer("SYSLOG_PID")).map { Int(clamping: $0) } }
  var boot: BootID? { self["_BOOT_ID"].flatMap { BootID($0) } }

  var moment: Moment {
    // The source's own time is earlier than the one at which the journal received the record.
    let wall = integer("_SOURCE_REALTIME_TIMESTAMP") ?? integer("__REALTIME_TIMESTAMP")
    func scaled(_ value: Int64?) -> Int64? { value.flatMap { $0 >= 0 && $0 < .max / 1000 ? $0 * 1000 : nil } }
    return Moment(monotonic: scaled(integer("__MONOTONIC_TIMESTAMP")), wall: scaled(wall).map { WallTime(nanoseconds: $0) })
  }

  var level: Level {
    switch integer("PRIORITY") {
    case 0, 1, 2: .fault
    case 3, 4: .error
    case 6: .info
    case 7: .debug
    default: .default
    }
  }

  /// Creates a record from an object of `journalctl -o json`. A value is a string, an array of bytes if it is not text, or an array of
  /// several values.
  init(_ object: JSONValue, line: UInt64) {
    self.line = line
    for member in object.members {
      if let text = member.value.scalarText {
        set(member.key, text)
      } else if case .array(let elements) = member.value {
        let bytes = elements.compactMap { element -> UInt8? in element.integer.flatMap { UInt8(exactly: $0) } }
        if bytes.count == elements.count {
          set(member.key, String(decoding: bytes, as: UTF8.self))
        } else if let first = elements.first?.scalarText {
          set(member.key, first)
        }
      }
    }
  }

  init() {}
}
