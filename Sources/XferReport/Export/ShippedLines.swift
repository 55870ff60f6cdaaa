package import XferEvents

/// Events as JSON lines with the members `app` and `device`, by which `xferlog replay --stdin` tells the logs of many devices apart.
package struct ShippedLines: ExportDocument {
  private var lines: EventExport<EventJSON>
  /// The members in the place of the closing brace of each line, with the brace and a line feed.
  private let members: [UInt8]

  package init(app: String?, device: String?) {
    lines = EventExport(EventJSON(.lines))
    var json = JSONText(capacity: 128)
    // The comma of a first member separates the members from those before them.
    json.beginObject()
    if let app { json.member("app", app) }
    if let device { json.member("device", device) }
    json.endObject()
    members = [UInt8(ascii: ",")] + json.text.bytes.dropFirst() + [UInt8(ascii: "\n")]
  }

  package var count: Int { lines.count }
  package var noun: (one: String, many: String) { lines.noun }

  package mutating func begin(in text: inout TextBuffer) { lines.begin(in: &text) }

  package mutating func append(_ event: RecordedEvent, isSelected: Bool, to text: inout TextBuffer) {
    let start = text.count
    lines.append(event, isSelected: isSelected, to: &text)
    addMembers(from: start, in: &text)
  }

  package mutating func append(_ gap: LogGap, to text: inout TextBuffer) {
    let start = text.count
    lines.append(gap, to: &text)
    addMembers(from: start, in: &text)
  }

  package mutating func end(incompleteBecause reasons: [String], in text: inout TextBuffer) -> Bool {
    let start = text.count
    let hasMore = lines.end(incompleteBecause: reasons, in: &text)
    addMembers(from: start, in: &text)
    return hasMore
  }

  private func addMembers(from start: Int, in text: inout TextBuffer) {
    if text.count == start { return }
    let written = Array(text.bytes[start...])
    text.cut(to: start)
    for line in written.split(separator: UInt8(ascii: "\n")) {
      text.append(Array(line.dropLast()))
      text.append(members)
    }
  }
}
