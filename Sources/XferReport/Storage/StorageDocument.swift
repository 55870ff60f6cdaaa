import XferEvents

/// The storage use of a log by category.
package struct StorageDocument: FiguresDocument {
  /// One category with its count and its bytes.
  package struct Share: Equatable, Sendable {
    package let name: String
    /// The number of items; `nil` for a category without items.
    package let count: Int?
    package let bytes: Int

    package init(_ name: String, count: Int? = nil, bytes: Int) {
      self.name = name
      self.count = count
      self.bytes = bytes
    }
  }

  /// The categories of events, the largest first.
  package let events: [Share]
  /// What else the files contain, such as headers and definitions.
  package let rest: [Share]
  /// The total size of all files in bytes.
  package let total: Int

  package init(events: [Share], rest: [Share], total: Int) {
    self.events = events.sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
    self.rest = rest
    self.total = total
  }

  // MARK: Forms

  package func write(to text: inout TextBuffer) {
    var table = TextTable([("category", .left), ("count", .right), ("bytes", .right), ("bytes each", .right), ("share", .right)])
    for share in events + rest + [Share("total", bytes: total)] {
      table.append([share.name, share.count.map { "\($0)" } ?? "", "\(share.bytes)", each(share) ?? "", percent(share.bytes)])
    }
    table.flush(to: &text)
    text.append("The stored size of a sealed block is divided among its events by their decoded size.\n" as StaticString)
  }

  /// Returns `bytes * factor / divisor`, rounded, without overflow.
  private static func scaled(_ bytes: Int, by factor: Int, over divisor: Int) -> Int {
    let (product, overflow) = bytes.multipliedReportingOverflow(by: factor)
    if overflow { return bytes / max(1, divisor / factor) }
    return product.addingClamped(divisor / 2) / divisor
  }

  /// The bytes per item with one decimal; `nil` without items.
  private func each(_ share: Share) -> String? {
    guard let count = share.count, count > 0 else { return nil }
    let tenths = Self.scaled(share.bytes, by: 10, over: count)
    return "\(tenths / 10).\(tenths % 10)"
  }

  private func percent(_ bytes: Int) -> String {
    let tenths = total > 0 ? Self.scaled(bytes, by: 1000, over: total) : 0
    return "\(tenths / 10).\(tenths % 10) %"
  }

  /// Writes the document `xferlog.storage/1`.
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

  /// Writes one figure per row, like the other figures of `stats`.
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
