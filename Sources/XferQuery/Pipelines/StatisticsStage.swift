import XferEvents
import XferPredicate

/// `| stats`: computes figures by groups.
final class StatisticsStage: Stage {
  private(set) var groups: GroupTable
  private let ledger: SubjectLedger?

  init(
    _ aggregates: [Aggregate], _ keys: [QueryField], _ slice: Int64?, _ ledger: SubjectLedger?, _ next: any QuerySink
  ) {
    groups = GroupTable(aggregates, keys, slice)
    self.ledger = ledger
    super.init(next)
  }

  static func columns(_ aggregates: [Aggregate], _ keys: [QueryField], _ slice: Int64?) -> [QueryField] {
    let slices: [TableColumns.Column] = slice == nil ? [] : [("slice", .time, "The beginning of the slice of time.")]
    return TableColumns.named(slices + keys.map(TableColumns.column) + aggregates.map(\.column))
  }

  override var isFull: Bool { false }

  override func take(_ event: RecordedEvent) throws { groups.note(event.view, ledger) }

  override func take(_ row: [ResultValue]) throws { groups.note(row) }

  /// Adds groups that were computed elsewhere from other events.
  func merge(_ other: GroupTable) { groups = .merging(groups, other) }

  override func finish() throws {
    for row in groups.table(where: next.keeps) { try next.take(row) }
    try next.finish()
  }
}
