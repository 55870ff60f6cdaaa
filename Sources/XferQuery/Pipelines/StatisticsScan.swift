package import XferEvents
import XferPredicate

/// One thread's part of a query that begins with `| stats`: it takes events in any order and computes their groups.
package final class StatisticsScan: ScanReceiver {
  private let condition: EventTest
  /// The parts of the condition that the layouts of the current source leave open, by number of the layout.
  @exclusivity(unchecked) private var tests: [LayoutTest] = []
  /// The fields that the groups and figures read.
  private let fields: [QueryField]
  private let hasSlices: Bool
  let groups: GroupTable
  @exclusivity(unchecked) package private(set) var counts = Pipeline.Counts()

  /// - Returns: `nil` if the query must read the events in their order.
  package init?(_ query: Query) {
    guard query.allowsScan, case .statistics(let aggregates, let keys, let slice)? = query.stages.first else { return nil }
    condition = EventTest(query.predicate)
    fields = aggregates.compactMap(\.field) + keys
    hasSlices = slice != nil
    groups = GroupTable(aggregates, keys, slice)
  }

  package func begin(_ source: RecordSource) { tests = [] }

  package func parts(of layout: UnsafePointer<LayoutTable>) -> ScannedParts {
    let number = Int(layout.pointee.number)
    if number >= tests.count { tests += repeatElement(LayoutTest(condition), count: number + 1 - tests.count) }
    let rest = condition.rest(for: layout)
    tests[number] = LayoutTest(rest)
    return switch rest.truth(of: layout) {
    case .no: []
    case .unknown: .kind
    case .yes, nil:
      fields.reduce(rest.parts(of: layout).union(hasSlices ? .time : .kind)) { $0.union($1.parts(of: layout)) }
    }
  }

  package func take(_ event: EventView, count: Int) {
    counts.events += count
    switch truth(of: event) {
    case .no: break
    case .unknown: counts.undecided += count
    case .yes:
      counts.matched += count
      groups.note(event, count: count, nil)
    }
  }

  private func truth(of event: EventView) -> Truth {
    let number = Int(event.layoutNumber)
    return number < tests.count ? tests[number].condition.truth(of: event) : condition.truth(of: event)
  }

  package func ignore(_ count: Int) { counts.events += count }
}

/// A condition for events with one layout. A class, because copying the parts of a condition for every event takes longer than its answer.
private final class LayoutTest {
  let condition: EventTest

  init(_ condition: EventTest) { self.condition = condition }
}

extension Query {
  /// Whether the result is the same for every order of the events, apart from the exceptions that `Pipeline.dependsOnOrder` reports.
  package var allowsScan: Bool {
    guard case .statistics(let aggregates, _, _)? = stages.first, !needsReplay else { return false }
    return GroupTable.allowsAnyOrder(aggregates)
  }
}
