import XferEvents

/// What the bytes of a log's files are for.
package struct StorageDocument: FiguresDocument {
  /// One line: how many of a thing there are, and the bytes that they take.
  package struct Share: Equatable, Sendable {
    package let name: String
    /// `nil` for what is not counted.
    package let count: Int?
    package let bytes: Int

    package init(_ name: String, count: Int? = nil, bytes: Int) {
      self.name = name
      self.count = count
      self.bytes = bytes
    }
  }

  /// By kind of event, the largest first.
  package let events: [Share]
  /// Everything else.
  package let rest: [Share]
  /// Sizes of all files.
  package let total: Int

  package init(events: [Share], rest: [Share], total: Int) {
    self.events = events.sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
    self.rest = rest
    self.total = total
  }

  // MARK: Forms

  package func write(to text: inout TextBuffer) {
    var table = TextTable([("what", .left), ("count", .right), ("bytes", .right), ("bytes each", .right), ("share", .right)])
    for share in events + rest + [Share("total", bytes: total)] {
      table.append([share.name, share.count.map { "\($0)" } ?? "", "\(share.bytes)", each(share) ?? "", percent(share.bytes)])
    }
    table.flush(to: &text)
    text.append("Of a sealed segment the stored bytes of a block are shared out by decoded bytes.\n" as StaticString)
  }

  /// `bytes * factor / divisor`, rounded; sizes of files may be any number.
  private static func scaled(_ bytes: Int, by factor: Int, over divisor: Int) -> Int {
    let (product, overflow) = bytes.multipliedReportingOverflow(by: factor)
    if overflow { return bytes / max(1, divisor / factor) }
    return product.addingClamped(divisor / 2) / divisor
  }

  /// Tenths of a byte.
  private func each(_ share: Share) -> String? {
    guard let count = share.count, count > 0 else { return nil }
    let tenths = Self.scaled(share.bytes, by: 10, over: count)
    return "\(tenths / 10).\(tenths % 10)"
  }

  private func percent(_ bytes: Int) -> String {
    let tenths = total > 0 ? Self.scaled(bytes, by: 1000, over: total) : 0
    return "\(tenths / 10).\(tenths % 10) %"
  }

  /// The document `xferlog.storage/1`.
  package func writeJSON(to json: inout JSONText) {
    json.beginObject()
    json.member("schema", "xferlog.storage/1")
    json.member("total", total)
    json.array("events", events) { Self.write($0, key: "event", to: &$1) }
    json.array("rest", rest) { Self.write($0, key: "what", to: &$1) }
    json.endObject()
  }

  private static func write(_ share: Share, key: StaticString, to json: inout JSONText) {
    json.beginObject()
    json.member(key, share.name)
    json.member("count", share.count)
    json.member("bytes", share.bytes)
    json.endObject()
  }

  /// One figure a row, as the other figures of `stats`.
  package func writeCSV(to text: inout TextBuffer) {
    let csv = CSVText()
    csv.append(["table", "row", "column", "value"], to: &text)
    for (table, shares) in [("storage-events", events), ("storage", rest)] {
      for share in shares {
        if let count = share.count { csv.append([table, share.name, "count", "\(count)"], to: &text) }
        csv.append([table, share.name, "bytes", "\(share.bytes)"], to: &text)
      }
    }
    csv.append(["storage", "total", "bytes", "\(total)"], to: &text)
  }
}
