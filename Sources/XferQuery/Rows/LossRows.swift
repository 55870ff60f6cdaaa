package import XferEvents

/// A place where records are missing from a log.
package struct GapRow: TableRow {
  package static let table = "gaps"
  private let gap: LogGap

  package init(_ gap: LogGap) { self.gap = gap }

  package var columns: KeyValuePairs<String, ColumnValue> {
    let problem = if case .damaged(let problem) = gap.cause { problem } else { nil as String? }
    return [
      "cause": .text(gap.cause.name),
      "problem": ColumnValue(problem),
      "segment": ColumnValue(gap.segment),
      "name": .text(gap.name),
      "launch": ColumnValue(gap.launch.map { "\($0)" }),
      "lane": ColumnValue(gap.lane),
      "seq_from": ColumnValue(gap.sequences?.lowerBound), "seq_to": ColumnValue(gap.sequences?.upperBound),
      "byte_from": ColumnValue(gap.bytes?.lowerBound), "byte_to": ColumnValue(gap.bytes?.upperBound),
      "last_seen": .time(gap.after?.wall), "last_seen_ns": .epoch(gap.after?.wall),
      "next_seen": .time(gap.before?.wall), "next_seen_ns": .epoch(gap.before?.wall),
    ]
  }
}

/// Events of a family that could not be written.
package struct DropRow: TableRow {
  package static let table = "drops"
  private let family: String
  private let count: Int64

  package init(family: String, count: Int64) {
    self.family = family
    self.count = count
  }

  package var columns: KeyValuePairs<String, ColumnValue> { ["family": .text(family), "count": .integer(count)] }
}

/// The events of one name that no lifecycle consumes.
package struct UnmodelledRow: TableRow {
  package static let table = "unmodelled"
  private let event: String
  private let count: Int

  package init(event: String, count: Int) {
    self.event = event
    self.count = count
  }

  package var columns: KeyValuePairs<String, ColumnValue> { ["event": .text(event), "count": ColumnValue(count)] }
}
